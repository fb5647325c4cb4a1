"""Resolvers that take all objects of a level at once, made by `for_many`.

The compiled execution calls the function itself, once a level; under graphql-core the resolver that
is made of it collects the objects in `batches`.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import strawberry
from strawberry.types import Info

from pith_graph.gql.execution.asked import Asked
from pith_graph.gql.execution.batches import load_one

ForMany: TypeAlias = Callable[..., Awaitable[Sequence[Any]]]

_MANY: Final = "__for_many__"
_ASKED: Final = "asked"
_FEWEST: Final = 2


@dataclass(frozen=True, slots=True)
class Many:
    """A function for many sources.

    Attributes:
        function: The function.
        wants_asked: Whether it takes what is selected below the field.
    """

    function: ForMany
    wants_asked: bool

    def __call__(
        self,
        sources: Sequence[Any],
        info: Info[Any, Any],
        asked: Asked | None,
        arguments: Mapping[str, Any],
    ) -> Awaitable[Sequence[Any]]:
        """Call it; what is asked is handed on if it is wanted."""
        if self.wants_asked:
            return self.function(sources, info, asked=asked, **arguments)
        return self.function(sources, info, **arguments)


def for_many(function: ForMany) -> Callable[..., Awaitable[Any]]:
    """Make a resolver of a coroutine function that does many sources at once.

    Args:
        function: Takes the sources, the info and the field's arguments, and, if it has a parameter
            ``asked``, what is selected below the field. It returns a value or an exception for each
            source, in their order. The field's type is given to ``strawberry.field``.

    Raises:
        TypeError: It is no coroutine function, or does not take sources and info first.
    """
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())
    if not inspect.iscoroutinefunction(function) or len(parameters) < _FEWEST:
        raise TypeError(
            f"{function!r} is for many sources; expected a coroutine function that takes the "
            "sources and the info"
        )
    many = Many(function, _ASKED in signature.parameters)
    source, info = parameters[0].name, parameters[1].name

    async def resolve(**given: Any) -> Any:
        one, told = given.pop(source), given.pop(info)
        return await load_one(many, one, told, given)

    resolve.__name__, resolve.__doc__ = function.__name__, function.__doc__
    resolve.__qualname__, resolve.__module__ = function.__qualname__, function.__module__
    parent: Any = strawberry.Parent
    shown = [
        parameters[0].replace(annotation=parent[Any]),
        *(each for each in parameters[1:] if each.name != _ASKED),
    ]
    made: Any = resolve
    made.__signature__ = inspect.Signature(shown)
    made.__annotations__ = {each.name: each.annotation for each in shown}
    setattr(made, _MANY, many)
    return resolve


def many_of(resolver: Callable[..., Any]) -> Many | None:
    """Return the function for many that a resolver was made of."""
    many = getattr(resolver, _MANY, None)
    return many if isinstance(many, Many) else None
