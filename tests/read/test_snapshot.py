"""One request's transaction: read only, one state, and always given back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import QueuePool, event, insert, select
from sqlalchemy.ext.asyncio import AsyncEngine

from pith_graph.read.prepared import Prepared, Rows
from pith_graph.read.snapshot import Snapshot
from pith_graph.store import tables
from tests.graphs import made_graph
from tests.read.statements import driven_statements


def bare(text: str) -> Prepared:
    """Return a statement of one column without parameters, as the driver takes it."""
    return Prepared(text, (), {}, {}, (None,))


# Runs for about ten seconds if nobody stops it.
LONG = {
    "sqlite": "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000)"
    " SELECT count(*) FROM n",
    "postgresql": "SELECT pg_sleep(10)",
}
A_MOMENT = 2.0

loads = tables.loads


def checked_out(engine: AsyncEngine) -> int:
    pool = engine.pool
    assert isinstance(pool, QueuePool)
    return pool.checkedout()


async def add_load(engine: AsyncEngine, number: int) -> None:
    row = made_graph(1).rows[loads][0] | {"id": number}
    async with engine.begin() as connection:
        await connection.execute(insert(loads).values(row))


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    start = time.monotonic()
    yield
    assert time.monotonic() - start < seconds


async def test_nothing_is_opened_before_the_first_statement(read_engine: AsyncEngine) -> None:
    with driven_statements() as statements:
        snapshot = Snapshot(read_engine)
        assert checked_out(read_engine) == 0
        await snapshot.close()
    assert statements == []


async def test_two_reads_see_one_state_although_another_commits_between_them(
    write_engine: AsyncEngine, read_engine: AsyncEngine
) -> None:
    await add_load(write_engine, 1)
    snapshot = Snapshot(read_engine)
    assert len(await snapshot.fetch(select(loads.c.id))) == 1
    await add_load(write_engine, 2)
    assert len(await snapshot.fetch(select(loads.c.id))) == 1
    await snapshot.close()
    later = Snapshot(read_engine)
    assert len(await later.fetch(select(loads.c.id))) == 2
    await later.close()


async def test_a_write_fails(read_engine: AsyncEngine) -> None:
    snapshot = Snapshot(read_engine)
    with pytest.raises(Exception, match=r"read-?only"):
        await snapshot.fetch(bare("DELETE FROM loads RETURNING id"))
    await snapshot.close()


async def test_statements_are_counted_without_transaction_control(
    read_engine: AsyncEngine,
) -> None:
    with driven_statements() as statements:
        snapshot = Snapshot(read_engine)
        await snapshot.fetch(select(loads.c.id))
        await snapshot.fetch(select(loads.c.source))
        await snapshot.close()
    assert snapshot.statements == len(statements) == 2


async def test_concurrent_reads_queue_on_one_connection(read_engine: AsyncEngine) -> None:
    running = most = 0

    class Watched(Snapshot):
        async def _fetch(self, statement: Prepared, values: Mapping[str, Any]) -> Rows:
            nonlocal running, most
            running += 1
            most = max(most, running)
            await asyncio.sleep(0)
            rows = await super()._fetch(statement, values)
            running -= 1
            return rows

    snapshot = Watched(read_engine)
    await asyncio.gather(*(snapshot.fetch(select(loads.c.id)) for _ in range(10)))
    assert most == 1
    assert checked_out(read_engine) == 1
    await snapshot.close()
    assert checked_out(read_engine) == 0


async def test_a_failed_statement_leaves_the_connection_to_give_back(
    read_engine: AsyncEngine,
) -> None:
    snapshot = Snapshot(read_engine)
    with pytest.raises(Exception, match="nowhere"):
        await snapshot.fetch(bare("SELECT x FROM nowhere"))
    await snapshot.close()
    assert checked_out(read_engine) == 0


async def test_a_request_cancelled_in_a_long_statement_ends_at_once(
    read_engine: AsyncEngine,
) -> None:
    async def request() -> None:
        snapshot = Snapshot(read_engine)
        try:
            await snapshot.fetch(bare(LONG[snapshot.dialect]))
        finally:
            await snapshot.close()

    for _ in range(5):  # more than the pool has
        with at_most(A_MOMENT):
            task = asyncio.create_task(request())
            await asyncio.sleep(0.1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert checked_out(read_engine) == 0


async def test_closing_ends_a_statement_that_another_task_waits_for(
    read_engine: AsyncEngine,
) -> None:
    snapshot = Snapshot(read_engine)
    long = asyncio.create_task(snapshot.fetch(bare(LONG[snapshot.dialect])))
    queued = asyncio.create_task(snapshot.fetch(select(loads.c.id)))
    await asyncio.sleep(0.1)
    with at_most(A_MOMENT):
        await snapshot.close()
        results = await asyncio.gather(long, queued, return_exceptions=True)
    assert [type(result) for result in results] == [asyncio.CancelledError] * 2
    assert checked_out(read_engine) == 0


async def test_a_close_that_is_cancelled_gives_the_connection_back_all_the_same(
    read_engine: AsyncEngine,
) -> None:
    snapshot = Snapshot(read_engine)
    await snapshot.fetch(select(loads.c.id))
    given_back = asyncio.Event()
    event.listen(read_engine.sync_engine, "checkin", lambda *_: given_back.set())
    closing = asyncio.create_task(snapshot.close())
    await asyncio.sleep(0)
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    async with asyncio.timeout(A_MOMENT):
        await given_back.wait()


async def test_a_closed_snapshot_opens_nothing_any_more(read_engine: AsyncEngine) -> None:
    snapshot = Snapshot(read_engine)
    await snapshot.close()
    with pytest.raises(asyncio.CancelledError):
        await snapshot.fetch(select(loads.c.id))
    assert checked_out(read_engine) == 0


async def test_cancelling_while_waiting_for_a_connection_takes_none(
    read_engine: AsyncEngine,
) -> None:
    others = [Snapshot(read_engine) for _ in range(4)]
    for other in others:
        await other.fetch(select(loads.c.id))
    snapshot = Snapshot(read_engine)
    task = asyncio.create_task(snapshot.fetch(select(loads.c.id)))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await snapshot.close()
    for other in others:
        await other.close()
    assert checked_out(read_engine) == 0
