"""Functions for many sources under graphql-core: one call for what is asked in one turn."""

# mypy: disable-error-code="no-any-return, untyped-decorator"
# Resolvers return what the test makes, and Strawberry types some decorators as Any.

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
import strawberry
from strawberry.types import ExecutionResult

from pith_graph.gql.execution import CompiledExecution, for_many
from pith_graph.gql.execution.batches import Batches
from tests.gql.execution.toy import Silent


@dataclass
class Calls:
    """What was called."""

    counts: list[int] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    begun: asyncio.Event = field(default_factory=asyncio.Event)


@strawberry.type
class Item:
    @strawberry.field(graphql_type=int)
    @for_many
    async def size(texts: Sequence[str], info: strawberry.Info, by: int = 1) -> list[Any]:  # noqa: N805
        info.context.counts.append(len(texts))
        await asyncio.sleep(0)
        if by == 0:
            raise ZeroDivisionError("by nothing")
        if by < 0:
            return [1]
        return [len(text) // by if text else LookupError("no text") for text in texts]

    @strawberry.field(graphql_type=int)
    @for_many
    async def slow(texts: Sequence[str], info: strawberry.Info) -> list[int]:  # noqa: N805
        info.context.begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            info.context.ended.append("slow")
        return [0 for _ in texts]

    @strawberry.field(graphql_type=int)
    @for_many
    async def cancelled(_texts: Sequence[str], _info: strawberry.Info) -> list[int]:  # noqa: N805
        raise asyncio.CancelledError


@strawberry.type
class Query:
    @strawberry.field
    def items(root: Any) -> list[Item | None]:  # noqa: N805
        return root


SCHEMA = Silent(Query, extensions=[lambda: CompiledExecution(plans=dict, compiles=False)])
BARE = Silent(Query)


async def run(query: str, root: Any, calls: Calls, schema: Any = SCHEMA) -> ExecutionResult:
    return await schema.execute(query, root_value=root, context_value=calls)


async def test_one_call_is_for_all_objects_of_a_field():
    calls = Calls()
    query = "query ($n: Int! = 2) { items { size a: size(by: $n) b: size(by: 2) size } }"
    result = await run(query, ["a", "bb", "bb"], calls)
    assert result.errors is None
    assert result.data == {
        "items": [
            {"size": 1, "a": 0, "b": 0},
            {"size": 2, "a": 1, "b": 1},
            {"size": 2, "a": 1, "b": 1},
        ]
    }
    assert calls.counts == [2, 2, 2]


async def test_without_the_extension_each_object_is_a_call():
    calls = Calls()
    result = await run("{ items { size } }", ["a", ""], calls, BARE)
    assert result.data == {"items": [{"size": 1}, None]}
    assert calls.counts == [1, 1]


@pytest.mark.parametrize(
    ("by", "messages"),
    [(1, ["no text"]), (0, ["by nothing"] * 2), (-1, ["1 values came for 2 sources"] * 2)],
)
async def test_failures_are_the_errors_of_their_objects(by, messages):
    result = await run("{ items { size(by: %d) } }" % by, ["a", ""], Calls())  # noqa: UP031  # braces
    assert [error.message for error in result.errors or ()] == messages


async def test_a_cancelled_execution_cancels_its_batches():
    calls = Calls()
    task = asyncio.ensure_future(run("{ items { slow } }", ["a"], calls))
    await calls.begun.wait()
    task.cancel()
    await asyncio.wait([task])
    await asyncio.sleep(0)
    assert task.cancelled()
    assert calls.ended == ["slow"]


async def test_a_call_that_is_cancelled_cancels_who_waits_for_it():
    with pytest.raises(asyncio.CancelledError):
        async with asyncio.timeout(20):
            await run("{ items { cancelled } }", ["a"], Calls())


async def test_what_nobody_waits_for_is_not_called():
    calls = Calls()
    task = asyncio.ensure_future(run("{ items { slow } }", ["a"], calls))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    for _ in range(5):
        await asyncio.sleep(0)
    assert not calls.begun.is_set()


RAW = SimpleNamespace(field_nodes=[], fragments={})
INFO: Any = SimpleNamespace(_raw_info=RAW, variable_values={})


async def test_one_field_with_other_arguments_is_another_call():
    calls: list[tuple[list[str], dict[str, Any]]] = []

    async def many(texts: Any, _info: Any, _asked: Any, arguments: Any) -> list[str]:
        calls.append((texts, arguments))
        return [f"{text}{arguments}" for text in texts]

    batches = Batches()
    asked = [("a", {"n": 1}), ("b", {"n": 2}), ("c", {"n": 1})]
    values = [batches.ask(many, text, INFO, arguments) for text, arguments in asked]
    assert await asyncio.gather(*values) == [f"{text}{arguments}" for text, arguments in asked]
    assert calls == [(["a", "c"], {"n": 1}), (["b"], {"n": 2})]


async def test_one_that_waits_no_longer_takes_nothing_from_the_others():
    begun = asyncio.Event()

    async def many(texts: Any, *_: Any) -> list[str]:
        begun.set()
        await asyncio.sleep(0)
        return [text * 2 for text in texts]

    batches = Batches()
    one, other = (batches.ask(many, text, INFO, {}) for text in "ab")
    await begun.wait()
    one.cancel()
    async with asyncio.timeout(20):
        assert await other == "bb"
        assert await batches.ask(many, "c", INFO, {}) == "cc"


async def test_batches_end_with_the_execution():
    calls = Calls()
    await run("{ items { size } }", ["a", "b"], calls)
    await run("{ items { size } }", ["a", "b"], calls, BARE)
    assert calls.counts == [2, 1, 1]
