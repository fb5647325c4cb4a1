"""SQLite connections for reading, whose short statements need no thread.

A thread of its own costs each statement more than most statements take. So one is first run at
once, where it was asked for, and broken off if it is not done within a few milliseconds. Only then
does it run apart, in the connection's thread, while others are served. `engine` makes these,
`read.snapshot` uses them.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence
from time import perf_counter, thread_time
from typing import Any

import aiosqlite

AT_ONCE_SECONDS = 0.005
"""How much of the processor's time a statement may take while everybody waits."""

AT_MOST_SECONDS = 0.05
"""How long everybody waits for one at the most: the disk may be slow, or the processor busy."""

# About a hundredth of a millisecond.
_STEPS_BETWEEN_LOOKS = 1000

# An extended code has its primary code in the lowest byte.
_PRIMARY = 0xFF
_NOT_NOW = frozenset({sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})

_ITEMS = 64  # of a cursor's chunk, which nothing here asks for

Row = tuple[Any, ...]


class ReadConnection(aiosqlite.Connection):
    """A connection of which one statement runs at a time.

    Args:
        uri: The file, as SQLite's URI.
        busy_milliseconds: How long a statement waits, apart, for a process that is in its way.
    """

    def __init__(self, uri: str, *, busy_milliseconds: int) -> None:
        super().__init__(self._open_file, _ITEMS)
        self._uri = uri
        self._busy_milliseconds = busy_milliseconds
        self._until = self._at_most = math.inf
        self._waits: int | None = None
        self._thread.daemon = True

    def fetch_at_once(self, text: str, parameters: Sequence[Any] = ()) -> list[Row] | None:
        """Run a statement in this thread and return all its rows.

        None: it took too long and was broken off, or another process is in the way.
        """
        connection = self._conn
        self._wait(0)
        self._until = thread_time() + AT_ONCE_SECONDS
        self._at_most = perf_counter() + AT_MOST_SECONDS
        try:
            return connection.execute(text, parameters).fetchall()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & _PRIMARY in _NOT_NOW:
                return None
            raise
        finally:
            self._until = self._at_most = math.inf

    async def fetch_apart(self, text: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Run a statement in the connection's thread and return all its rows."""
        rows: list[Row] = await self._execute(self._fetch, text, parameters)  # type: ignore[no-untyped-call]  # the library has no types there
        return rows

    def _fetch(self, text: str, parameters: Sequence[Any]) -> list[Row]:
        self._wait(self._busy_milliseconds)
        return self._conn.execute(text, parameters).fetchall()

    def _wait(self, milliseconds: int) -> None:
        """Wait so long for another process that is in the way; at first it is as `engine` says."""
        if milliseconds != self._waits:
            self._conn.execute(f"PRAGMA busy_timeout = {milliseconds}")
            self._waits = milliseconds

    def _open_file(self) -> sqlite3.Connection:
        # Both threads use it, never at the same time. Transactions are begun explicitly.
        connection = sqlite3.connect(
            self._uri, uri=True, check_same_thread=False, isolation_level=None
        )
        connection.set_progress_handler(self._is_late, _STEPS_BETWEEN_LOOKS)
        return connection

    def _is_late(self) -> bool:
        return thread_time() > self._until or perf_counter() > self._at_most
