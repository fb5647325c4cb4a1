"""What a page of the feed costs on 100,000 citations: short walks of indexes, whatever it shows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from pith_graph.read.changes import ChangePage, fetch_changes
from pith_graph.read.keyset import Values, Window
from pith_graph.read.snapshot import Snapshot
from pith_graph.store import tables
from pith_graph.vocabulary import ChangeKind
from tests.databases import KINDS
from tests.graphs import Graph, made_graph
from tests.read.change_model import LASTING
from tests.read.conftest import Filled, filled_database
from tests.read.statements import Statement, driven_statements, explain

CITATIONS = 100_000
LARGE, SMALL = 5_000, 20

VERSIONED = {
    "papers",
    "paper_references",
    "paper_reference_links",
    "cited_works",
    "scholarly_work_events",
    "retraction_status_cache",
    "external_citation_measurements",
    "bibliographies",
}

# In the midst of the large commit, at its end, and in the small ones; of each kind of stretch.
PLACES: dict[str, Values] = {
    "large": (1, ChangeKind.CITATION.code, 1, LARGE // 2, LASTING),
    "large link": (1, ChangeKind.RESOLUTION.code, 1, LARGE // 2, LASTING),
    "end": (1, ChangeKind.COVERAGE.code, 2, LASTING, LASTING),
    "small": (200, ChangeKind.CITATION.code, 1, LARGE + 198 * SMALL + 10, LASTING),
}
WINDOWS = {
    "first": Window(100),
    "last": Window(100, backward=True),
    **{f"after {name}": Window(100, after=place) for name, place in PLACES.items()},
    **{
        f"before {name}": Window(100, backward=True, before=place) for name, place in PLACES.items()
    },
    "between": Window(100, after=PLACES["large"], before=PLACES["small"]),
}


def spread(graph: Graph) -> Graph:
    """Return the graph as one large commit and many small ones."""
    last = 1
    for rows in graph.rows.values():
        for number, row in enumerate(rows):
            if row.get("commit_number") is not None and number >= LARGE:
                row["commit_number"] = 2 + (number - LARGE) // SMALL
                last = max(last, row["commit_number"])
    first = graph.rows[tables.commits][0]
    graph.rows[tables.commits] = [first | {"number": number} for number in range(1, last + 1)]
    return graph


@pytest.fixture(scope="module", params=KINDS)
def filled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Filled]:
    yield from filled_database(request.param, tmp_path_factory, spread(made_graph(CITATIONS)))


async def read(engine: AsyncEngine, window: Window) -> tuple[ChangePage, Statement]:
    """Return a page, and the one statement that read it."""
    snapshot = Snapshot(engine)
    with driven_statements() as statements:
        page = await fetch_changes(snapshot, window)
    await snapshot.close()
    assert len(statements) == 1
    return page, statements[0]


@pytest.mark.parametrize("name", WINDOWS)
async def test_a_page_walks_indexes_from_its_border(
    filled: Filled, engine: AsyncEngine, name: str
) -> None:
    page, statement = await read(engine, WINDOWS[name])
    assert len(page.items) == 100
    places = [change.sort_values for change in page.items]
    assert all(one < other for one, other in pairwise(places))

    plan = await explain(engine, statement)
    many = {table.name for table, rows in filled.graph.rows.items() if len(rows) > 1000}
    assert many >= {"papers", "paper_references", "paper_reference_links", "cited_works"}
    walked = {scan.index for scan in plan.scans if scan.table in many and scan.index}
    assert walked >= {f"ix_{table}_commit_number" for table in many & VERSIONED}
    assert not [s for s in plan.scans if s.table in many and not s.sought], plan.text


async def test_no_page_reads_more_than_its_walks_are_long(
    filled: Filled, engine: AsyncEngine
) -> None:
    work = sqlite_steps if engine.dialect.name == "sqlite" else postgresql_rows
    spent = [await work(engine, (await read(engine, each))[1]) for each in WINDOWS.values()]
    # There are some thirty walks; each reads at most 101 rows, each a few dozen steps of SQLite's.
    # PostgreSQL also reads the large commit. To read one table would take far more.
    commit = sum(
        row.get("commit_number") == 1 for rows in filled.graph.rows.values() for row in rows
    )
    limit = 100_000 if engine.dialect.name == "sqlite" else 5_000 + commit
    assert max(spent) < limit, spent


async def sqlite_steps(engine: AsyncEngine, statement: Statement) -> int:
    """Count the instructions of SQLite's machine that a statement takes, in hundreds."""
    calls = 0

    def note() -> None:
        nonlocal calls
        calls += 1

    async with engine.connect() as connection:
        driver: Any = (await connection.get_raw_connection()).driver_connection
        await driver.set_progress_handler(note, 100)
        await driver.execute_fetchall(statement.text, statement.parameters)
        await driver.set_progress_handler(None, 0)
    return calls * 100


async def postgresql_rows(engine: AsyncEngine, statement: Statement) -> int:
    """Count the rows that PostgreSQL reads of tables."""

    def count(node: dict[str, Any]) -> int:
        own = 0
        if "Relation Name" in node:
            dropped = node.get("Rows Removed by Filter", 0)
            own = int((node["Actual Rows"] + dropped) * node["Actual Loops"])
        return own + sum(count(child) for child in node.get("Plans", ()))

    async with engine.connect() as connection:
        driver: Any = (await connection.get_raw_connection()).driver_connection
        sql = f"EXPLAIN (ANALYZE, FORMAT JSON) {statement.text}"
        explained = await driver.fetchval(sql, *statement.parameters)
    return count(explained[0]["Plan"])
