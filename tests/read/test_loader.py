"""The batching loader, and the trap that its futures avoid."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import pytest
import strawberry
from aiodataloader import DataLoader
from strawberry.types import ExecutionResult

from pith_graph.read.loader import Loader

Load = Callable[[int], Awaitable[str]]


async def double(keys: Sequence[int]) -> dict[int, str]:
    return {key: str(2 * key) for key in keys}


async def long_after(happened: asyncio.Event) -> None:
    """Wait for something, and then until all that follows from it has followed."""
    await happened.wait()
    for _ in range(100):
        await asyncio.sleep(0)


@dataclass
class Branches:
    """Two branches that wait for one key, of which one fails while both wait."""

    load: Load = field(init=False)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    failed: asyncio.Event = field(default_factory=asyncio.Event)

    async def batch(self, keys: Sequence[int]) -> list[str]:
        self.asked.set()
        await long_after(self.failed)
        return [str(2 * key) for key in keys]

    async def mapped(self, keys: Sequence[int]) -> dict[int, str]:
        return dict(zip(keys, await self.batch(keys), strict=True))


@strawberry.type
class Branch:
    @strawberry.field
    async def value(self, info: strawberry.Info) -> str:
        branches: Branches = info.context
        return await branches.load(1)

    @strawberry.field
    async def fails(self, info: strawberry.Info) -> str:
        branches: Branches = info.context
        await branches.asked.wait()
        branches.failed.set()
        raise ValueError("this one fails")


@strawberry.type
class Query:
    @strawberry.field
    def failing(self) -> Branch | None:
        return Branch()

    @strawberry.field
    def intact(self) -> Branch | None:
        return Branch()


async def ask(branches: Branches) -> ExecutionResult:
    query = "{ failing { value fails } intact { value } }"
    return await strawberry.Schema(Query).execute(query, context_value=branches)


async def test_a_failing_sibling_takes_the_value_from_another_branch_with_a_plain_loader() -> None:
    branches = Branches()
    branches.load = DataLoader(branches.batch).load
    try:
        result = await ask(branches)
    except asyncio.CancelledError:
        return  # the whole request went down with it
    assert result.data != {"failing": None, "intact": {"value": "2"}}


async def test_a_failing_sibling_leaves_another_branch_its_value() -> None:
    branches = Branches()
    branches.load = Loader(branches.mapped, missing="").load
    result = await ask(branches)
    assert result.data == {"failing": None, "intact": {"value": "2"}}
    assert [error.path for error in result.errors or []] == [["failing", "fails"]]


async def test_a_cancelled_waiter_leaves_the_others_their_value() -> None:
    branches = Branches()
    loader = Loader(branches.mapped, missing="")
    first = asyncio.create_task(loader.load(1))
    second = asyncio.create_task(loader.load(1))
    await branches.asked.wait()
    first.cancel()
    branches.failed.set()
    assert await second == "2"


async def test_a_cancelled_waiter_does_not_wait_for_the_batch() -> None:
    branches = Branches()
    loader = Loader(branches.mapped, missing="")
    waiting = asyncio.create_task(loader.load(1))
    await branches.asked.wait()
    waiting.cancel()
    await asyncio.wait([waiting])
    assert waiting.cancelled()
    assert not branches.failed.is_set(), "the batch is still running"
    branches.failed.set()
    assert await loader.load(1) == "2"


async def test_a_cancelled_batch_cancels_who_waits_and_its_keys_are_asked_for_again() -> None:
    calls = 0

    async def batch(keys: Sequence[int]) -> dict[int, str]:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise asyncio.CancelledError
        return await double(keys)

    loader = Loader(batch, missing="")
    waiting = [asyncio.create_task(loader.load(key)) for key in (1, 2)]
    await asyncio.wait(waiting)
    assert all(task.cancelled() for task in waiting)
    assert await loader.load_all([1, 2]) == {1: "2", 2: "4"}


async def test_each_key_has_its_own_outcome() -> None:
    async def batch(keys: Sequence[int]) -> dict[int, str]:
        if 3 in keys:
            raise LookupError("no 3")
        return await double(keys)

    loader = Loader(batch, missing="")
    assert await loader.load(1) == "2"
    found = await loader.load_each([3, 1, 3])
    assert list(found) == [3, 1]
    assert isinstance(found[3], LookupError)
    assert found[1] == "2"
    with pytest.raises(LookupError):
        await loader.load_all([1, 3])


async def test_several_keys_may_be_in_batches_that_already_run() -> None:
    going: dict[int, asyncio.Event] = {1: asyncio.Event(), 2: asyncio.Event()}
    batches: list[list[int]] = []

    async def batch(keys: Sequence[int]) -> dict[int, str]:
        batches.append(list(keys))
        if keys[0] in going:
            await going[keys[0]].wait()
        return await double(keys)

    loader = Loader(batch, missing="")
    for key in (1, 2):
        asyncio.create_task(loader.load(key))  # noqa: RUF006  # both end below
        for _ in range(5):
            await asyncio.sleep(0)
    all_of_them = asyncio.create_task(loader.load_all([1, 2, 3]))
    for key in (2, 1):
        going[key].set()
        for _ in range(5):
            await asyncio.sleep(0)
    assert await all_of_them == {1: "2", 2: "4", 3: "6"}
    assert batches == [[1], [2], [3]]


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
