"""One request's view of the database: one read-only transaction, opened at the first statement.

Batches of one request queue on it, so that all they read is of one committed state.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Executable, Row
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine


class Snapshot:
    """A read-only transaction that begins when first asked and ends with `close`.

    Attributes:
        statements: How many statements it has run; transaction control is not counted.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._lock = asyncio.Lock()
        self._connection: AsyncConnection | None = None
        self.statements = 0

    @property
    def dialect(self) -> str:
        """``sqlite`` or ``postgresql``."""
        return self._engine.dialect.name

    async def fetch(
        self, statement: Executable, parameters: dict[str, Any] | None = None
    ) -> Sequence[Row[*tuple[Any, ...]]]:
        """Run one statement and return all its rows."""
        async with self._lock:
            if self._connection is None:
                self._connection = await self._open()
            self.statements += 1
            return (await self._connection.execute(statement, parameters)).all()

    async def close(self) -> None:
        """End the transaction and give the connection back, even while being cancelled."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await asyncio.shield(connection.close())

    async def _open(self) -> AsyncConnection:
        connection = await self._engine.connect()
        try:
            await connection.begin()
        except BaseException:
            await asyncio.shield(connection.close())
            raise
        return connection
