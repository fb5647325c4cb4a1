"""A migrated database for every test that asks for one, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from pith_graph.ingest.records import Ingest, RecordReport
from pith_graph.read.loaders import Loaders
from pith_graph.read.snapshot import Snapshot
from pith_graph.record.build import build_record, record_bytes
from pith_graph.record.facts import fetch_past_facts, load_facts
from pith_graph.store.engine import create_read_engine, create_write_engine
from tests.databases import (
    KINDS,
    Database,
    close_shared_folder,
    made_database,
    open_shared_folder,
)
from tests.records import SEED_AS_OF, encode


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
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
    readings = itertools.count()
    return lambda: datetime(2026, 12, 1, tzinfo=UTC) + timedelta(seconds=next(readings))


class Ingesting:
    """Takes in a record, a list of records as one JSON Lines file, or a file."""

    def __init__(self, run: Ingest, folder: Path) -> None:
        self._run = run
        self._folder = folder

    async def __call__(
        self, what: dict[str, Any] | list[dict[str, Any]] | Path | str
    ) -> list[RecordReport]:
        if isinstance(what, Path | str):
            return await self._run.run(str(what))
        records = what if isinstance(what, list) else [what]
        file = self._folder / ("records.jsonl" if isinstance(what, list) else "record.json")
        file.write_bytes(b"".join(encode(record) + b"\n" for record in records))
        return await self._run.run(str(file))


@pytest.fixture
def ingest(
    write_engine: AsyncEngine,
    database: Database,
    clock: Callable[[], datetime],
    tmp_path: Path,
) -> Ingesting:
    return Ingesting(Ingest(write_engine, database.url, clock), tmp_path)


class Exporting:
    """Builds a paper's record from rows: those of now, or as known ``at`` a time.

    ``as_of`` is the time that is printed; by default ``at``, else the seed's.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def __call__(
        self, arxiv_id: str, at: datetime | None = None, as_of: datetime | None = None
    ) -> bytes:
        snapshot = Snapshot(self._engine)
        try:
            if at is None:
                loaders = Loaders(snapshot)
                paper = await loaders.papers.load(arxiv_id)
                assert paper is not None, f"{arxiv_id} is not held"
                facts = await load_facts(loaders, paper)
            else:
                facts = await fetch_past_facts(snapshot, arxiv_id, at=at)
        finally:
            await snapshot.close()
        return record_bytes(build_record(facts, as_of=as_of or at or SEED_AS_OF))


@pytest.fixture
def export(read_engine: AsyncEngine) -> Exporting:
    return Exporting(read_engine)
