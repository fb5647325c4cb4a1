"""Hypothesis strategy: valid operations of any schema, with the values of their variables.

Aliases, fields asked for twice, fragments named and inline on interfaces and unions, conditions,
arguments by literal and by variable, variables left out and null. What one response key means is
the same all over a document, so that every document is valid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from graphql import (
    GraphQLArgument,
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLNamedType,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLSchema,
    Undefined,
    get_named_type,
    is_abstract_type,
    is_composite_type,
    is_required_argument,
    is_required_input_field,
)
from hypothesis import strategies as st
from strawberry.schema.schema_converter import GraphQLCoreConverter

Pools = Mapping[str, Sequence[Any]]
"""JSON values to choose from, by the coordinate of an argument or the name of an input type."""

SCALARS: Pools = {
    "Int": (0, 1, 2, -3),
    "Float": (0.5, 2),
    "String": ("", "a", 'quoted "b"'),
    "ID": ("1", "x"),
    "Boolean": (True, False),
}


@dataclass(frozen=True)
class Operation:
    """A document of one operation, and the values of its variables."""

    text: str
    variables: dict[str, Any]


def operations(
    schema: GraphQLSchema, pools: Pools | None = None, *, most_fields: int = 25, depth: int = 5
) -> st.SearchStrategy[Operation]:
    """Return a strategy of operations.

    Args:
        schema: The schema.
        pools: Values for arguments and input types, where any of the type will not do.
        most_fields: About how many fields an operation has.
        depth: The deepest nesting of fields.
    """
    pools = {**SCALARS, **(pools or {})}

    def write(seed: int, fields: int, deepest: int) -> Operation:
        return Writer(schema, pools, Random(seed), fields).operation(deepest)

    # The seed makes an operation in a fraction of the time that drawing each choice takes; the
    # bounds are drawn apart, so that a failure shrinks.
    return st.builds(
        write, st.integers(0, 2**48), st.integers(1, most_fields), st.integers(1, depth)
    )


@dataclass
class Writer:
    """Writes one operation by chance."""

    schema: GraphQLSchema
    pools: Pools
    random: Random
    budget: int
    variables: dict[str, Any] = field(default_factory=dict)
    declared: dict[str, str] = field(default_factory=dict)
    fragments: list[tuple[GraphQLNamedType, str]] = field(default_factory=list)
    aliases: dict[tuple[str, str], str] = field(default_factory=dict)
    plain: dict[str, tuple[str, str]] = field(default_factory=dict)

    def operation(self, depth: int) -> Operation:
        """Write an operation on the query type."""
        query = self.schema.query_type
        assert query is not None
        selection = self.selection(query, depth)
        variables = "".join(f"{name}: {type_} " for name, type_ in self.declared.items())
        head = f"query ({variables}) " if variables else "query "
        fragments = [
            f"fragment F{number} on {type_} {text}"
            for number, (type_, text) in enumerate(self.fragments)
        ]
        return Operation("\n".join([head + selection, *fragments]), self.variables)

    def selection(self, type_: GraphQLNamedType, depth: int) -> str:
        """Write a selection set."""
        selections = [
            self.one(type_, depth) for _ in range(self.random.choice((1, 2, 2, 3, 3, 4, 6)))
        ]
        if self.chance(0.1):
            selections.append(selections[0])
        return "{ " + " ".join(selections) + " }"

    def one(self, type_: GraphQLNamedType, depth: int) -> str:
        """Write a field or a fragment."""
        self.budget -= 1
        fragment_share = 0.45 if is_abstract_type(type_) else 0.15
        if depth > 1 and self.budget > 0 and self.chance(fragment_share):
            return self.fragment(type_, depth)
        fields = type_.fields if isinstance(type_, GraphQLObjectType | GraphQLInterfaceType) else {}
        names = [
            name
            for name, one in fields.items()
            if (depth > 1 and self.budget > 0) or not is_composite_type(get_named_type(one.type))
        ]
        if not names or self.chance(0.05):
            return self.random.choice(("__typename", "kind: __typename")) + self.condition()
        name = self.random.choice(names)
        return self.field(type_, name, fields[name], depth)

    def field(
        self, parent: GraphQLNamedType, name: str, definition: GraphQLField, depth: int
    ) -> str:
        """Write a field, under a key that means the same wherever it stands."""
        arguments = self.arguments(f"{parent}.{name}", definition)
        meaning = (str(definition.type), arguments)
        key = ""
        if self.plain.setdefault(name, meaning) != meaning or self.chance(0.2):
            called = (f"{parent}.{name}", arguments)
            alias = self.aliases.setdefault(called, f"a{len(self.aliases)}_{name}")
            key = f"{alias}: "
        text = f"{key}{name}{arguments}{self.condition()}"
        named = get_named_type(definition.type)
        return f"{text} {self.selection(named, depth - 1)}" if is_composite_type(named) else text

    def fragment(self, type_: GraphQLNamedType, depth: int) -> str:
        """Write a fragment on a type that may be this one, inline or by name."""
        on = self.random.choice(self.overlapping(type_))
        if self.chance(0.4):
            condition = "" if on is type_ and self.chance(0.5) else f" on {on}"
            return f"...{condition}{self.condition()} {self.selection(on, depth)}"
        known = [i for i, (other, _) in enumerate(self.fragments) if self.overlap(other, type_)]
        if known and self.chance(0.5):
            return f"...F{self.random.choice(known)}{self.condition()}"
        text = self.selection(on, depth - 1)
        self.fragments.append((on, text))
        return f"...F{len(self.fragments) - 1}{self.condition()}"

    def overlapping(self, type_: GraphQLNamedType) -> list[GraphQLNamedType]:
        return [
            other
            for other in self.schema.type_map.values()
            if is_composite_type(other)
            and not other.name.startswith("__")
            and self.overlap(type_, other)
        ]

    def overlap(self, one: GraphQLNamedType, other: GraphQLNamedType) -> bool:
        return bool(self.possible(one) & self.possible(other))

    def possible(self, type_: GraphQLNamedType) -> set[str]:
        if is_abstract_type(type_):
            return {each.name for each in self.schema.get_possible_types(type_)}
        return {type_.name}

    def condition(self) -> str:
        """Write @skip, @include or, mostly, nothing."""
        if not self.chance(0.12):
            return ""
        name = self.random.choice(("skip", "include"))
        text = self.random.choice(("true", "false"))
        if self.chance(0.5):
            text = self.variable("Boolean!", self.chance(0.5))
        return f" @{name}(if: {text})"

    def arguments(self, coordinate: str, definition: GraphQLField) -> str:
        """Write the arguments of a field."""
        written = [
            f"{name}: {self.argument(f'{coordinate}({name}:)', argument)}"
            for name, argument in definition.args.items()
            if is_required_argument(argument) or self.chance(0.4)
        ]
        return f"({', '.join(written)})" if written else ""

    def argument(self, coordinate: str, argument: GraphQLArgument) -> str:
        """Write an argument's value, as a literal or as a variable."""
        type_ = argument.type
        value = self.value(type_, coordinate)
        if not self.chance(0.4):
            return self.literal(type_, value)
        if value is None:
            return self.variable(str(type_), self.random.choice((None, Undefined)))
        if isinstance(type_, GraphQLNonNull):
            if argument.default is not None and self.chance(0.3):
                # A nullable variable may stand here; null in it is an error of this field.
                given = self.random.choice((None, Undefined, value))
                return self.variable(str(type_.of_type), given)
            return self.variable(str(type_), value)
        if self.chance(0.2):
            default = f"{type_} = {self.literal(type_, value)}"
            return self.variable(default, self.random.choice((Undefined, value)))
        return self.variable(self.random.choice((str(type_), f"{type_}!")), value)

    def variable(self, type_: str, value: Any) -> str:
        name = f"v{len(self.declared)}"
        self.declared[f"${name}"] = type_
        if value is not Undefined:
            self.variables[name] = value
        return f"${name}"

    def value(self, type_: GraphQLInputType, coordinate: str) -> Any:
        """Choose a value of a type, as JSON."""
        if coordinate in self.pools:
            return self.random.choice(self.pools[coordinate])
        if isinstance(type_, GraphQLNonNull):
            type_ = type_.of_type
        elif self.chance(0.15):
            return None
        if isinstance(type_, GraphQLList):
            return [self.item(type_.of_type) for _ in range(self.random.randint(0, 3))]
        return self.named_value(type_)

    def item(self, type_: GraphQLInputType) -> Any:
        return self.value(type_, "")

    def named_value(self, type_: GraphQLInputType) -> Any:
        if str(type_) in self.pools:
            return self.random.choice(self.pools[str(type_)])
        if isinstance(type_, GraphQLEnumType):
            return self.random.choice(list(type_.values))
        if isinstance(type_, GraphQLInputObjectType):
            return self.object_value(type_)
        raise LookupError(f"no values for {type_}")

    def object_value(self, type_: GraphQLInputObjectType) -> dict[str, Any]:
        if type_.is_one_of or _is_one_of_strawberry(type_):
            name = self.random.choice(list(type_.fields))
            wanted = GraphQLNonNull(type_.fields[name].type)
            return {name: self.value(wanted, f"{type_}.{name}")}
        return {
            name: self.input_value(type_, name, one)
            for name, one in type_.fields.items()
            if is_required_input_field(one) or self.chance(0.5)
        }

    def input_value(self, parent: GraphQLInputObjectType, name: str, one: GraphQLInputField) -> Any:
        return self.value(one.type, f"{parent}.{name}")

    def literal(self, type_: GraphQLInputType, value: Any) -> str:
        """Write a JSON value in GraphQL."""
        if value is None:
            return "null"
        if isinstance(type_, GraphQLNonNull):
            return self.literal(type_.of_type, value)
        if isinstance(type_, GraphQLList):
            items = [self.literal(type_.of_type, each) for each in value]
            return items[0] if len(items) == 1 and value[0] is not None else f"[{' '.join(items)}]"
        if isinstance(type_, GraphQLInputObjectType):
            fields = [
                f"{name}: {self.literal(type_.fields[name].type, each)}"
                for name, each in value.items()
            ]
            return "{" + ", ".join(fields) + "}"
        if isinstance(type_, GraphQLEnumType):
            return str(value)
        return _json(value)

    def chance(self, share: float) -> bool:
        return self.random.random() < share


def _is_one_of_strawberry(type_: GraphQLInputObjectType) -> bool:
    """Whether Strawberry made it a @oneOf type, which graphql-core is not told."""
    definition = type_.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
    return bool(getattr(definition, "is_one_of", False))


def _json(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return str(value)
