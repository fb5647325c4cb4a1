"""Plans: how large they are, and when their functions are generated."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator
from random import Random

import pytest
from graphql import parse
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from pith_graph.gql.execution.codegen import MOST_NESTED
from pith_graph.gql.execution.compiling import compile_operation
from pith_graph.gql.execution.fields import NotCompiledError
from pith_graph.gql.execution.plan import (
    OBJECTS_BEFORE_GENERATING,
    ObjectPlan,
    OperationPlan,
)
from tests.gql.execution import toy
from tests.gql.execution.operations import SCALARS, Operation, Writer

SCHEMA = toy.build_schema()


def built(operation: Operation) -> StrawberryGraphQLCoreExecutionContext:
    executor = StrawberryGraphQLCoreExecutionContext.build(
        toy.core_schema(),
        parse(operation.text, experimental_fragment_arguments=True),
        raw_variable_values=operation.variables,
        operation_extensions=None,
    )
    assert isinstance(executor, StrawberryGraphQLCoreExecutionContext), executor
    return executor


def compiled(operation: Operation) -> OperationPlan:
    return compile_operation(built(operation), SCHEMA)


def objects(plan: ObjectPlan) -> Iterator[ObjectPlan]:
    yield plan
    for one in (*plan.inline, *plan.columns):
        for below in one.selection.values():
            yield from objects(below)


@pytest.mark.parametrize("fields", [1, 10, 100])
def test_a_plan_holds_no_more_than_its_size_says(fields):
    random = Random(fields)
    pools = {**SCALARS, **toy.POOLS}
    executor = built(Writer(toy.core_schema(), pools, random, fields).operation(5))
    compile_operation(executor, SCHEMA)  # what is made once for all plans
    gc.collect()
    tracemalloc.start()
    plan = compile_operation(executor, SCHEMA)
    for each in objects(plan.root):
        assert each.build_for(OBJECTS_BEFORE_GENERATING) is not None
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held / 10 < plan.size
    assert held < plan.size


def test_a_function_is_generated_when_enough_objects_were_met():
    plan = compiled(Operation("{ leafies { text } }", {}))
    (field,) = plan.root.columns
    below = field.selection["Leafy"]
    assert below.build_for(OBJECTS_BEFORE_GENERATING - 1) is None
    build = below.build_for(1)
    assert build is not None
    assert below.build_for(1) is build


def test_objects_that_are_attributes_are_read_inline_up_to_a_depth():
    deep = "leafy { number " * 12 + "}" * 12
    plan = compiled(Operation("{ leafies { " + deep + " } }", {}))
    (field,) = plan.root.columns
    level = field.selection["Leafy"]
    columns = sum(len(each.columns) for each in objects(level))
    assert columns == 13 - MOST_NESTED
    assert level.build_for(10**6) is not None


def test_a_fragment_with_variables_is_left_to_graphql_core():
    text = "{ leafies { ...F(of: 1) } } fragment F($of: Int) on Leafy { text }"
    with pytest.raises(NotCompiledError, match="a fragment has variables"):
        compiled(Operation(text, {}))
