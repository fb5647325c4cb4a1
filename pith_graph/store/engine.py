"""Database engines: the only place that knows drivers, pools and PRAGMAs.

``web.app`` and ``cli`` build one engine each; everything else is handed a connection. Transactions
are begun explicitly on both databases, so that all statements of one see one snapshot.
"""

from __future__ import annotations

from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from pith_graph.errors import InputError, shorten

SQLITE = "sqlite+aiosqlite"
POSTGRESQL = "postgresql+asyncpg"

_BUSY_MILLISECONDS = 30_000

# A page's walk of an index stops after its rows. The planner, which knows the average parent and
# not the most cited one, would rather sort the whole list: it sorts only where nothing else does.
# The plan is made once for each statement: making it takes longer than running it. Made without the
# values, it would start workers for a search that finds one title.
_READING = {
    "jit": "off",
    "enable_sort": "off",
    "plan_cache_mode": "force_generic_plan",
    "max_parallel_workers_per_gather": "0",
}


def parse_database_url(text: str) -> URL:
    """Read a database URL of one of the two forms that are served.

    Raises:
        InputError: Another driver, or a SQLite URL without a file.
    """
    expected = f"expected {SQLITE}:///PATH or {POSTGRESQL}://USER@HOST/NAME"
    try:
        url = make_url(text)
    except ArgumentError as error:
        raise InputError(f"the database URL cannot be read: {expected}") from error
    if url.drivername not in {SQLITE, POSTGRESQL}:
        raise InputError(f"the database driver {shorten(url.drivername)} is not one: {expected}")
    if url.drivername == SQLITE and (not url.database or url.database == ":memory:"):
        raise InputError(f"a SQLite database needs a file: {expected}")
    if url.drivername == POSTGRESQL:
        _check_parameters(url)
    return url


def _check_parameters(url: URL) -> None:
    """Refuse what the driver would stumble over, such as libpq's ``sslmode``."""
    from asyncpg import connect  # noqa: PLC0415  # a tenth of a second that SQLite does not need

    taken = signature(connect).parameters
    for name in url.query:
        if name not in taken and not name.startswith("prepared_statement_"):
            raise InputError(
                f"the database URL has the parameter {shorten(name)}, which asyncpg does not "
                "take: expected those of its `connect`, such as ssl=require"
            )


def sqlite_path(url: URL) -> Path | None:
    """Return the file of a SQLite URL, None for PostgreSQL."""
    return Path(str(url.database)) if url.drivername == SQLITE else None


def create_read_engine(url: URL, *, pool_size: int) -> AsyncEngine:
    """Build the engine that answers questions: it cannot write, whatever it is asked."""
    if url.drivername == SQLITE:
        file = f"file:{quote(str(url.database))}?mode=ro"
        engine = create_async_engine(
            url,
            async_creator=partial(_open_reading, file),
            pool_size=pool_size,
            max_overflow=0,
            pool_timeout=60,
            pool_use_lifo=True,  # the one whose pages and plans are at hand
            pool_reset_on_return=None,  # who begins a transaction here ends it
            hide_parameters=True,
        )
        _configure_sqlite(engine, begin="BEGIN", pragmas=("query_only = ON",))
        return engine
    return create_async_engine(
        url,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=60,
        pool_use_lifo=True,
        pool_reset_on_return=None,
        hide_parameters=True,
        isolation_level="REPEATABLE READ",
        execution_options={"postgresql_readonly": True},
        connect_args={"server_settings": {"application_name": "pith-graph", **_READING}},
    )


def create_write_engine(url: URL) -> AsyncEngine:
    """Build the engine of the one writer: a single connection, made when first needed."""
    if url.drivername == SQLITE:
        engine = create_async_engine(url, pool_size=1, max_overflow=0, hide_parameters=True)
        _configure_sqlite(
            engine,
            begin="BEGIN IMMEDIATE",
            pragmas=("journal_mode = WAL", "synchronous = NORMAL"),
        )
        return engine
    return create_async_engine(
        url,
        pool_size=1,
        max_overflow=0,
        hide_parameters=True,
        connect_args={"server_settings": {"application_name": "pith-graph writer", "jit": "off"}},
    )


def _open_reading(uri: str) -> Any:
    from pith_graph.store.reading import ReadConnection  # noqa: PLC0415  # PostgreSQL needs none

    return ReadConnection(uri, busy_milliseconds=_BUSY_MILLISECONDS)


def _configure_sqlite(engine: AsyncEngine, *, begin: str, pragmas: tuple[str, ...]) -> None:
    """Set the PRAGMAs once per connection and begin transactions by our own statement."""

    def on_connect(connection: Any, _record: Any) -> None:
        # The driver would otherwise begin late, and two SELECTs could see different data.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (
            "foreign_keys = ON",
            f"busy_timeout = {_BUSY_MILLISECONDS}",
            "temp_store = MEMORY",
            "cache_size = -32768",
            *pragmas,
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    def on_begin(connection: Any) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine.sync_engine, "connect", on_connect)
    event.listen(engine.sync_engine, "begin", on_begin)
