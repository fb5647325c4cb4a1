"""A database that holds the seed, for commands run in processes of their own."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select, text

from pith_graph.store.engine import create_read_engine, create_write_engine
from pith_graph.store.tables import metadata
from tests.commands import run
from tests.databases import KINDS, Database, made_database
from tests.records import seed_path


@pytest.fixture(scope="module", params=KINDS)
def held(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    """A database that holds the seed, for the tests of one module that change nothing."""
    with made_database(request.param, tmp_path_factory.mktemp("held")) as database:
        assert run("ingest", "record", str(seed_path), database=database).code == 0
        yield database


def rows_of(database: Database) -> dict[str, list[str]]:
    """Return all rows of all tables, as text."""

    async def read() -> dict[str, list[str]]:
        engine = create_read_engine(database.url, pool_size=1)
        try:
            async with engine.connect() as connection:
                return {
                    name: sorted(map(repr, await connection.execute(select(table))))
                    for name, table in metadata.tables.items()
                }
        finally:
            await engine.dispose()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, read()).result()


def execute(database: Database, statement: str) -> None:
    """Run SQL in a database."""

    async def write() -> None:
        engine = create_write_engine(database.url)
        try:
            async with engine.begin() as connection:
                await connection.execute(text(statement))
        finally:
            await engine.dispose()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, write()).result()
