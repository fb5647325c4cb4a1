"""The real schema over a small real store, with loaders that can be made to fail."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from pith_graph.errors import StoreError
from pith_graph.gql.context import RequestContext, open_context
from pith_graph.gql.types.node import encode_global_id
from pith_graph.ingest.records import Ingest
from pith_graph.read.loader import Loader
from pith_graph.read.loaders import Loaders
from pith_graph.settings import Settings
from pith_graph.store.engine import create_write_engine
from tests.databases import Database
from tests.records import SEED_AS_OF, SEED_ID, encode, make_record, seed

NOW = datetime(2027, 1, 1, tzinfo=UTC)

LOADERS = (
    "papers",
    "holdings",
    "paper_notes",
    "paper_authors",
    "papers_by_doi",
    "works_by_id",
    "works_by_doi",
    "works_by_arxiv_id",
    "work_authors",
    "work_counts",
    "work_measurements",
    "standing",
    "citations",
    "pages",
    "searches",
    "search_counts",
    "changes",
    "filtered_counts",
)


async def fill(database: Database, folder: Path) -> dict[str, Any]:
    """Take in the seed and a made record; return values for the schema's arguments."""
    engine = create_write_engine(database.url)
    records = [seed(), make_record(arxiv_id="2601.00007", citations=12, inbound=3)]
    for number, record in enumerate(records):
        file = folder / f"{number}.json"
        file.write_bytes(encode(record))
        await Ingest(engine, database.url, lambda: NOW).run(str(file))
    await engine.dispose()
    return argument_pools(records)


def argument_pools(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Return values that find something, and some that do not."""
    papers = [record["paper"]["arxiv_id"] for record in records]
    assert SEED_ID in papers
    listed = [item for record in records for item in record["outbound"]]
    works = [item["citation"]["cited_work"] for item in listed]
    work_ids = [work["work_id"] for work in works if work and work["work_id"]][:8]
    dois = [work["doi"] for work in works if work and work["doi"]][:4] or ["10.1/x"]
    observations = [item["observation_id"] for item in listed][:8]
    nodes = [
        *(encode_global_id("Paper", name) for name in papers),
        *(encode_global_id("Work", name) for name in work_ids[:3]),
        *(encode_global_id("Citation", name) for name in observations[:3]),
    ]
    identifiers = [*papers, "2101.00001", dois[0], "no id"]
    return {
        "ID": [*nodes, "no node"],
        "String": identifiers,
        "ArxivId": [*papers, "2101.00001"],
        "DOI": dois,
        "UUID": [*work_ids, *observations],
        "DateTime": [SEED_AS_OF.isoformat().replace("+00:00", "Z"), "2026-09-01T00:00:00Z"],
        "Int": [0, 1, 2, 5, 100],
    }


@asynccontextmanager
async def failing_context(
    engine: AsyncEngine, failing: Collection[str]
) -> AsyncIterator[RequestContext]:
    """Open a request's context of which some loaders fail."""
    async with open_context(engine, Settings(), clock=lambda: NOW) as context:
        for name in failing:
            loader: Loader[Any, Any] = Loader(_failing(name), missing=None)
            setattr(context.loaders, name, loader)
        yield context


def _failing(name: str) -> Callable[[Any], Awaitable[Any]]:
    async def fail(_keys: Any) -> Any:
        raise StoreError(f"the loader {name} failed")

    return fail


def loader_names() -> set[str]:
    """Return the names of all loaders."""
    return {name for name, value in vars(Loaders(None)).items() if isinstance(value, Loader)}  # type: ignore[arg-type]
