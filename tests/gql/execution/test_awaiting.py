"""Waiting: every outcome is told, and a cancellation leaves nothing running."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from typing import Any

import pytest

from pith_graph.gql.execution.awaiting import settle, settle_among, together


async def give(value: Any, *, ticks: int = 1) -> Any:
    for _ in range(ticks):
        await asyncio.sleep(0)
    if isinstance(value, Exception):
        raise value
    return value


def iter_nothing() -> Iterator[None]:
    yield from ()


@pytest.mark.parametrize("count", [1, 3])
async def test_settle_returns_values_and_exceptions_in_order(count):
    error = KeyError("a")
    outcomes = await settle([give(value) for value in [error, 2, 3][:count]])
    assert outcomes == [error, 2, 3][:count]


async def test_settle_among_leaves_the_rest_as_it_is():
    values = [1, give(2), "x", give(3)]
    assert await settle_among(values) == [1, 2, "x", 3]
    plain = [1, "x"]
    assert await settle_among(plain) is plain
    generators = [iter_nothing(), 1]
    assert await settle_among(generators) is generators


async def test_together_raises_after_all_have_ended():
    ended: list[str] = []

    async def slow() -> None:
        await give(None, ticks=5)
        ended.append("slow")

    with pytest.raises(KeyError):
        await together([give(KeyError("a")), slow()])
    assert ended == ["slow"]


async def test_one_that_is_cancelled_cancels_all_without_losing_an_exception():
    async def cancelled() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await settle([give(KeyError("lost")), cancelled()])


async def test_a_cancellation_ends_all_and_waits_for_it():
    unseen: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, what: unseen.append(what))
    ended: list[int] = []

    async def slow(number: int) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            ended.append(number)

    task = asyncio.ensure_future(settle([slow(1), slow(2), give(KeyError("done before"))]))
    await give(None, ticks=4)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    assert ended == [1, 2]
    del task
    gc.collect()
    assert not unseen


async def test_a_cancellation_does_not_wait_for_what_cannot_be_cancelled():
    class Shared(asyncio.Future[int]):
        def cancel(self, msg: Any = None) -> bool:
            del msg
            return False

    shared = Shared()
    task = asyncio.ensure_future(settle([shared, give(1)]))
    await give(None)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    shared.set_result(1)
