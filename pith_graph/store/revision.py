"""The schema's revision: what this code needs, and what a database has.

Read without Alembic, so that ``serve`` and ``/readyz`` start fast and never migrate by accident.
"""

from __future__ import annotations

from sqlalchemy import column, select, table
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from pith_graph.errors import DatabaseNotReadyError

HEAD = "0001"

_alembic_version = table("alembic_version", column("version_num"))


async def require_head(engine: AsyncEngine) -> None:
    """Check that the database can be read and has exactly the schema this code needs.

    Raises:
        DatabaseNotReadyError: Unreachable, empty, or at another revision; the message says what
            to do.
    """
    try:
        async with engine.connect() as connection:
            await check_head(connection)
    except (SQLAlchemyError, OSError) as error:
        # Without the driver's words, which may name hosts and users: the text reaches clients.
        raise DatabaseNotReadyError(
            "the database cannot be read: run `pith-graph db upgrade` if it is new"
        ) from error


async def check_head(connection: AsyncConnection) -> None:
    """Check one connection's database as `require_head` does.

    Raises:
        DatabaseNotReadyError: Empty, or at another revision.
        sqlalchemy.exc.SQLAlchemyError: The database does not answer.
    """
    exists = await connection.run_sync(lambda sync: sync.dialect.has_table(sync, "alembic_version"))
    found = (
        (await connection.execute(select(_alembic_version.c.version_num))).scalar_one_or_none()
        if exists
        else None
    )
    if found != HEAD:
        state = "has no schema" if found is None else f"is at revision {found}"
        raise DatabaseNotReadyError(
            f"the database {state}, this version needs {HEAD}: run `pith-graph db upgrade`"
        )
