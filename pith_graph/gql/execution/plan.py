"""Compiling an operation once: fragments laid open, fields merged, each object type's fields told.

A plan holds for one operation and one set of values of the variables in ``@skip`` and ``@include``;
arguments that name variables are read when it runs. `run` executes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from inspect import iscoroutinefunction
from typing import Any, Final

from graphql import (
    FieldNode,
    GraphQLError,
    GraphQLField,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLOutputType,
    OperationType,
    get_named_type,
    get_nullable_type,
    is_abstract_type,
    is_leaf_type,
    is_non_null_type,
    is_object_type,
)
from graphql.execution import Executor
from graphql.execution.collect_fields import FieldDetails, collect_fields, collect_subfields
from strawberry import Schema
from strawberry.types.field import StrawberryField

from pith_graph.gql.execution.asked import Asked, find_asked
from pith_graph.gql.execution.codegen import (
    MOST_NESTED,
    Build,
    Column,
    Constant,
    Leaf,
    Leaves,
    Nested,
    Part,
    make_build,
    make_leaves,
)
from pith_graph.gql.execution.fields import (
    Attribute,
    Call,
    How,
    NotCompiledError,
    definition_of,
    describe,
)

_BYTES_PER_PLAN: Final = 8_192
_BYTES_PER_FIELD: Final = 2_560
"""Memory of a plan and of each of its fields, from above: measured with tracemalloc."""

OBJECTS_BEFORE_GENERATING: Final = 24
"""Objects of a selection set that are built field by field: to generate its function costs as much
as to build some 50 objects."""

_INTROSPECTION = frozenset({"__schema", "__type"})


@dataclass(frozen=True, slots=True, eq=False)
class FieldPlan:
    """One field of one object type, resolved for all objects of a level at once.

    Attributes:
        key: The response key.
        parent: The object type.
        type: What it returns.
        how: Where its value comes from.
        field: graphql-core's definition.
        definition: Strawberry's definition.
        details: The merged nodes in graphql-core's form, to collect what is selected of it.
        selection: The plan of each object type that it may return; empty for leaves.
        asked: What is selected below it, if its resolver is for many.
        waits: Whether something in it is likely to be waited for.
    """

    key: str
    parent: GraphQLObjectType
    type: GraphQLOutputType
    how: How
    field: GraphQLField
    definition: StrawberryField
    details: list[FieldDetails]
    selection: dict[str, ObjectPlan]
    asked: Asked | None
    waits: bool

    @property
    def field_name(self) -> str:
        """The field's name in the schema."""
        return self.nodes[0].name.value

    @property
    def nodes(self) -> list[FieldNode]:
        """The merged nodes."""
        return [each.node for each in self.details]

    @property
    def leaves(self) -> Leaves | None:
        """What serialises its values if it is a leaf."""
        inner = get_nullable_type(self.type)
        if not is_leaf_type(inner):
            return None
        return make_leaves(inner, required=is_non_null_type(self.type))


@dataclass(slots=True, eq=False)
class ObjectPlan:
    """What is selected of one object type.

    Attributes:
        type: The type.
        parts: What stands under each response key, in order.
        inline: The fields that ``build`` reads itself.
        columns: The fields whose values it is handed, in order.
        checked: The fields whose infos it is handed, in order.
    """

    type: GraphQLObjectType
    parts: dict[str, Part] = field(default_factory=dict)
    inline: list[FieldPlan] = field(default_factory=list)
    columns: list[FieldPlan] = field(default_factory=list)
    checked: list[FieldPlan] = field(default_factory=list)
    _build: Build | None = None
    _met: int = 0

    def build_for(self, count: int) -> Build | None:
        """Return what builds a level of so many objects; None while it is not worth generating.

        Most queries are executed once, and few of a union's types are met in them.
        """
        self._met += count
        if self._build is None and self._met >= OBJECTS_BEFORE_GENERATING:
            self._build = make_build(self.parts)
        return self._build

    @property
    def depth(self) -> int:
        """How many levels of objects are built inline, this one included."""
        return 1 + max(
            (each.selection[name].depth for each in self.inline for name in each.selection),
            default=0,
        )

    def fields(self) -> Iterator[FieldPlan]:
        """Yield all fields at and below this level."""
        for each in (*self.inline, *self.columns):
            yield each
            for below in each.selection.values():
                yield from below.fields()


@dataclass(frozen=True, slots=True)
class OperationPlan:
    """A compiled query.

    Attributes:
        root: What is selected of the query type.
        size: The bytes that it is taken to hold.
    """

    root: ObjectPlan
    size: int


def compile_operation(executor: Executor[Any], schema: Schema) -> OperationPlan:
    """Compile a validated query.

    Args:
        executor: The operation, its fragments and variables, as graphql-core would execute it.
        schema: The Strawberry schema.

    Raises:
        NotCompiledError: The operation is to be left to graphql-core.
    """
    operation, query_type = executor.operation, executor.schema.query_type
    if operation.operation is not OperationType.QUERY or query_type is None:
        raise NotCompiledError(f"the operation is a {operation.operation.value}")
    if any(each.variable_signatures for each in executor.fragments.values()):
        raise NotCompiledError("a fragment has variables")
    compiler = _Compiler(executor, schema)
    try:
        collected = collect_fields(
            executor.schema,
            executor.fragments,
            executor.variable_values,
            query_type,
            operation,
        )
        root = compiler.compile_object(query_type, collected.grouped_field_set)
    except GraphQLError as error:
        # A condition that is null is an error where it stands, which is not the root.
        raise NotCompiledError("a condition of @skip or @include is null") from error
    except RecursionError as error:
        raise NotCompiledError("the selections are nested too deeply") from error
    count = sum(1 for _ in root.fields())
    return OperationPlan(root, _BYTES_PER_PLAN + _BYTES_PER_FIELD * count)


class _Compiler:
    def __init__(self, executor: Executor[Any], schema: Schema) -> None:
        self._executor = executor
        self._schema = schema

    def compile_object(
        self, type_: GraphQLObjectType, grouped: Mapping[str, list[FieldDetails]]
    ) -> ObjectPlan:
        """Compile what is selected of an object type."""
        plan = ObjectPlan(type_)
        for key, details in grouped.items():
            name = details[0].node.name.value
            if name in _INTROSPECTION:
                raise NotCompiledError("introspection")
            if name == "__typename":
                plan.parts[key] = Constant(type_.name)
            else:
                self._add(plan, self._field(type_, key, details))
        return plan

    def _add(self, plan: ObjectPlan, one: FieldPlan) -> None:
        part = _inline_part(one)
        if part is None:
            plan.parts[one.key] = Column()
            plan.columns.append(one)
            return
        plan.parts[one.key] = part
        plan.inline.append(one)
        if isinstance(part, Nested):
            if part.is_type_of is not None:
                plan.checked.append(one)
            for below in one.selection.values():
                plan.checked += below.checked

    def _field(self, parent: GraphQLObjectType, key: str, details: list[FieldDetails]) -> FieldPlan:
        defined = parent.fields[details[0].node.name.value]
        definition = definition_of(defined)
        how = describe(definition, self._schema)
        selection = self._selection(get_named_type(defined.type), details)
        below = any(
            each.waits for plan in selection.values() for each in (*plan.inline, *plan.columns)
        )
        return FieldPlan(
            key=key,
            parent=parent,
            type=defined.type,
            how=how,
            field=defined,
            definition=definition,
            details=details,
            selection=selection,
            asked=self._asked(how, details),
            waits=below or (isinstance(how, Call) and (how.is_async or bool(selection))),
        )

    def _asked(self, how: How, details: list[FieldDetails]) -> Asked | None:
        if not isinstance(how, Call) or how.many is None:
            return None
        executor = self._executor
        nodes = [each.node for each in details]
        return find_asked(nodes, executor.fragment_definitions, executor.variable_values.coerced)

    def _selection(
        self, named: GraphQLNamedType, details: list[FieldDetails]
    ) -> dict[str, ObjectPlan]:
        executor = self._executor
        if is_abstract_type(named):
            possible = list(executor.schema.get_possible_types(named))
        else:
            possible = [named] if isinstance(named, GraphQLObjectType) else []
        return {
            type_.name: self.compile_object(
                type_,
                collect_subfields(
                    executor.schema,
                    executor.fragments,
                    executor.variable_values,
                    executor.operation,
                    type_,
                    details,
                ).grouped_field_set,
            )
            for type_ in possible
        }


def _inline_part(one: FieldPlan) -> Part | None:
    """Return how a generated function reads a field; None if it cannot."""
    if not isinstance(one.how, Attribute):
        return None
    inner = get_nullable_type(one.type)
    required = is_non_null_type(one.type)
    if is_leaf_type(inner):
        return Leaf(one.how.name, inner, required)
    if not is_object_type(inner):
        return None
    (below,) = one.selection.values()
    is_type_of = inner.is_type_of
    if below.columns or below.depth >= MOST_NESTED or iscoroutinefunction(is_type_of):
        return None
    return Nested(one.how.name, required, is_type_of, below.parts)
