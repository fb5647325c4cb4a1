"""A made graph in both databases, filled once for each module that reads it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncEngine

from pith_graph.read.snapshot import Snapshot
from pith_graph.store.engine import create_read_engine, create_write_engine
from tests.databases import KINDS, Database, made_database
from tests.graphs import Graph, insert_graph, made_graph

CITATIONS = 600


@dataclass(frozen=True, slots=True)
class Filled:
    """A database with a made graph in it."""

    database: Database
    graph: Graph


async def fill(url: URL, graph: Graph) -> None:
    """Insert a graph, put its words in order as PostgreSQL's own upkeep would, and analyze."""
    engine = create_write_engine(url)
    try:
        async with engine.begin() as connection:
            await insert_graph(connection, graph)
            if engine.dialect.name == "postgresql":
                await connection.exec_driver_sql(
                    "SELECT gin_clean_pending_list('ix_paper_search_lexemes')"
                )
            await connection.exec_driver_sql("ANALYZE")
    finally:
        await engine.dispose()


def filled_database(kind: str, factory: pytest.TempPathFactory, graph: Graph) -> Iterator[Filled]:
    """Make a database and fill it, outside of any test's event loop."""
    with made_database(kind, factory.mktemp("graph")) as database:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(asyncio.run, fill(database.url, graph)).result()
        yield Filled(database, graph)


@pytest.fixture(scope="module", params=KINDS)
def filled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Filled]:
    """A database with a graph that a module's tests only read."""
    yield from filled_database(request.param, tmp_path_factory, made_graph(CITATIONS))


@pytest.fixture
async def engine(filled: Filled) -> AsyncIterator[AsyncEngine]:
    engine = create_read_engine(filled.database.url, pool_size=2)
    yield engine
    await engine.dispose()


@pytest.fixture
async def snapshot(engine: AsyncEngine) -> AsyncIterator[Snapshot]:
    snapshot = Snapshot(engine)
    yield snapshot
    await snapshot.close()
