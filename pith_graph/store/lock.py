"""The writer's lock: one writer at a time, a file beside a SQLite database or an advisory lock."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from filelock import AsyncFileLock, Timeout
from sqlalchemy import text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection

from pith_graph.errors import WriterBusyError
from pith_graph.store.engine import sqlite_path

WAIT_SECONDS = 600.0

# Any number that nothing else on the database takes.
_ADVISORY_KEY = 7_160_000


@asynccontextmanager
async def writer_lock(url: URL, *, wait_seconds: float = WAIT_SECONDS) -> AsyncIterator[None]:
    """Hold the file lock of a SQLite database; on PostgreSQL nothing, see `lock_transaction`.

    Raises:
        WriterBusyError: Another process still writes after ``wait_seconds``.
    """
    path = sqlite_path(url)
    if path is None:
        yield
        return
    lock_file = f"{path}.lock"
    try:
        async with AsyncFileLock(lock_file, timeout=wait_seconds):
            yield
    except Timeout as error:
        raise WriterBusyError(
            f"another process has been writing to {path} for {wait_seconds:.0f} s "
            f"(it holds {lock_file})"
        ) from error


async def lock_transaction(connection: AsyncConnection) -> None:
    """Take the advisory lock on PostgreSQL until the transaction ends."""
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_KEY})
