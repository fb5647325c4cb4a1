"""Compiling an operation once: fragments laid open, fields merged, each object type's fields told.

`extension` asks for a plan; what cannot be compiled is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from inspect import iscoroutinefunction
from typing import Any, Final

from graphql import (
    GraphQLError,
    GraphQLNamedType,
    GraphQLObjectType,
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

from pith_graph.gql.execution.arguments import Arguments
from pith_graph.gql.execution.asked import Asked, find_asked
from pith_graph.gql.execution.codegen import (
    MOST_NESTED,
    Column,
    Constant,
    Leaf,
    Nested,
    Part,
)
from pith_graph.gql.execution.fields import (
    Attribute,
    Call,
    How,
    NotCompiledError,
    definition_of,
    describe,
)
from pith_graph.gql.execution.plan import FieldPlan, ObjectPlan, OperationPlan

_BYTES_PER_PLAN: Final = 8_192
_BYTES_PER_FIELD: Final = 2_560
"""Memory of a plan and of each of its fields, from above: measured with tracemalloc."""

_INTROSPECTION = frozenset({"__schema", "__type"})


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
        node = details[0].node
        arguments = Arguments(defined, definition, node, self._schema) if defined.args else None
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
            arguments=arguments,
            details=details,
            selection=selection,
            asked=self._asked(how, details),
            waits=below or (isinstance(how, Call) and (how.is_async or bool(selection))),
            waits_below=below,
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
