"""The batching loader, and the trap that its futures avoid."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest
import strawberry
from aiodataloader import DataLoader
from strawberry.types import ExecutionResult

from pith_graph.read.loader import Loader

Load = Callable[[int], Awaitable[str]]


async def double(keys: Sequence[int]) -> dict[int, str]:
    return {key: str(2 * key) for key in keys}


async def double_late(keys: Sequence[int]) -> list[str]:
    await asyncio.sleep(0.02)
    return [str(2 * key) for key in keys]


@strawberry.type
class Branch:
    """A branch whose one field waits for the shared key while the other fails."""

    @strawberry.field
    async def value(self, info: strawberry.Info) -> str:
        load: Load = info.context
        return await load(1)

    @strawberry.field
    async def fails(self) -> str:
        await asyncio.sleep(0.01)
        raise ValueError("this one fails")


@strawberry.type
class Query:
    @strawberry.field
    def failing(self) -> Branch | None:
        return Branch()

    @strawberry.field
    def intact(self) -> Branch | None:
        return Branch()


async def ask_both_branches(load: Load) -> ExecutionResult:
    """Ask for one key in two branches, of which one fails while both wait."""
    query = "{ failing { value fails } intact { value } }"
    return await strawberry.Schema(Query).execute(query, context_value=load)


async def test_a_failing_sibling_takes_the_value_from_another_branch_with_a_plain_loader() -> None:
    plain: DataLoader[int, str] = DataLoader(double_late)
    try:
        result = await ask_both_branches(plain.load)
    except asyncio.CancelledError:
        return  # the whole request went down with it
    assert result.data != {"failing": None, "intact": {"value": "2"}}


async def test_a_failing_sibling_leaves_another_branch_its_value() -> None:
    async def batch(keys: Sequence[int]) -> dict[int, str]:
        return dict(zip(keys, await double_late(keys), strict=True))

    loader = Loader(batch, missing="")
    result = await ask_both_branches(loader.load)
    assert result.data == {"failing": None, "intact": {"value": "2"}}
    assert [error.path for error in result.errors or []] == [["failing", "fails"]]


async def test_a_cancelled_waiter_leaves_the_others_their_value() -> None:
    async def batch(keys: Sequence[int]) -> dict[int, str]:
        return dict(zip(keys, await double_late(keys), strict=True))

    loader = Loader(batch, missing="")
    first = asyncio.create_task(loader.load(1))
    second = asyncio.create_task(loader.load(1))
    await asyncio.sleep(0.01)
    first.cancel()
    assert await second == "2"


async def test_keys_of_one_tick_are_one_batch_and_equal_keys_are_asked_once() -> None:
    batches: list[list[int]] = []

    async def batch(keys: Sequence[int]) -> dict[int, str]:
        batches.append(list(keys))
        return await double(keys)

    loader = Loader(batch, missing="")
    values = await asyncio.gather(*(loader.load(key) for key in (3, 1, 3, 2)))
    assert values == ["6", "2", "6", "4"]
    assert await loader.load(1) == "2"
    assert batches == [[3, 1, 2]]


async def test_several_keys_are_loaded_together() -> None:
    batches: list[list[int]] = []

    async def batch(keys: Sequence[int]) -> dict[int, str]:
        batches.append(list(keys))
        return await double(keys)

    loader = Loader(batch, missing="")
    assert await loader.load_all([2, 1, 2]) == {2: "4", 1: "2"}
    assert await loader.load_all([]) == {}
    assert batches == [[2, 1]]


async def test_a_key_that_the_batch_leaves_out_has_the_missing_value() -> None:
    async def batch(keys: Sequence[int]) -> dict[int, str]:
        return {key: "even" for key in keys if key % 2 == 0}

    loader = Loader(batch, missing="odd")
    assert await loader.load_all([1, 2]) == {1: "odd", 2: "even"}


async def test_a_failing_batch_fails_each_of_its_keys_with_the_one_error() -> None:
    calls = 0

    async def batch(keys: Sequence[int]) -> dict[int, str]:
        nonlocal calls
        calls += 1
        raise LookupError(f"no {len(keys)} keys")

    loader = Loader(batch, missing="")
    errors = await asyncio.gather(loader.load(1), loader.load(2), return_exceptions=True)
    assert [str(error) for error in errors] == ["no 2 keys", "no 2 keys"]
    assert errors[0] is errors[1]
    assert calls == 1


async def test_a_primed_value_is_not_asked_for() -> None:
    async def batch(keys: Sequence[int]) -> dict[int, str]:
        return {key: pytest.fail("asked") for key in keys}

    loader = Loader(batch, missing="")
    loader.prime(1, "known")
    assert await loader.load(1) == "known"
