from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import Connection, inspect

from pith_graph.store import tables
from pith_graph.store.engine import create_write_engine
from pith_graph.store.migrations import alembic_config, migrations_folder, upgrade
from pith_graph.store.revision import require_head
from tests.databases import KINDS, Database, made_database

SEARCH = {"paper_search"}


@pytest.fixture(params=KINDS)
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database without a schema."""
    with made_database(request.param, tmp_path, migrated=False) as made:
        yield made


async def table_names(database: Database) -> set[str]:
    engine = create_write_engine(database.url)

    def names(connection: Connection) -> set[str]:
        found = set(inspect(connection).get_table_names())
        return {name for name in found if not name.startswith("paper_search_")}

    try:
        async with engine.connect() as connection:
            return await connection.run_sync(names)
    finally:
        await engine.dispose()


def in_thread(function, *arguments) -> None:
    """Alembic runs an event loop of its own."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(function, *arguments).result()


async def test_an_empty_database_is_brought_to_head(empty: Database) -> None:
    in_thread(upgrade, empty.url)
    engine = create_write_engine(empty.url)
    await require_head(engine)
    await engine.dispose()
    assert await table_names(empty) == {*tables.metadata.tables, *SEARCH, "alembic_version"}


async def test_upgrading_twice_changes_nothing(empty: Database) -> None:
    in_thread(upgrade, empty.url)
    in_thread(upgrade, empty.url)
    assert await table_names(empty) == {*tables.metadata.tables, *SEARCH, "alembic_version"}


def run_upgrades(address: str, count: int) -> list[int]:
    """Upgrade from several processes at once; return their exit codes."""
    program = (
        "import sys\n"
        "from pith_graph.store.engine import parse_database_url\n"
        "from pith_graph.store.migrations import upgrade\n"
        "upgrade(parse_database_url(sys.argv[1]))\n"
    )
    command_line = [sys.executable, "-c", program, address]
    processes = [subprocess.Popen(command_line) for _ in range(count)]
    return [process.wait(60) for process in processes]


async def test_two_upgrades_at_once_wait_for_each_other(empty: Database) -> None:
    assert run_upgrades(empty.text, 2) == [0, 0]
    assert await table_names(empty) == {*tables.metadata.tables, *SEARCH, "alembic_version"}


async def test_down_and_up_again_gives_the_same_tables(empty: Database) -> None:
    in_thread(upgrade, empty.url)
    in_thread(command.downgrade, alembic_config(empty.url), "base")
    assert await table_names(empty) == {"alembic_version"}
    in_thread(upgrade, empty.url)
    assert await table_names(empty) == {*tables.metadata.tables, *SEARCH, "alembic_version"}


def test_the_migrations_stand_by_themselves() -> None:
    for file in (migrations_folder() / "versions").glob("*.py"):
        assert "store.tables" not in file.read_text(), file.name
        assert "import tables" not in file.read_text(), file.name
