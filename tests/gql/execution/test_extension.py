"""What is compiled, what is left to graphql-core and why, and what is kept for the next time."""

# mypy: disable-error-code="no-any-return, untyped-decorator"
# Resolvers return what the test makes, and Strawberry types some decorators as Any.

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import strawberry
from strawberry.directive import DirectiveLocation, DirectiveValue
from strawberry.extensions import FieldExtension, SchemaExtension
from strawberry.permission import BasePermission
from strawberry.schema.config import StrawberryConfig
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext
from strawberry.types import ExecutionResult

from pith_graph.gql.execution.executing import LaidOut
from pith_graph.gql.execution.extension import COMPILED, CompiledExecution
from pith_graph.gql.execution.plan import OperationPlan


class Allowed(BasePermission):
    def has_permission(self, *_: Any, **__: Any) -> bool:
        return True


class Doubled(FieldExtension):
    def resolve(self, next_: Any, source: Any, info: Any, **arguments: Any) -> Any:
        return next_(source, info, **arguments) * 2


@strawberry.type
class Query:
    @strawberry.field
    def text(self, of: str = "a", times: int = 1) -> str:
        return of * times

    @strawberry.field(permission_classes=[Allowed])
    def guarded(self) -> str:
        return "b"

    @strawberry.field(extensions=[Doubled()])
    def doubled(self) -> str:
        return "c"


@strawberry.type
class Mutation:
    @strawberry.field
    def change(self) -> int:
        return 1


@strawberry.directive(locations=[DirectiveLocation.FIELD])
def loud(value: DirectiveValue[str]) -> str:
    return value.upper()


class Watching(SchemaExtension):
    def resolve(self, _next: Any, root: Any, info: Any, *args: Any, **kwargs: Any) -> Any:
        return _next(root, info, *args, **kwargs)


class OwnContext(StrawberryGraphQLCoreExecutionContext):
    pass


class Asked:
    """A schema that keeps its plans, and answers."""

    def __init__(self, *extensions: Any, **options: Any) -> None:
        self.plans: dict[Any, Any] = {}
        options = {"query": Query, "mutation": Mutation, **options}
        self.schema = strawberry.Schema(
            extensions=[lambda: CompiledExecution(plans=lambda: self.plans), *extensions],
            **options,
        )

    async def __call__(self, query: str, **options: Any) -> ExecutionResult:
        return await self.schema.execute(query, **options)

    async def outcome(self, query: str, **options: Any) -> str:
        result = await self(query, **options)
        assert result.errors is None
        assert result.data
        assert result.extensions is not None
        return str(result.extensions["execution"])


async def test_a_query_is_compiled():
    assert await Asked().outcome("{ text }") == COMPILED


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("{ __schema { queryType { name } } }", "introspection"),
        ('{ text __type(name: "Query") { name } }', "introspection"),
        ("mutation { change }", "the operation is a mutation"),
        ("{ guarded }", "the field guarded has extensions"),
        ("{ text doubled }", "the field doubled has extensions"),
    ],
)
async def test_what_is_not_compiled_is_answered_by_graphql_core_with_the_reason(query, reason):
    assert await Asked().outcome(query) == reason


async def test_a_directive_of_ones_own_is_left_to_graphql_core():
    asked = Asked(directives=[loud])
    assert await asked.outcome("{ text @loud }") == "an extension takes part in resolving fields"
    assert (await asked("{ text @loud }")).data == {"text": "A"}


async def test_an_extension_that_resolves_fields_is_not_bypassed():
    reason = "an extension takes part in resolving fields"
    assert await Asked(Watching).outcome("{ text }") == reason


async def test_an_execution_context_of_ones_own_is_not_bypassed():
    reason = "the schema has an execution context class of its own"
    assert await Asked(execution_context_class=OwnContext).outcome("{ text }") == reason


async def test_incremental_delivery_is_left_to_graphql_core():
    config = StrawberryConfig(enable_experimental_incremental_execution=True)
    reason = "the schema has incremental delivery"
    assert await Asked(config=config).outcome("{ text }") == reason


async def test_a_condition_that_is_null_is_left_to_graphql_core():
    query = "query ($if: Boolean = true) { text @skip(if: $if) }"
    result = await Asked()(query, variable_values={"if": None})
    assert result.extensions == {"execution": "a condition of @skip or @include is null"}
    assert len(result.errors or ()) == 1


async def test_a_result_that_is_already_there_is_left_alone():
    class First(SchemaExtension):
        def on_execute(self) -> Iterator[None]:
            self.execution_context.result = ExecutionResult(data={"text": "first"}, errors=None)
            yield

    schema = strawberry.Schema(Query, extensions=[First, lambda: CompiledExecution(plans=dict)])
    result = await schema.execute("{ text }")
    assert result.data == {"text": "first"}
    assert not result.extensions


async def test_an_invalid_document_is_not_said_to_be_executed():
    result = await Asked()("{ unknown }")
    assert result.errors
    assert not result.extensions


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("query ($n: Int!) { text(times: $n) }", {}),
        ("query ($n: Int!) { text(times: $n) }", {"variable_values": {"n": "x"}}),
    ],
)
async def test_a_request_that_cannot_be_executed_has_the_errors_of_graphql_core(query, options):
    ours = await Asked()(query, **options)
    theirs = await strawberry.Schema(Query).execute(query, **options)
    assert ours.data is theirs.data is None
    assert [str(error) for error in ours.errors or ()] == [
        str(error) for error in theirs.errors or ()
    ]


async def test_a_plan_is_kept_for_each_operation_and_set_of_conditions():
    asked = Asked()
    query = """
        query A($if: Boolean!, $of: String!) { text(of: $of) @skip(if: $if) other: text }
        query B { text }
    """

    async def ask(name: str, **variables: Any) -> Any:
        return (await asked(query, operation_name=name, variable_values=variables)).data

    assert await ask("A", **{"if": True, "of": "x"}) == {"other": "a"}
    first = dict(asked.plans)
    assert sorted(type(each).__name__ for each in first.values()) == [
        LaidOut.__name__,
        OperationPlan.__name__,
    ]
    assert await ask("A", **{"if": True, "of": "y"}) == {"other": "a"}
    assert asked.plans == first
    assert await ask("A", **{"if": False, "of": "z"}) == {"text": "z", "other": "a"}
    assert len(asked.plans) == len(first) + 1
    assert await ask("B") == {"text": "a"}
    assert len(asked.plans) == len(first) + 3


async def test_that_an_operation_is_not_compiled_is_kept_too():
    asked = Asked()
    assert await asked.outcome("mutation { change }") != COMPILED
    kept = dict(asked.plans)
    assert await asked.outcome("mutation { change }") != COMPILED
    assert asked.plans == kept
