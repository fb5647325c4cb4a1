"""How a field of a Strawberry schema gets its value: an attribute of the source, or a resolver.

`compiling` asks once for each field of a plan. What cannot be told from the definition is refused
by raising `NotCompiledError`, and the operation is left to graphql-core.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import Parameter
from keyword import iskeyword
from operator import attrgetter
from typing import Any, TypeAlias

from graphql import GraphQLField
from strawberry import Schema
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.field import StrawberryField
from strawberry.types.fields.resolver import StrawberryResolver

from pith_graph.gql.execution.many import Many, many_of


class NotCompiledError(Exception):
    """An operation that is left to graphql-core; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """The value is an attribute of the source."""

    name: str

    @property
    def read(self) -> Callable[[Any], Any]:
        """What reads it of a source."""
        return attrgetter(self.name)


@dataclass(frozen=True, slots=True)
class Call:
    """The value comes from a resolver.

    Attributes:
        function: The resolver as it was written.
        first: Whether its first argument is the source.
        sources: The keywords that take the source.
        info: The keyword that takes the info; None where it takes none.
        many: Resolves many sources at once; None where each is resolved by itself.
        is_async: Whether it is a coroutine function.
    """

    function: Callable[..., Any]
    first: bool
    sources: tuple[str, ...]
    info: str | None
    many: Many | None
    is_async: bool

    def bind(self, named: Mapping[str, Any]) -> Callable[[Any], Any]:
        """Return the function of the source alone, the other arguments given."""
        function, sources = self.function, self.sources
        if sources:
            first = self.first

            def call(source: Any) -> Any:
                more = dict.fromkeys(sources, source)
                return function(*((source,) if first else ()), **named, **more)

            return call
        if not self.first:
            return lambda _source: function(**named)
        return (lambda source: function(source, **named)) if named else function


How: TypeAlias = Attribute | Call


def definition_of(field: GraphQLField) -> StrawberryField:
    """Return the Strawberry definition behind a field.

    Raises:
        NotCompiledError: The field is not Strawberry's.
    """
    definition = (field.extensions or {}).get(GraphQLCoreConverter.DEFINITION_BACKREF)
    if not isinstance(definition, StrawberryField):
        raise NotCompiledError("a field has no Strawberry definition")
    return definition


def describe(definition: StrawberryField, schema: Schema) -> How:
    """Tell how a field gets its value.

    Raises:
        NotCompiledError: More than an attribute or a resolver takes part in it.
    """
    name = definition.python_name
    if definition.extensions or definition.permission_classes:
        raise NotCompiledError(f"the field {name} has extensions")
    if type(definition).get_result is not StrawberryField.get_result:
        raise NotCompiledError(f"the field {name} has a class of its own")
    if schema.schema_converter._get_field_exception_handlers(definition):  # noqa: SLF001  # no public name
        raise NotCompiledError(f"the field {name} has exception handlers")
    resolver = definition.base_resolver
    if resolver is not None:
        return _call(resolver)
    read = schema.config.default_resolver
    if read is getattr and name.isidentifier() and name.isascii() and not iskeyword(name):
        return Attribute(name)
    return Call(
        function=lambda source: read(source, name),
        first=True,
        sources=(),
        info=None,
        many=None,
        is_async=False,
    )


def _call(resolver: StrawberryResolver[Any]) -> Call:
    function = resolver.wrapped_func
    if not callable(function):
        raise NotCompiledError(f"the resolver {resolver.name} cannot be called")
    takers = (resolver.parent_parameter, resolver.root_parameter)
    names = dict.fromkeys(each.name for each in takers if each is not None)
    leading = next(iter(resolver.signature.parameters.values()), None)
    first = resolver.self_parameter is not None
    if not first and leading is not None and leading.name in names:
        # By position where possible: that is the faster call.
        first = leading.kind is Parameter.POSITIONAL_OR_KEYWORD
        names = {name: None for name in names if not (first and name == leading.name)}
    return Call(
        function=function,
        first=first,
        sources=tuple(names),
        info=None if resolver.info_parameter is None else resolver.info_parameter.name,
        many=many_of(function),
        is_async=resolver.is_async,
    )
