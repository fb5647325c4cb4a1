"""The cost of an operation: the most objects that its answer may hold.

Every field of an object, interface or union type counts one, times the page sizes and list lengths
above it; leaves and introspection are free. ``gql/documents.py`` compiles a valid document once;
each request then evaluates the small structure with its variables, in linear time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    ListValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    ValueNode,
    VariableNode,
    get_named_type,
    get_nullable_type,
    is_composite_type,
    is_list_type,
    value_from_ast_untyped,
)

from pith_graph.gql.spreads import dependency_order
from pith_graph.settings import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE

LARGEST_COST: Final = 2**53 - 1
"""Costs stop here: the largest integer that every JSON reader keeps exact."""

ListHints = Mapping[tuple[str, str], int]
"""(type name, field name) -> how long that list of objects is; lists without a hint count as 1."""

Variables = Mapping[str, Any]

_PER_EDGE = frozenset({"edges", "nodes"})


@dataclass(frozen=True, slots=True)
class _Variable:
    name: str


# An argument as the document has it: a plain value, or the variable that will hold it.
_Argument = _Variable | int | list[Any] | str | None


@dataclass(frozen=True, slots=True)
class _Field:
    """One composite field: how often it occurs, and what is inside.

    Attributes:
        repeat: A list argument that asks for one object per item, or the length itself.
        page: ``first`` and ``last`` of a connection; empty for other fields.
    """

    repeat: _Argument
    page: tuple[_Argument, ...]
    inside: _Selection


@dataclass(slots=True)
class _Selection:
    """The composite fields of one selection set, inline fragments laid open."""

    once: list[_Field] = field(default_factory=list)
    per_edge: list[_Field] = field(default_factory=list)
    spreads: list[str] = field(default_factory=list)

    @property
    def has_variables(self) -> bool:
        """Whether a variable decides how often something in it occurs, spreads aside."""
        return any(
            each.inside.has_variables
            or any(isinstance(size, _Variable) for size in (each.repeat, *each.page))
            for each in (*self.once, *self.per_edge)
        )


@dataclass(frozen=True)
class OperationCost:
    """The compiled cost of one operation; the fragments are shared by a document's operations."""

    _selection: _Selection
    _defaults: Variables
    _fragments: Mapping[str, _Selection]

    def requested(self, variables: Variables) -> int:
        """Return the most objects that the answer may hold with these variables.

        The variables need not have been coerced: what cannot be read counts as its default.
        """
        return self._evaluate(variables) if self._constant is None else self._constant

    @cached_property
    def _constant(self) -> int | None:
        """The cost where no variable matters to it; those of most operations do not."""
        selections = (self._selection, *self._fragments.values())
        if any(each.has_variables for each in selections):
            return None
        return self._evaluate({})

    def _evaluate(self, variables: Variables) -> int:
        evaluation = _Evaluation({**self._defaults, **variables})
        for name, fragment in self._fragments.items():
            evaluation.fragments[name] = evaluation.sum_selection(fragment)
        return min(sum(evaluation.sum_selection(self._selection)), LARGEST_COST)


def compile_costs(
    schema: GraphQLSchema, document: DocumentNode, hints: ListHints
) -> list[OperationCost]:
    """Compile the cost of each operation of a valid document, in their order."""
    compiler = _Compiler(schema, hints)
    fragments = {
        definition.name.value: compiler.compile(
            schema.type_map[definition.type_condition.name.value], definition.selection_set
        )
        for definition in document.definitions
        if isinstance(definition, FragmentDefinitionNode)
    }
    order = dependency_order({n: list(_all_spreads(s)) for n, s in fragments.items()})
    ordered = {name: fragments[name] for name in order}
    return [
        OperationCost(
            compiler.compile(schema.get_root_type(definition.operation), definition.selection_set),
            _variable_defaults(definition),
            ordered,
        )
        for definition in document.definitions
        if isinstance(definition, OperationDefinitionNode)
    ]


@dataclass(frozen=True, slots=True)
class _Compiler:
    schema: GraphQLSchema
    hints: ListHints

    def compile(self, parent: GraphQLNamedType | None, selections: SelectionSetNode) -> _Selection:
        """Compile a selection set of a type."""
        compiled = _Selection()
        self._collect(parent, selections, compiled)
        return compiled

    def _collect(
        self, parent: GraphQLNamedType | None, selections: SelectionSetNode, into: _Selection
    ) -> None:
        for node in selections.selections:
            if isinstance(node, FragmentSpreadNode):
                into.spreads.append(node.name.value)
            elif isinstance(node, InlineFragmentNode):
                condition = node.type_condition
                inner = self.schema.type_map[condition.name.value] if condition else parent
                self._collect(inner, node.selection_set, into)
            elif isinstance(node, FieldNode) and node.selection_set is not None:
                compiled = self._compile_field(parent, node, node.selection_set)
                if compiled is not None:
                    per_edge = node.name.value in _PER_EDGE
                    (into.per_edge if per_edge else into.once).append(compiled)

    def _compile_field(
        self, parent: GraphQLNamedType | None, node: FieldNode, selections: SelectionSetNode
    ) -> _Field | None:
        if not isinstance(parent, GraphQLObjectType | GraphQLInterfaceType):
            return None
        definition = parent.fields.get(node.name.value)
        if definition is None or not is_composite_type(get_named_type(definition.type)):
            return None  # introspection is free
        arguments = {a.name.value: _read_argument(a.value) for a in node.arguments or ()}
        sizes = [name for name in ("first", "last") if name in definition.args]
        return _Field(
            repeat=self._repeat(parent.name, node.name.value, definition, arguments),
            page=tuple(arguments.get(name) for name in sizes),
            inside=self.compile(get_named_type(definition.type), selections),
        )

    def _repeat(
        self,
        parent: str,
        name: str,
        definition: GraphQLField,
        arguments: Mapping[str, _Argument],
    ) -> _Argument:
        if not is_list_type(get_nullable_type(definition.type)):
            return 1
        for argument, value in arguments.items():
            declared = definition.args[argument].type
            if value is not None and is_list_type(get_nullable_type(declared)):
                return value
        return self.hints.get((parent, name), 1)


@dataclass(slots=True)
class _Evaluation:
    """One request's evaluation: its variables, and the sums of the fragments so far.

    A sum is a pair: the objects that occur once, and those that occur once per edge. So a fragment
    on a connection is summed once, and multiplied by the page size wherever it is spread.
    """

    variables: Variables
    fragments: dict[str, tuple[int, int]] = field(default_factory=dict)

    def sum_selection(self, selection: _Selection) -> tuple[int, int]:
        once = sum(map(self._sum_field, selection.once))
        per_edge = sum(map(self._sum_field, selection.per_edge))
        for name in selection.spreads:
            inner = self.fragments[name]
            once += inner[0]
            per_edge += inner[1]
        # Capped at every level, the numbers stay small whatever is nested.
        return min(once, LARGEST_COST), min(per_edge, LARGEST_COST)

    def _sum_field(self, compiled: _Field) -> int:
        once, per_edge = self.sum_selection(compiled.inside)
        page = self._page_size(compiled.page) if compiled.page else 1
        return self._length(compiled.repeat) * (1 + once + page * per_edge)

    def _page_size(self, sizes: Iterable[_Argument]) -> int:
        given = [size for size in map(self._integer, sizes) if size is not None]
        return max(given, default=DEFAULT_PAGE_SIZE)

    def _integer(self, argument: _Argument) -> int | None:
        value = self._value(argument)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        # Out of range is the resolver's error; here it must only not be cheap, nor endless.
        return int(max(0, min(value, MAX_PAGE_SIZE)))

    def _length(self, argument: _Argument) -> int:
        if isinstance(argument, int):
            return argument
        value = self._value(argument)
        return len(value) if isinstance(value, list) else 1

    def _value(self, argument: _Argument) -> Any:
        if isinstance(argument, _Variable):
            return self.variables.get(argument.name)
        return argument


def _read_argument(node: ValueNode) -> _Argument:
    if isinstance(node, VariableNode):
        return _Variable(node.name.value)
    if isinstance(node, IntValueNode):
        return int(node.value[:18])
    if isinstance(node, ListValueNode):
        return [None] * len(node.values)
    return None


def _variable_defaults(operation: OperationDefinitionNode) -> Variables:
    return {
        definition.variable.name.value: value_from_ast_untyped(definition.default_value)
        for definition in operation.variable_definitions or ()
        if definition.default_value is not None
    }


def _all_spreads(selection: _Selection) -> Iterator[str]:
    yield from selection.spreads
    for compiled in (*selection.once, *selection.per_edge):
        yield from _all_spreads(compiled.inside)
