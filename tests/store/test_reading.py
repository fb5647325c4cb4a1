"""SQLite connections for reading: what is short runs at once, what is not is broken off."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pith_graph.store.reading import ReadConnection

# Counts for seconds.
LONG = (
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000)"
    " SELECT count(*) FROM n"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "read.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.execute("INSERT INTO t VALUES (1), (2)")
    connection.close()
    return path


@pytest.fixture
async def connection(file: Path) -> AsyncIterator[ReadConnection]:
    opened = ReadConnection(f"file:{file}?mode=ro", busy_milliseconds=30_000)
    async with opened:
        yield opened


async def test_a_short_statement_is_done_at_once(connection: ReadConnection) -> None:
    assert connection.fetch_at_once("SELECT x + ? FROM t", (1,)) == [(2,), (3,)]


async def test_a_long_one_is_broken_off_and_done_apart(connection: ReadConnection) -> None:
    assert connection.fetch_at_once(LONG) is None
    others = 0
    task = asyncio.create_task(connection.fetch_apart(LONG))
    while not task.done():
        await asyncio.sleep(0.001)
        others += 1
    assert task.result() == [(3_000_000,)]
    assert others > 10


async def test_breaking_off_leaves_the_transaction_as_it_was(connection: ReadConnection) -> None:
    connection.fetch_at_once("BEGIN")
    assert connection.fetch_at_once("SELECT count(*) FROM t") == [(2,)]
    assert connection.fetch_at_once(LONG) is None
    assert connection.in_transaction
    connection.fetch_at_once("ROLLBACK")
    assert not connection.in_transaction


async def test_a_writer_in_the_way_is_not_waited_for(
    connection: ReadConnection, file: Path
) -> None:
    writer = sqlite3.connect(file, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    try:
        assert connection.fetch_at_once("SELECT x FROM t") is None
    finally:
        writer.execute("ROLLBACK")
        writer.close()
    assert connection.fetch_at_once("SELECT x FROM t") == [(1,), (2,)]


async def test_a_mistake_and_a_write_are_errors(connection: ReadConnection) -> None:
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        connection.fetch_at_once("SELECT x FROM nowhere")
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.fetch_at_once("DELETE FROM t")
