"""Reading and breaking a database behind the writer's back, for tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import column, select, table, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from pith_graph.store import tables
from tests.databases import Database

Rows = dict[str, list[tuple[Any, ...]]]


async def fetch_all(engine: AsyncEngine) -> Rows:
    """Return every row of every table, the search text included, in order."""
    found: Rows = {}
    async with engine.connect() as connection:
        for relation in tables.metadata.sorted_tables:
            rows = await connection.execute(select(relation))
            found[relation.name] = sorted((tuple(row) for row in rows), key=repr)
        name = "rowid" if connection.dialect.name == "sqlite" else "paper_id"
        search: Iterable[Any] = await connection.execute(
            select(column(name), column("folded")).select_from(table("paper_search"))
        )
        found["paper_search"] = sorted((tuple(row) for row in search), key=repr)
    return found


async def execute(database: Database, *statements: str) -> None:
    """Run statements that the writer never would, without checks of foreign keys."""
    engine = create_async_engine(database.url)
    try:
        async with engine.begin() as connection:
            if database.kind == "postgresql":
                await connection.execute(text("SET LOCAL session_replication_role = replica"))
            for statement in statements:
                await connection.execute(text(statement))
    finally:
        await engine.dispose()
