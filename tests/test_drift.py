"""What is generated or written twice in this repository says the same in both places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine

from pith_graph.store import tables
from pith_graph.store.migrations import alembic_config
from pith_graph.store.revision import HEAD
from tests.databases import KINDS, Database, made_database

Result = TypeVar("Result")

# The migrations and the code's tables.

# Everything that a database knows of its tables, but for what the search text adds.
_DESCRIPTION = {
    "sqlite": (
        "SELECT type, name, tbl_name, sql FROM sqlite_master"
        " WHERE tbl_name <> 'alembic_version' AND tbl_name NOT LIKE 'paper_search%'"
        " ORDER BY type, name"
    ),
    "postgresql": """
        SELECT 'column', table_name, column_name, ordinal_position || ' ' || data_type || ' '
               || is_nullable || ' ' || coalesce(column_default, '')
          FROM information_schema.columns
         WHERE table_schema = 'public' AND table_name NOT IN ('alembic_version', 'paper_search')
        UNION ALL
        SELECT 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid)
          FROM pg_constraint
         WHERE connamespace = 'public'::regnamespace
           AND conrelid::regclass::text NOT IN ('alembic_version', 'paper_search')
        UNION ALL
        SELECT 'index', tablename, indexname, indexdef
          FROM pg_indexes
         WHERE schemaname = 'public' AND tablename NOT IN ('alembic_version', 'paper_search')
         ORDER BY 1, 2, 3
    """,
}


def describe(connection: Connection) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in connection.execute(text(_DESCRIPTION[connection.dialect.name]))]


async def on(database: Database, function: Callable[[Connection], Result]) -> Result:
    engine = create_async_engine(database.url)
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(function)
    finally:
        await engine.dispose()


@pytest.fixture(params=KINDS)
def two(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Database, Database]]:
    """A database with all migrations, and one without a schema."""
    with (
        made_database(request.param, tmp_path) as migrated,
        made_database(request.param, tmp_path, migrated=False) as empty,
    ):
        yield migrated, empty


async def test_the_migrations_give_exactly_the_schema_of_the_tables(
    two: tuple[Database, Database],
) -> None:
    migrated, empty = two
    await on(empty, tables.metadata.create_all)
    found, expected = await on(migrated, describe), await on(empty, describe)
    assert len(expected) > 50
    assert found == expected


# Neither reads indexes of expressions back from SQLite: the test above compares them.
@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
@pytest.mark.filterwarnings("ignore:autogenerate skipping metadata-specified expression-based")
async def test_alembic_finds_no_difference_from_the_tables(
    two: tuple[Database, Database],
) -> None:
    def compare(connection: Connection) -> list[Any]:
        options = {
            "compare_server_default": True,
            "include_object": lambda _object, name, *_rest: (
                not str(name).startswith(("paper_search", "ix_paper_search"))
            ),
        }
        context = MigrationContext.configure(connection, opts=options)
        return list(compare_metadata(context, tables.metadata))

    assert await on(two[0], compare) == []


def test_the_revision_that_the_code_needs_is_the_last_migration(tmp_path: Path) -> None:
    with made_database("sqlite", tmp_path, migrated=False) as database:
        scripts = ScriptDirectory.from_config(alembic_config(database.url))
        assert scripts.get_heads() == [HEAD]
