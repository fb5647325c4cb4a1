"""Levels: what is called how often, what is waited for together, and what errors say."""

# mypy: disable-error-code="no-any-return, untyped-decorator"
# Resolvers return what the test makes, and Strawberry types some decorators as Any.

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
import strawberry
from strawberry.types import ExecutionResult

from pith_graph.gql.execution import for_many
from pith_graph.gql.execution import plan as plans
from pith_graph.gql.execution.extension import COMPILED, CompiledExecution
from pith_graph.read.loader import Loader
from tests.gql.execution.toy import Silent


@dataclass
class Row:
    """A source."""

    name: str | None = "row"
    children: Any = ()
    log: list[str] = field(default_factory=list)


@pytest.fixture(autouse=True, params=[0, 10**9], ids=["generated", "field by field"])
def level(request, monkeypatch):
    monkeypatch.setattr(plans, "OBJECTS_BEFORE_GENERATING", request.param)


@strawberry.type
class Item:
    name: str
    children: list[Item]

    @strawberry.field
    def logged(parent: strawberry.Parent[Row]) -> int:  # noqa: N805
        parent.log.append("logged")
        return len(parent.log)

    @strawberry.field(graphql_type=int)
    @for_many
    async def size(parents: Sequence[Row], info: strawberry.Info, by: int = 1) -> list[Any]:  # noqa: N805
        info.context.append(len(parents))
        await asyncio.sleep(0)
        if by == 0:
            raise ZeroDivisionError("by nothing")
        if by < 0:
            return [1]
        return [KeyError("no name") if row.name is None else len(row.name) // by for row in parents]

    @strawberry.field(graphql_type=int)
    def promised(parent: strawberry.Parent[Row], info: strawberry.Info) -> Awaitable[int]:  # noqa: N805
        return info.context.load(parent.name)

    @strawberry.field
    async def loaded(parent: strawberry.Parent[Row], info: strawberry.Info) -> int:  # noqa: N805
        return await info.context.load(f"loaded {parent.name}")


@strawberry.type
class Query:
    @strawberry.field
    def items(root: Any) -> list[Item | None]:  # noqa: N805
        return root

    @strawberry.field
    def sure(root: Any) -> list[Item]:  # noqa: N805
        return root


CORE = Silent(Query)
COMPILED_SCHEMA = Silent(Query, extensions=[lambda: CompiledExecution(plans=dict)])


async def run(query: str, root: Any, context: Any = None) -> ExecutionResult:
    result = await COMPILED_SCHEMA.execute(query, root_value=root, context_value=context)
    assert result.extensions == {"execution": COMPILED}
    return result


def errors(result: ExecutionResult) -> list[tuple[list[str | int] | None, str]]:
    return [(error.path, error.message) for error in result.errors or ()]


async def test_an_object_in_several_places_is_built_once_and_its_error_stands_at_each():
    row = Row(name=None)
    result = await run("{ items { logged name } }", [row, Row(), row])
    assert result.data == {"items": [None, {"logged": 1, "name": "row"}, None]}
    message = "Cannot return null for non-nullable field Item.name."
    assert errors(result) == [(["items", index, "name"], message) for index in (0, 2)]
    assert row.log == ["logged"]


async def test_an_error_below_objects_that_share_a_child_stands_at_every_path():
    child = Row(name=None)
    rows = [Row(children=[child]), Row(children=(Row(), child))]
    result = await run("{ items { children { name } } }", [*rows, rows[0]])
    assert result.data == {"items": [None, None, None]}
    assert [path for path, _ in errors(result)] == [
        ["items", 0, "children", 0, "name"],
        ["items", 2, "children", 0, "name"],
        ["items", 1, "children", 1, "name"],
    ]


async def test_a_null_goes_up_to_the_root():
    result = await run("{ sure { name } }", [Row(), Row(name=None)])
    assert result.data is None
    assert [path for path, _ in errors(result)] == [["sure", 1, "name"]]


async def test_many_sources_are_resolved_by_one_call():
    calls: list[int] = []
    rows = [Row("a"), Row("bb"), Row("a")]
    result = await run("{ items { size } more: items { size(by: 2) } }", [*rows, rows[0]], calls)
    assert result.data == {
        "items": [{"size": 1}, {"size": 2}, {"size": 1}, {"size": 1}],
        "more": [{"size": 0}, {"size": 1}, {"size": 0}, {"size": 0}],
    }
    assert calls == [3, 3]


async def test_no_source_is_no_call():
    calls: list[int] = []
    result = await run("{ items { size children { size } } }", [Row(children=[])], calls)
    assert result.data == {"items": [{"size": 3, "children": []}]}
    assert calls == [1]


async def test_an_exception_for_one_source_is_its_error_alone():
    result = await run("{ items { size } }", [Row(), Row(name=None)], [])
    assert result.data == {"items": [{"size": 3}, None]}
    assert errors(result) == [(["items", 1, "size"], "'no name'")]


@pytest.mark.parametrize(
    ("by", "message"), [(0, "by nothing"), (-1, "1 values came for 2 sources")]
)
async def test_a_call_for_many_that_fails_is_the_error_of_each(by, message):
    result = await run("{ items { size(by: %d) } }" % by, [Row(), Row()], [])  # noqa: UP031  # braces
    assert result.data == {"items": [None, None]}
    assert errors(result) == [(["items", index, "size"], message) for index in (0, 1)]


async def test_what_the_fields_of_a_level_ask_of_one_loader_is_one_batch():
    batches: list[list[str]] = []

    async def batch(keys: Sequence[str]) -> dict[str, int]:
        batches.append(sorted(keys))
        await asyncio.sleep(0)
        return {key: len(key) for key in keys}

    loader: Loader[str, int] = Loader(batch, missing=0)
    rows = [Row("a", children=[Row("c")]), Row("b", children=[Row("d")])]
    query = "{ items { promised loaded other: promised children { loaded } } }"
    result = await run(query, rows, loader)
    assert result.errors is None
    assert batches == [["a", "b", "loaded a", "loaded b", "loaded c", "loaded d"]]


def broken() -> Iterator[Row]:
    yield Row()
    raise RuntimeError("broke off")


async def broken_later() -> AsyncIterator[Row]:
    yield Row()
    raise RuntimeError("broke off")


@pytest.mark.parametrize("make", [broken, broken_later])
async def test_a_list_that_breaks_off_is_an_error_of_the_list(make):
    query = "{ items { children { name } } }"
    ours = await run(query, [Row(children=make())])
    theirs = await CORE.execute(query, root_value=[Row(children=make())])
    assert ours.data == theirs.data == {"items": [None]}
    assert errors(ours) == errors(theirs) == [(["items", 0, "children"], "broke off")]


async def test_what_waits_in_a_list_that_breaks_off_is_not_left_behind():
    async def later() -> Row:
        await asyncio.sleep(0)
        return Row()

    def waiting() -> Iterator[Any]:
        yield later()
        raise RuntimeError("broke off")

    result = await run("{ items { children { name } } }", [Row(children=waiting())])
    assert errors(result) == [(["items", 0, "children"], "broke off")]


async def test_objects_of_which_nothing_is_selected_are_empty():
    result = await run("{ items { name @skip(if: true) } }", [Row(), Row()])
    assert result.data == {"items": [{}, {}]}
