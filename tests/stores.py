"""Filling a test's store with records and exporting them again; ``conftest`` has the fixtures."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from pith_graph.ingest.records import Ingest, RecordReport
from pith_graph.read.loaders import Loaders
from pith_graph.read.snapshot import Snapshot
from pith_graph.record.build import build_record, record_bytes
from pith_graph.record.facts import fetch_past_facts, load_facts
from pith_graph.store.engine import create_read_engine, create_write_engine
from tests.databases import made_database
from tests.records import SEED_AS_OF, encode


def ticking_clock() -> Callable[[], datetime]:
    """Return a clock of which each reading is a second later."""
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


@dataclass(frozen=True, slots=True)
class OpenStore:
    """A store of a test that needs several."""

    ingest: Ingesting
    export: Exporting
    engine: AsyncEngine


@asynccontextmanager
async def open_store(kind: str, folder: Path) -> AsyncIterator[OpenStore]:
    """Make an empty store, and remove it afterwards."""
    with made_database(kind, folder) as database:
        write = create_write_engine(database.url)
        read = create_read_engine(database.url, pool_size=2)
        run = Ingest(write, database.url, ticking_clock())
        try:
            yield OpenStore(Ingesting(run, folder), Exporting(read), read)
        finally:
            await write.dispose()
            await read.dispose()
