"""A field's arguments as its resolver takes them: those that no variable is in are read once.

Each `plan.FieldPlan` holds one; `run` reads it once a level.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import cached_property
from typing import Any, Final

from graphql import FieldNode, GraphQLArgument, GraphQLField, ValueNode, VariableNode
from graphql.execution.values import VariableValues, get_argument_values
from graphql.type import get_nullable_type, is_leaf_type
from strawberry import Schema
from strawberry.types import Info
from strawberry.types.arguments import convert_arguments
from strawberry.types.field import StrawberryField

_UNCHANGING: Final = frozenset({str, int, float, bool, type(None)})


class Arguments:
    """The arguments of one field of a plan.

    Args:
        field: graphql-core's definition.
        definition: Strawberry's definition.
        node: Where the arguments are written.
        schema: The Strawberry schema.
    """

    def __init__(
        self, field: GraphQLField, definition: StrawberryField, node: FieldNode, schema: Schema
    ) -> None:
        self._field = field
        self._definition = definition
        self._node = node
        self._schema = schema

    def read(self, variables: VariableValues, info: Info[Any, Any]) -> dict[str, Any]:
        """Return the arguments; the dictionary is the caller's own.

        Raises:
            Exception: One cannot be coerced or converted.
        """
        constant, rest = self._split
        if rest is None:
            return dict(constant)
        found = self._convert(get_argument_values(rest, self._node, variables), info)
        if not constant:
            return found
        found.update(constant)
        return {name: found[name] for name in self._order if name in found}

    @cached_property
    def _order(self) -> list[str]:
        """The names in the order in which Strawberry hands them over."""
        return [each.python_name for each in self._definition.arguments]

    @cached_property
    def _split(self) -> tuple[Mapping[str, Any], GraphQLField | None]:
        """The constant arguments converted, and a field of the others; None if there are none."""
        written = {each.name.value: each.value for each in self._node.arguments or ()}
        constant: dict[str, Any] = {}
        rest: dict[str, GraphQLArgument] = {}
        for name, argument in self._field.args.items():
            found = self._constant(name, argument, written.get(name))
            if found is None:
                rest[name] = argument
            else:
                constant |= found
        return constant, GraphQLField(self._field.type, args=rest) if rest else None

    def _constant(
        self, name: str, argument: GraphQLArgument, value: ValueNode | None
    ) -> dict[str, Any] | None:
        """Return an argument converted, or None if it may differ from time to time."""
        if isinstance(value, VariableNode):
            return None
        one = GraphQLField(self._field.type, args={name: argument})
        is_leaf = is_leaf_type(get_nullable_type(argument.type))
        try:
            values = get_argument_values(one, self._node)
            if not is_leaf and any(each is not None for each in values.values()):
                return None
            converted = self._convert(values, None)
        except Exception:  # noqa: BLE001  # raised again each time, where it becomes an error
            return None
        return converted if all(map(_is_unchanging, converted.values())) else None

    def _convert(self, values: dict[str, Any], info: Info[Any, Any] | None) -> dict[str, Any]:
        return convert_arguments(
            values,
            self._definition.arguments,
            scalar_registry=self._schema.schema_converter.scalar_registry,
            config=self._schema.config,
            info=info,
        )


def _is_unchanging(value: object) -> bool:
    return type(value) in _UNCHANGING or isinstance(value, Enum)
