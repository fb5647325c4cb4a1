"""Writing a generated graph into databases made by the project's own migrations, in bulk.

Indexes and unique constraints are dropped while rows come in and made again afterwards, and foreign
keys are not looked at: ``pith-graph verify --store`` finds nothing all the same. ``compare``,
``scale`` and the tests call it.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
from asyncpg.pgproto import pgproto
from sqlalchemy.engine import URL

from bench.graph import Graph
from bench.shape import COLUMNS, Encoding, Shape
from pith_graph.store.engine import SQLITE
from pith_graph.store.migrations import upgrade

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SQLITE_ENCODING = Encoding(instant=int, public_id=bytes)
_CACHE_KIB = 1024 * 1024  # for the one index of random ids that SQLite cannot drop
_MEMORY = "SET maintenance_work_mem = '512MB'"


def load(url: URL, shape: Shape) -> int:
    """Migrate an empty database and fill it with a graph; return how many citations it has."""
    upgrade(url)
    if url.drivername == SQLITE:
        return _load_sqlite(str(url.database), shape)
    return asyncio.run(_load_postgresql(url, shape))


def driver_address(url: URL) -> str:
    """Return a PostgreSQL URL as the bare driver takes it."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def _load_sqlite(file: str, shape: Shape) -> int:
    graph = Graph(shape, _SQLITE_ENCODING)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        # An unfinished file is thrown away: no journal, no waiting for the disk.
        for pragma in ("journal_mode = OFF", "synchronous = OFF", f"cache_size = -{_CACHE_KIB}"):
            connection.execute(f"PRAGMA {pragma}")
        statements = {table: _insert(table, names) for table, names in COLUMNS.items()}
        connection.execute("BEGIN")
        with _without_sqlite_indexes(connection):
            for rows in _all_slices(graph):
                for table, values in rows.items():
                    connection.executemany(statements[table], values)
        connection.execute("COMMIT")
        connection.execute("INSERT INTO paper_search (paper_search) VALUES ('optimize')")
        connection.execute("ANALYZE")
        connection.execute("PRAGMA journal_mode = WAL")
    return graph.citations


def _insert(table: str, names: tuple[str, ...]) -> str:
    names = ("rowid", *names[1:]) if table == "paper_search" else names
    places = ", ".join("?" * len(names))
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})"  # noqa: S608  # our names


@contextmanager
def _without_sqlite_indexes(connection: sqlite3.Connection) -> Iterator[None]:
    """Drop the indexes that are no constraints, and make them again at the end."""
    kept = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
    ).fetchall()
    for name, _ in kept:
        connection.execute(f"DROP INDEX {name}")
    yield
    for _, statement in kept:
        connection.execute(statement)


async def _load_postgresql(url: URL, shape: Shape) -> int:
    graph = Graph(shape, Encoding(instant=_instant, public_id=pgproto.UUID))
    connection = await asyncpg.connect(driver_address(url))
    try:
        # Foreign keys are triggers, which a replica does not run.
        await connection.execute("SET session_replication_role = replica")
        dropped = await _drop_indexes(connection)
        for rows in _all_slices(graph):
            for table, records in rows.items():
                if records:
                    await connection.copy_records_to_table(
                        table, records=records, columns=list(COLUMNS[table])
                    )
        await connection.execute(_MEMORY)
        for statement in dropped:
            await connection.execute(statement)
        await connection.execute("VACUUM (ANALYZE)")
        await connection.execute("CHECKPOINT")
    finally:
        await connection.close()
    return graph.citations


async def _drop_indexes(connection: Any) -> list[str]:
    """Drop indexes and unique constraints; return the statements that make them again."""
    constraints = await connection.fetch(
        "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)"
        " FROM pg_constraint WHERE contype = 'u' AND connamespace = 'public'::regnamespace"
    )
    indexes = await connection.fetch(
        "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid)"
        " FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid"
        " WHERE relnamespace = 'public'::regnamespace"
        " AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)"
    )
    for table, name, _ in constraints:
        await connection.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    for name, _ in indexes:
        await connection.execute(f"DROP INDEX {name}")
    unique = [
        f"ALTER TABLE {table} ADD CONSTRAINT {name} {text}" for table, name, text in constraints
    ]
    return unique + [text for _, text in indexes]


def _all_slices(graph: Graph) -> Iterator[Any]:
    yield from graph.slices()
    yield from graph.totals()


def _instant(microseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=microseconds)
