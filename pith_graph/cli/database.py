"""What the commands that use the database share: one engine for one command, plain errors."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from pith_graph.errors import StoreError
from pith_graph.settings import Settings
from pith_graph.store.engine import create_read_engine, create_write_engine, parse_database_url
from pith_graph.store.revision import require_head


def utc_now() -> datetime:
    """Return the present time."""
    return datetime.now(UTC)


@contextmanager
def explained_errors(url: URL) -> Iterator[None]:
    """Turn a driver's failure into an error that a person can read.

    Args:
        url: The database that the message names, without its password.

    Raises:
        StoreError: The database does not answer, or refuses.
    """
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        detail = str(error.orig) if isinstance(error, DBAPIError) else str(error)
        name = url.render_as_string(hide_password=True)
        raise StoreError(f"the database {name} cannot do it: {detail}") from error


@asynccontextmanager
async def read_engine() -> AsyncIterator[AsyncEngine]:
    """Open the database of the settings for reading; it must be at head."""
    url = parse_database_url(Settings().database_url)
    engine = create_read_engine(url, pool_size=1)
    try:
        await require_head(engine)
        with explained_errors(url):
            yield engine
    finally:
        await engine.dispose()


@asynccontextmanager
async def write_engine() -> AsyncIterator[tuple[AsyncEngine, URL]]:
    """Open the database of the settings for writing; it must be at head."""
    url = parse_database_url(Settings().database_url)
    reader = create_read_engine(url, pool_size=1)
    try:
        await require_head(reader)
    finally:
        await reader.dispose()
    engine = create_write_engine(url)
    try:
        with explained_errors(url):
            yield engine, url
    finally:
        await engine.dispose()
