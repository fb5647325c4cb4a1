"""One request's view of the database: one read-only transaction, opened at the first statement.

Batches of one request queue on it, so that all they read is of one committed state. A statement
that is cancelled, or still running when the request ends, is broken off. Statements go to the
driver as they are prepared: SQLAlchemy keeps the connections.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Mapping
from typing import Any

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import PoolProxiedConnection
from sqlalchemy.util.concurrency import greenlet_spawn

from pith_graph.errors import StoreError
from pith_graph.read.keys import KEYS
from pith_graph.read.prepared import SQLITE, Prepared, Rows, Selection, prepare

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

_INTERRUPT_SECONDS = 0.05


class Closing:
    """Snapshots whose transactions end while their answers are already on the way."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, snapshot: Snapshot) -> None:
        """Close a snapshot without waiting for it."""
        task = asyncio.create_task(snapshot.close())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def finish(self) -> None:
        """Wait until all are closed."""
        await asyncio.gather(*self._tasks)


# SQLite's transaction shows what was committed when it first reads.
_BEGIN = {
    "sqlite": "BEGIN",
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
}


class Snapshot:
    """A read-only transaction that begins when first asked and ends with `close`.

    Attributes:
        statements: How many statements it has run; transaction control is not counted.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._lock = asyncio.Lock()
        self._connection: PoolProxiedConnection | None = None
        self._driver: Any = None
        self._running: asyncio.Task[Rows] | None = None
        self._closed = False
        self.statements = 0

    @property
    def dialect(self) -> str:
        """``sqlite`` or ``postgresql``."""
        return self._engine.dialect.name

    async def fetch(
        self, statement: Prepared | Selection, values: Mapping[str, Any] | None = None
    ) -> list[tuple[Any, ...]]:
        """Run one statement and return all its rows, each value as the program knows it.

        Args:
            statement: The statement; one that is not prepared yet takes milliseconds more.
            values: Its parameters by name.

        Raises:
            CancelledError: The snapshot was closed before there were any.
            StoreError: The database does not answer.
        """
        if not isinstance(statement, Prepared):
            statement = prepare(statement, self.dialect)
        return statement.read(await self.fetch_raw(statement, values))

    async def fetch_raw(self, statement: Prepared, values: Mapping[str, Any] | None = None) -> Rows:
        """Run one statement and return all its rows as the driver gives them.

        Raises:
            CancelledError: The snapshot was closed before there were any.
            StoreError: The database does not answer.
        """
        async with self._lock:
            if self._closed:
                raise asyncio.CancelledError("the snapshot is closed")
            try:
                return await self._fetch(statement, values or {})
            except asyncio.CancelledError:
                await self._stop()
                raise
            except Exception as error:
                if self._closed:
                    raise asyncio.CancelledError("the snapshot is closed") from None
                if not self._is_unavailable(error):
                    raise
                # The driver's own words: SQLAlchemy's would repeat the statement.
                _LOG.warning("the database failed: %s", getattr(error, "orig", error))
                raise StoreError("the database does not answer: ask again later") from error

    @property
    def is_running(self) -> bool:
        """Whether a statement runs."""
        return self._running is not None and not self._running.done()

    async def close(self) -> None:
        """End the transaction and give the connection back, even while being cancelled."""
        self._closed = True
        await asyncio.shield(self._end())

    async def _fetch(self, statement: Prepared, values: Mapping[str, Any]) -> Rows:
        bound, keys = statement.bind(values), len(values.get(KEYS, ()))
        if self._driver is not None:
            found = self._fetch_at_once(statement, bound, keys)
            if found is not None:
                return found
        # In a task of its own: the driver, cancelled in mid-statement, would wait for its end.
        self._running = asyncio.create_task(self._run(statement, bound, keys))
        return await asyncio.shield(self._running)

    async def _run(self, statement: Prepared, bound: list[Any], keys: int) -> Rows:
        if self._driver is None:
            await self._open()
            found = self._fetch_at_once(statement, bound, keys)
            if found is not None:
                return found
        self.statements += 1
        rows: Rows
        if self.dialect != SQLITE:
            rows = await self._driver.fetch(statement.text, *bound)
            return rows
        rows = await self._driver.fetch_apart(statement.text, bound)
        return rows

    def _fetch_at_once(self, statement: Prepared, bound: list[Any], keys: int) -> Rows | None:
        """Run a short statement without waiting for anything, where the driver can; else None."""
        if self.dialect != SQLITE or not statement.pace.allows(keys):
            return None
        found: Rows | None = self._driver.fetch_at_once(statement.text, bound)
        if found is None:
            statement.pace.slow_from(keys)
        else:
            self.statements += 1
        return found

    async def _open(self) -> None:
        while self._driver is None:
            connection = await self._engine.raw_connection()
            driver: Any = connection.driver_connection
            try:
                await self._control(driver, _BEGIN[self.dialect])
            except BaseException as error:
                await asyncio.shield(greenlet_spawn(connection.invalidate))
                # One of the pool's that the server ended meanwhile is passed over.
                gone = self.dialect != SQLITE and driver.is_closed()
                if not (gone and isinstance(error, Exception)):
                    raise
            else:
                self._connection, self._driver = connection, driver

    async def _control(self, driver: Any, command: str) -> None:
        """Begin or end the transaction, of which SQLAlchemy knows nothing."""
        if self.dialect == SQLITE:
            driver.fetch_at_once(command)
        else:
            await driver.execute(command)

    async def _stop(self) -> None:
        """Break off the running statement and wait until it has let go of the connection."""
        running = self._running
        if running is None:
            return
        if self._driver is None or self.dialect != SQLITE:
            running.cancel()
            await asyncio.wait([running])
        else:
            # Again and again: the statement may not have reached the driver's thread yet.
            while not running.done():
                await self._driver.interrupt()
                await asyncio.wait([running], timeout=_INTERRUPT_SECONDS)
        if not running.cancelled():
            running.exception()  # seen, so that nothing warns of it

    async def _end(self) -> None:
        await self._stop()
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            await self._control(self._driver, "ROLLBACK")
        except Exception as error:  # noqa: BLE001  # the next request gets another connection
            _LOG.warning("the database failed: %s", error)
            await greenlet_spawn(connection.invalidate)
        else:
            # Nothing is waited for: the pool resets nothing that is not in a transaction.
            await greenlet_spawn(connection.close)

    def _is_unavailable(self, error: Exception) -> bool:
        """Whether the database is unreachable, gone, damaged or full, no statement being to blame.

        Args:
            error: What the driver or the pool raised.
        """
        if isinstance(error, OSError | PoolTimeoutError):
            return True
        if self._driver is None and isinstance(error, DBAPIError):
            return True
        if self.dialect == SQLITE:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
            return code & _PRIMARY in _SQLITE_CODES
        state = str(getattr(error, "sqlstate", None) or "")
        gone: bool = self._driver is not None and self._driver.is_closed()
        return gone or self._driver is None or state[:2] in _POSTGRESQL_CLASSES
