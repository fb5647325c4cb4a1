from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from pith_graph.errors import WriterBusyError
from pith_graph.store import tables
from pith_graph.store.engine import create_write_engine
from pith_graph.store.lock import writer_lock
from pith_graph.store.transaction import Load, WriteTransaction, finish_load, transaction
from pith_graph.vocabulary import LoadSource
from tests.databases import Database
from tests.table_rows import fetch_all

Clock = Callable[[], datetime]


def make_load() -> Load:
    return Load(LoadSource.RECORD, "a file", "0" * 64, 1, datetime(2026, 12, 1, tzinfo=UTC))


async def add_paper(tx: WriteTransaction, name: str) -> None:
    (key,) = await tx.allocate("papers", 1)
    row = {"id": key, "arxiv_id": name, "observed_at": datetime(2026, 1, 1, tzinfo=UTC)}
    await tx.insert_rows(tables.papers, [{**row, **await tx.stamp()}])


async def test_numbers_have_no_gaps_whatever_rolls_back(
    database: Database, write_engine: AsyncEngine, clock: Clock
) -> None:
    load = make_load()
    for name in ("one", "two", "", "three"):
        with suppress(ZeroDivisionError):
            async with transaction(write_engine, database.url, load, clock=clock) as tx:
                await add_paper(tx, name or "lost")
                if not name:
                    raise ZeroDivisionError
    rows = await fetch_all(write_engine)
    assert [row[0] for row in rows["commits"]] == [1, 2, 3]
    place = [tables.papers.columns.keys().index(name) for name in ("id", "arxiv_id")]
    papers = [tuple(row[index] for index in place) for row in rows["papers"]]
    assert papers == [(1, "one"), (2, "two"), (3, "three")]
    assert rows["counters"] == [("commits", 3), ("loads", 1), ("papers", 3)]


async def test_a_transaction_that_changes_nothing_leaves_nothing(
    database: Database, write_engine: AsyncEngine, clock: Clock
) -> None:
    load = make_load()
    async with transaction(write_engine, database.url, load, clock=clock) as tx:
        await tx.allocate("papers", 5)
        assert not tx.changed
    assert load.row_id is None
    await finish_load(write_engine, database.url, load, counts={}, ended_at=clock())
    assert not any((await fetch_all(write_engine)).values())


async def test_ids_are_given_in_order_and_once(
    database: Database, write_engine: AsyncEngine, clock: Clock
) -> None:
    async with transaction(write_engine, database.url, make_load(), clock=clock) as tx:
        first, second = await tx.allocate("papers", 3), await tx.allocate("papers", 2)
    assert [*first, *second] == [1, 2, 3, 4, 5]


async def test_a_second_writer_waits_until_the_first_has_committed(
    database: Database, write_engine: AsyncEngine, clock: Clock
) -> None:
    other = create_write_engine(database.url)
    order = []

    async def write(engine: AsyncEngine, name: str, started: asyncio.Event) -> None:
        async with transaction(engine, database.url, make_load(), clock=clock) as tx:
            started.set()
            order.append(f"{name} begins")
            await add_paper(tx, name)
            await asyncio.sleep(0.2)
            order.append(f"{name} ends")

    begun = asyncio.Event()
    first = asyncio.create_task(write(write_engine, "first", begun))
    await begun.wait()
    await write(other, "second", asyncio.Event())
    await first
    await other.dispose()
    assert order == ["first begins", "first ends", "second begins", "second ends"]
    assert [row[0] for row in (await fetch_all(write_engine))["commits"]] == [1, 2]


async def test_a_writer_that_waits_too_long_says_who_it_waits_for(database: Database) -> None:
    async with writer_lock(database.url):
        if database.kind == "postgresql":
            return  # its lock is taken in the transaction: the test above
        with pytest.raises(WriterBusyError, match=r"another process has been writing to .*\.lock"):
            async with writer_lock(database.url, wait_seconds=0.05):
                pytest.fail("two writers at once")
