"""A write transaction: numbered, belonging to one load, with ids that are never used again.

The number is taken at the first change, from a counter row that rolls back with the transaction,
so that numbers have no gaps and their order is the commit order. A transaction that changed
nothing leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Table, insert, update
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from pith_graph.store.lock import lock_transaction, writer_lock
from pith_graph.store.tables import commits, counters, loads
from pith_graph.vocabulary import LoadSource

Clock = Callable[[], datetime]


@dataclass(slots=True)
class Load:
    """One file being read: its row is written with the first commit that it causes.

    Attributes:
        sha256: Hex SHA-256 of the file's bytes.
        row_id: The row's id once it is written, else None.
    """

    source: LoadSource
    file_name: str
    sha256: str
    size_bytes: int
    started_at: datetime
    row_id: int | None = None


class WriteTransaction:
    """One transaction of the writer. `transaction` makes it; the writer's modules change rows."""

    def __init__(self, connection: AsyncConnection, load: Load, *, clock: Clock) -> None:
        self.connection = connection
        self.load = load
        self._clock = clock
        self._load_id = load.row_id
        self._commit_number: int | None = None

    @property
    def changed(self) -> bool:
        """Whether anything was written."""
        return self._commit_number is not None

    @property
    def load_id(self) -> int | None:
        """The load's row id, None before the first change."""
        return self._load_id

    async def allocate(self, name: str, count: int) -> range:
        """Take ``count`` new ids of a table from its counter."""
        statement = (
            update(counters)
            .where(counters.c.name == name)
            .values(last_value=counters.c.last_value + count)
            .returning(counters.c.last_value)
        )
        last = (await self.connection.execute(statement)).scalar_one_or_none()
        if last is None:
            await self.connection.execute(insert(counters).values(name=name, last_value=count))
            last = count
        return range(last - count + 1, last + 1)

    async def stamp(self) -> dict[str, int]:
        """Return the column that every added row carries: this commit, which names its load."""
        if self._commit_number is None:
            if self._load_id is None:
                self._load_id = await self._write_load()
            self._commit_number = (await self.allocate("commits", 1))[0]
            await self.connection.execute(
                insert(commits).values(
                    number=self._commit_number, committed_at=self._clock(), load_id=self._load_id
                )
            )
        return {"commit_number": self._commit_number}

    async def insert_rows(self, table: Table, rows: Sequence[dict[str, Any]]) -> None:
        """Insert rows as they are; none is no statement."""
        if rows:
            await self.connection.execute(insert(table), list(rows))

    async def _write_load(self) -> int:
        load = self.load
        row_id = (await self.allocate("loads", 1))[0]
        await self.connection.execute(
            insert(loads).values(
                id=row_id,
                source=load.source,
                file_name=load.file_name,
                sha256=load.sha256,
                size_bytes=load.size_bytes,
                started_at=load.started_at,
            )
        )
        return row_id


@asynccontextmanager
async def transaction(
    engine: AsyncEngine, url: URL, load: Load, *, clock: Clock
) -> AsyncIterator[WriteTransaction]:
    """Run one write transaction under the writer's lock; rolled back on error or when unchanged."""
    async with writer_lock(url), engine.connect() as connection, connection.begin() as unit:
        await lock_transaction(connection)
        tx = WriteTransaction(connection, load, clock=clock)
        yield tx
        if tx.changed:
            await unit.commit()
            load.row_id = tx.load_id
        else:
            await unit.rollback()


async def finish_load(
    engine: AsyncEngine, url: URL, load: Load, *, counts: dict[str, int], ended_at: datetime
) -> None:
    """Write a load's closing time and counts; nothing where it changed nothing.

    Args:
        engine: The write engine.
        url: Its database, for the lock.
        load: The load.
        counts: ``records_read``, ``records_changed``, ``records_refused``.
        ended_at: When the file had been read.
    """
    if load.row_id is None:
        return
    async with writer_lock(url), engine.begin() as connection:
        await connection.execute(
            update(loads).where(loads.c.id == load.row_id).values(ended_at=ended_at, **counts)
        )
