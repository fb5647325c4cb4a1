"""The service: one parse, one validation, coercion errors, time-outs, and released contexts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, NewType

import graphql
import pytest
import strawberry
from strawberry.extensions import SchemaExtension
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionResult, Info

from pith_graph.errors import StoreError
from pith_graph.gql.errors import code_of, format_errors
from pith_graph.gql.execution import CompiledExecution
from pith_graph.gql.execution.executing import Refusal
from pith_graph.gql.requests import Answer, GraphQLRequest
from pith_graph.gql.service import GraphQLService, ServedSchema, current_entry, current_plans
from pith_graph.settings import Settings

Even = NewType("Even", int)


def parse_even(value: int) -> int:
    if value % 2:
        raise ValueError(f"{value} is odd")
    return value


@dataclass
class Context:
    statements: int = 0
    identifiers: list[dict[str, Any]] = field(default_factory=list)
    log: list[str] = field(default_factory=list)


@strawberry.type
class Query:
    @strawberry.field
    def size(self, first: int = 20, ids: list[int] | None = None) -> int:
        return first + len(ids or ())

    @strawberry.field
    def half(self, of: Even) -> int:
        return of // 2

    @strawberry.field
    def bad_result(self) -> int:
        return "no number"  # type: ignore[return-value]

    @strawberry.field
    def no_result(self) -> int:
        return None  # type: ignore[return-value]

    @strawberry.field
    async def slow(self, info: Info) -> int:
        info.context.statements += 1
        await asyncio.sleep(60)
        return 1


CONFIG = StrawberryConfig(scalar_map={Even: strawberry.scalar(name="Even", parse_value=parse_even)})


def build(
    *extensions: type[SchemaExtension] | Callable[[], SchemaExtension],
    context: Context | None = None,
    opening: Any = None,
) -> GraphQLService:
    shared = context or Context()

    @asynccontextmanager
    async def open_context() -> AsyncIterator[Context]:
        if opening:
            raise opening
        try:
            yield shared
        finally:
            await asyncio.sleep(0)
            shared.log.append("released")

    schema = ServedSchema(Query, extensions=extensions, config=CONFIG)
    return GraphQLService(schema, Settings(request_timeout_seconds=0.05), open_context)


async def run(service: GraphQLService, query: str, **variables: Any) -> Answer:
    prepared = service.prepare(GraphQLRequest(query=query, variables=variables))
    assert prepared.errors == ()
    return await service.execute(prepared)


def codes(answer: Answer) -> list[str]:
    return [code_of(error).value for error in answer.errors]


@pytest.mark.parametrize(
    ("query", "variables"),
    [
        ("query ($n: Int!) { size(first: $n) }", {}),
        ("query ($n: Int!) { size(first: $n) }", {"n": None}),
        ("query ($n: Int!) { size(first: $n) }", {"n": "x"}),
        ("query ($n: [Int!]) { size(ids: $n) }", {"n": [1, None]}),
        ("query ($n: Even!) { half(of: $n) }", {"n": 3}),
    ],
)
async def test_a_variable_that_cannot_be_coerced_is_a_request_error(query, variables):
    answer = await run(build(), query, **variables)
    assert not answer.executed
    assert codes(answer) == ["BAD_USER_INPUT"]


async def test_an_argument_that_cannot_be_coerced_is_the_clients_error_at_its_field():
    answer = await run(build(), "query ($n: Int = 1) { size(first: $n) }", n=None)
    assert answer.executed
    assert codes(answer) == ["BAD_USER_INPUT"]


@pytest.mark.parametrize("query", ["{ badResult }", "{ noResult }"])
async def test_a_result_that_does_not_fit_is_our_error(query, caplog):
    answer = await run(build(), query)
    assert answer.executed
    assert codes(answer) == ["INTERNAL_SERVER_ERROR"]
    assert caplog.records == []
    format_errors(answer.errors, request_id="r")
    assert len(caplog.records) == 1


async def test_a_document_is_parsed_and_validated_once_for_many_executions(monkeypatch):
    service = build()
    prepared = service.prepare(GraphQLRequest(query="{ size }"))

    def forbidden(*_args: object, **_kwargs: object) -> None:
        pytest.fail("parsed or validated again")

    monkeypatch.setattr("strawberry.schema.schema.parse", forbidden)
    monkeypatch.setattr("strawberry.schema.schema.validate", forbidden)
    monkeypatch.setattr("pith_graph.gql.documents.parse", forbidden)
    monkeypatch.setattr("pith_graph.gql.documents.validate_document", forbidden)
    again = service.prepare(GraphQLRequest(query="{ size }"))
    assert again.entry is prepared.entry
    assert (await service.execute(again)).data == {"size": 20}


async def test_what_is_compiled_is_executed_without_strawberry(monkeypatch):
    service = build(lambda: CompiledExecution(plans=current_plans))

    async def forbidden(*_args: object, **_kwargs: object) -> None:
        pytest.fail("Strawberry executed it")

    monkeypatch.setattr(ServedSchema, "execute", forbidden)
    answer = await run(service, "query ($n: Int!) { size(first: $n) half(of: 4) }", n=3)
    assert (answer.data, answer.errors) == ({"size": 3, "half": 2}, ())
    assert answer.execution == "compiled"
    failed = await run(service, "query ($n: Int!) { size(first: $n) badResult }", n=3)
    assert (failed.executed, codes(failed)) == (True, ["INTERNAL_SERVER_ERROR"])
    refused = await run(service, "query ($n: Int!) { size(first: $n) }", n="x")
    assert (refused.executed, codes(refused)) == (False, ["BAD_USER_INPUT"])


@pytest.mark.parametrize("compiles", [True, False])
async def test_what_is_not_compiled_is_executed_by_strawberry_with_the_reason(compiles):
    service = build(lambda: CompiledExecution(plans=current_plans, compiles=compiles))
    for _ in range(2):
        answer = await run(service, "{ size __schema { queryType { name } } }")
        assert answer.data == {"size": 20, "__schema": {"queryType": {"name": "Query"}}}
    reason = "introspection" if compiles else "compiled execution is switched off"
    assert answer.execution == reason
    assert service.fallbacks.counts == {reason: 2}


async def test_an_extension_of_ones_own_takes_part_in_what_is_compiled():
    seen = []

    class Watching(SchemaExtension):
        def on_operation(self) -> Iterator[None]:
            seen.append(self.execution_context.operation_name)
            yield

    service = build(lambda: CompiledExecution(plans=current_plans), Watching)
    assert (await run(service, "query Named { size }")).execution == "compiled"
    assert seen == ["Named"]


async def test_the_named_operation_is_run():
    service = build()
    request = GraphQLRequest(query="query A { a: size } query B { b: size }", operation_name="B")
    assert (await service.execute(service.prepare(request))).data == {"b": 20}


async def test_a_time_out_is_told_and_the_context_released():
    context = Context()
    answer = await run(build(context=context), "{ slow }")
    assert not answer.executed
    assert codes(answer) == ["TIMEOUT"]
    assert "0.05 s" in answer.errors[0].message
    assert answer.statements == 1
    assert context.log == ["released"]


async def test_a_cancelled_execution_releases_its_context():
    context = Context()
    task = asyncio.create_task(run(build(context=context), "{ slow }"))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert context.log == ["released"]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (StoreError("away"), "SERVICE_UNAVAILABLE"),
        (TimeoutError("driver"), "TIMEOUT"),
        (OSError("x"), "INTERNAL_SERVER_ERROR"),
    ],
)
async def test_a_context_that_cannot_be_opened_is_an_answer(error, code):
    answer = await run(build(opening=error), "{ size }")
    assert not answer.executed
    assert codes(answer) == [code]


async def test_an_extension_may_execute_by_itself_with_the_cached_entry():
    class Shortcut(SchemaExtension):
        def on_execute(self) -> Iterator[None]:
            plans = current_entry().plans
            plans[len(plans)] = Refusal("none")
            self.execution_context.result = ExecutionResult(data={"n": len(plans)}, errors=None)
            yield

        def get_results(self) -> dict[str, Any]:
            return {"shortcut": True}

    service = build(Shortcut)
    assert (await run(service, "{ size }")).data == {"n": 1}
    answer = await run(service, "{ size }")
    assert answer.data == {"n": 2}
    assert answer.extensions == {"shortcut": True}


async def test_operations_that_are_not_compiled_are_counted():
    class Compiled(CompiledExecution):
        def __init__(self) -> None:
            super().__init__(plans=current_plans)

    service = build(Compiled)
    for query in ("{ size }", "{ size __schema { queryType { name } } }"):
        assert (await run(service, query)).errors == ()
    assert service.fallbacks.counts == {"introspection": 1}


async def test_an_extension_that_fails_is_a_failed_request():
    class Broken(SchemaExtension):
        def on_execute(self) -> Iterator[None]:
            raise ZeroDivisionError
            yield

    answer = await run(build(Broken), "{ size }")
    assert not answer.executed
    assert codes(answer) == ["INTERNAL_SERVER_ERROR"]


def test_there_is_no_current_entry_outside_of_an_execution():
    with pytest.raises(LookupError):
        current_entry()


async def test_the_schema_still_executes_by_itself():
    result = await ServedSchema(Query, config=CONFIG).execute("{ size }")
    assert result.data == {"size": 20}


def test_a_subscription_is_refused():
    @strawberry.type
    class Subscription:
        @strawberry.subscription
        async def ticks(self) -> AsyncIterator[int]:
            yield 1

    schema = ServedSchema(Query, subscription=Subscription, config=CONFIG)
    service = GraphQLService(schema, Settings(), asynccontextmanager(no_context))
    prepared = service.prepare(GraphQLRequest(query="subscription { ticks }"))
    assert prepared.kind is graphql.OperationType.SUBSCRIPTION
    assert code_of(prepared.errors[0]) == "OPERATION_RESOLUTION_FAILURE"


async def no_context() -> AsyncIterator[Context]:
    yield Context()
