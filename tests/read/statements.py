"""Statements as they reach the driver: counted, and explained by the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

_CONTROL = ("BEGIN", "COMMIT", "ROLLBACK")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement with its parameters, in the driver's own form."""

    text: str
    parameters: Any


@contextmanager
def counted_statements(engine: AsyncEngine) -> Iterator[list[Statement]]:
    """Collect the statements that run meanwhile, without transaction control."""
    statements: list[Statement] = []

    def collect(_connection: Any, _cursor: Any, sql: str, parameters: Any, *_: Any) -> None:
        if not sql.startswith(_CONTROL):
            statements.append(Statement(sql, parameters))

    event.listen(engine.sync_engine, "before_cursor_execute", collect)
    try:
        yield statements
    finally:
        event.remove(engine.sync_engine, "before_cursor_execute", collect)
