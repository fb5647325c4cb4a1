"""A migrated database for every test that asks for one, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from pith_graph.ingest.records import Ingest
from pith_graph.store.engine import create_read_engine, create_write_engine
from tests.databases import (
    KINDS,
    Database,
    close_shared_folder,
    made_database,
    open_shared_folder,
)
from tests.stores import Exporting, Ingesting, ticking_clock


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        # A run that is terminated ends like an interrupted one, and stops its cluster.
        signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
        open_shared_folder()


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        close_shared_folder()


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database of the test's own at the head revision, without rows."""
    with made_database(request.param, tmp_path) as made:
        yield made


@pytest.fixture
async def write_engine(database: Database) -> AsyncIterator[AsyncEngine]:
    engine = create_write_engine(database.url)
    yield engine
    await engine.dispose()


@pytest.fixture
async def read_engine(database: Database) -> AsyncIterator[AsyncEngine]:
    engine = create_read_engine(database.url, pool_size=4)
    yield engine
    await engine.dispose()


@pytest.fixture
def clock() -> Callable[[], datetime]:
    """The writer's clock: each reading is a second later."""
    return ticking_clock()


@pytest.fixture
def ingest(
    write_engine: AsyncEngine,
    database: Database,
    clock: Callable[[], datetime],
    tmp_path: Path,
) -> Ingesting:
    """Takes in records or a file; each file is a load."""
    return Ingesting(Ingest(write_engine, database.url, clock), tmp_path)


@pytest.fixture
def export(read_engine: AsyncEngine) -> Exporting:
    """Builds a paper's record from rows, of now or of a time."""
    return Exporting(read_engine)
