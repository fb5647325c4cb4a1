"""One request's view of the database: one read-only transaction, opened at the first statement.

Batches of one request queue on it, so that all they read is of one committed state. A statement
that is cancelled, or still running when the request ends, is broken off.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Executable, Row
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from pith_graph.errors import StoreError

_LOG = logging.getLogger(__name__)

# Insufficient resources, intervention by an operator, and system errors.
_POSTGRESQL_CLASSES = frozenset({"53", "57", "58"})
_SQLITE_CODES = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_PROTOCOL,
    }
)
# An extended code has its primary code in the lowest byte.
_PRIMARY = 0xFF

Rows = Sequence[Row[*tuple[Any, ...]]]

_INTERRUPT_SECONDS = 0.05


class Snapshot:
    """A read-only transaction that begins when first asked and ends with `close`.

    Attributes:
        statements: How many statements it has run; transaction control is not counted.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._lock = asyncio.Lock()
        self._connection: AsyncConnection | None = None
        self._running: asyncio.Task[Rows] | None = None
        self._closed = False
        self.statements = 0

    @property
    def dialect(self) -> str:
        """``sqlite`` or ``postgresql``."""
        return self._engine.dialect.name

    async def fetch(self, statement: Executable, parameters: dict[str, Any] | None = None) -> Rows:
        """Run one statement and return all its rows.

        Raises:
            CancelledError: The snapshot was closed before there were any.
            StoreError: The database does not answer.
        """
        async with self._lock:
            if self._closed:
                raise asyncio.CancelledError("the snapshot is closed")
            # In a task of its own: the driver, cancelled in mid-statement, would wait for its end.
            self._running = asyncio.create_task(self._run(statement, parameters))
            try:
                return await asyncio.shield(self._running)
            except asyncio.CancelledError:
                await self._stop()
                raise
            except Exception as error:
                if self._closed:
                    raise asyncio.CancelledError("the snapshot is closed") from None
                if not _is_unavailable(error, opened=self._connection is not None):
                    raise
                # The driver's own words: SQLAlchemy's would repeat the statement.
                _LOG.warning("the database failed: %s", getattr(error, "orig", error))
                raise StoreError("the database does not answer: ask again later") from error

    async def close(self) -> None:
        """End the transaction and give the connection back, even while being cancelled."""
        self._closed = True
        await asyncio.shield(self._end())

    async def _run(self, statement: Executable, parameters: dict[str, Any] | None) -> Rows:
        if self._connection is None:
            self._connection = await self._open()
        self.statements += 1
        return (await self._connection.execute(statement, parameters)).all()

    async def _open(self) -> AsyncConnection:
        connection = await self._engine.connect()
        try:
            await connection.begin()
        except BaseException:
            await asyncio.shield(connection.close())
            raise
        return connection

    async def _stop(self) -> None:
        """Break off the running statement and wait until it has let go of the connection."""
        running = self._running
        if running is None:
            return
        if self._connection is None or self.dialect != "sqlite":
            running.cancel()
            await asyncio.wait([running])
        else:
            driver: Any = (await self._connection.get_raw_connection()).driver_connection
            # Again and again: the statement may not have reached the driver's thread yet.
            while not running.done():
                await driver.interrupt()
                await asyncio.wait([running], timeout=_INTERRUPT_SECONDS)
        if not running.cancelled():
            running.exception()  # seen, so that nothing warns of it

    async def _end(self) -> None:
        await self._stop()
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


def _is_unavailable(error: Exception, *, opened: bool) -> bool:
    """Whether the database is unreachable, gone, damaged or full, and the statement not to blame.

    Args:
        error: What the driver or the pool raised.
        opened: Whether the transaction had begun.
    """
    if isinstance(error, OSError | PoolTimeoutError):
        return True
    if not isinstance(error, DBAPIError):
        return False
    state = str(getattr(error.orig, "sqlstate", None) or "")
    code = getattr(error.orig, "sqlite_errorcode", sqlite3.SQLITE_OK) & _PRIMARY
    return (
        not opened
        or error.connection_invalidated
        or state[:2] in _POSTGRESQL_CLASSES
        or code in _SQLITE_CODES
    )
