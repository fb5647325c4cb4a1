"""Alembic's entry: runs the migrations over the store's own write engine."""

from __future__ import annotations

import asyncio

from alembic import context
from sqlalchemy import text
from sqlalchemy.engine import Connection

from pith_graph.store.engine import create_write_engine
from pith_graph.store.tables import metadata

# Any number that nothing else takes: two upgrades at once wait for each other.
_UPGRADE_LOCK = 7_160_001


def _run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        include_object=lambda _object, name, kind, _reflected, _other: (
            not (kind == "table" and str(name).startswith("paper_search"))
        ),
    )
    with context.begin_transaction():
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADE_LOCK})
        context.run_migrations()


async def _upgrade() -> None:
    engine = create_write_engine(context.config.attributes["url"])
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_run)
    finally:
        await engine.dispose()


asyncio.run(_upgrade())
