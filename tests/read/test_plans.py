"""Plans on 100,000 citations, analyzed: every read goes by its index, in one statement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from pith_graph.read import history, queries, standing
from pith_graph.read.keyset import Values, Window
from pith_graph.read.lists import (
    DEFAULT_SORTS,
    CitationFilter,
    CitationList,
    CitationSort,
)
from pith_graph.read.pages import PageRequest, fetch_filtered_counts, fetch_pages
from pith_graph.read.search import fetch_search, fetch_search_count
from pith_graph.read.snapshot import Snapshot
from pith_graph.store import tables
from pith_graph.vocabulary import (
    CitationOrderField,
    OrderDirection,
    ResolutionStatus,
    StandingClass,
)
from tests.databases import KINDS
from tests.graphs import Graph, made_graph
from tests.read.conftest import Filled, filled_database
from tests.read.statements import Statement, driven_statements, explain, work_done

Call = Callable[[Snapshot, Graph, int], Awaitable[Any]]

CITATIONS = 100_000
# Smaller tables are read from end to end where many keys are asked for, and rightly.
BIG = {
    "paper_references",
    "paper_reference_links",
    "cited_works",
    "work_authors",
    "scholarly_work_events",
    "retraction_status_cache",
    "paper_search",
}
SORTS = [
    CitationSort(field, direction) for field in CitationOrderField for direction in OrderDirection
]
LIST_INDEXES = {
    CitationList.OUTBOUND: "ix_paper_references_outbound",
    CitationList.INBOUND: "ix_paper_references_inbound",
    CitationList.WORK: "ix_paper_reference_links_work",
}
# The tables by the names that statements give them.
ALIASES = {"entry": "paper_references", "link": "paper_reference_links", "work": "cited_works"}
# Indexes of few rows, which may be read whole: receipts of whole sources, works with an arXiv id.
WHOLE_INDEXES = {"ix_retraction_status_cache_all", "ix_cited_works_arxiv_id"}


@dataclass(frozen=True, slots=True)
class Read:
    """One read function, called with keys of the graph, and the indexes it has to go by."""

    name: str
    call: Call
    sqlite: frozenset[str]
    postgresql: frozenset[str]


def read(name: str, call: Call, *indexes: str) -> Read:
    """Describe a read. An index name ``a|b`` is a on SQLite, b on PostgreSQL; empty for none."""
    pairs = [index.partition("|") if "|" in index else (index, "", index) for index in indexes]
    return Read(
        name,
        call,
        frozenset(pair[0] for pair in pairs if pair[0]),
        frozenset(pair[2] for pair in pairs if pair[2]),
    )


def some(graph: Graph, table: Any, name: str, count: int) -> list[Any]:
    """Return values of a column, as keys; DOIs as they are asked for."""
    values = [value for value in graph.column(table, name) if value is not None][:count]
    return [value.lower() for value in values] if name == "doi" else values


def shown(graph: Graph, table: Any, name: str, count: int) -> list[str]:
    """Return public ids as they are shown."""
    return [str(value) for value in some(graph, table, name, count)]


def ids(count: int) -> list[int]:
    return list(range(1, count + 1))


def counts(which: CitationList, only: CitationFilter) -> Call:
    return lambda s, _, n: fetch_filtered_counts(s, which, only, ids(n))


def pages(which: CitationList, sort: CitationSort) -> Call:
    return lambda s, _, n: fetch_pages(s, PageRequest(which, sort, Window(20)), ids(n))


def past_citations(which: CitationList) -> Call:
    # A paper with an ordinary list: the most cited one's is read whole, with all that it joins.
    return lambda s, *_: history.fetch_past_citations(s, which, 900, at=LONG_AFTER, size=100)


LONG_AFTER = datetime(2025, 1, 1, tzinfo=UTC)
UNRESOLVED = CitationFilter(resolution=frozenset({ResolutionStatus.UNRESOLVED}))
STANDING = CitationFilter(
    standing=frozenset({StandingClass.RETRACTION, StandingClass.NO_EVENT_FOUND})
)
STANDING_INDEXES = ("ix_scholarly_work_events_work", "ix_retraction_status_cache_work",
                    "ix_retraction_status_cache_all")  # fmt: skip
# FTS5 is an index itself.
SEARCH_INDEX = "|ix_paper_search_lexemes"

READS = [
    read(
        "papers",
        lambda s, g, n: queries.fetch_papers(s, some(g, tables.papers, "arxiv_id", n)),
        "sqlite_autoindex_papers_1|uq_papers_arxiv_id",
    ),
    read("holdings", lambda s, _, n: queries.fetch_holdings(s, ids(n)), "|pk_papers"),
    read(
        "arxiv ids by doi",
        lambda s, g, n: queries.fetch_arxiv_ids_by_doi(s, some(g, tables.papers, "doi", n)),
        "ix_papers_doi|",
        "ix_cited_works_doi",
    ),
    read(
        "works by id",
        lambda s, g, n: queries.fetch_works_by_id(s, shown(g, tables.cited_works, "work_id", n)),
        "sqlite_autoindex_cited_works_1|uq_cited_works_work_id",
    ),
    read(
        "works by doi",
        lambda s, g, n: queries.fetch_works_by_name(
            s, "doi", some(g, tables.cited_works, "doi", n)
        ),
        "ix_cited_works_doi",
    ),
    read(
        "works by arxiv id",
        lambda s, g, n: queries.fetch_works_by_name(
            s, "arxiv_id", some(g, tables.cited_works, "arxiv_id", n)
        ),
        "ix_cited_works_arxiv_id",
    ),
    read(
        "citations",
        lambda s, g, n: queries.fetch_citations(
            s, shown(g, tables.paper_references, "observation_id", n)
        ),
        "sqlite_autoindex_paper_references_1|uq_paper_references_observation_id",
    ),
    read(
        "authors of papers",
        lambda s, _, n: queries.fetch_authors(s, "paper", ids(n)),
        "sqlite_autoindex_paper_authors_1|pk_paper_authors",
    ),
    read(
        "authors of works",
        lambda s, _, n: queries.fetch_authors(s, "work", ids(n)),
        "sqlite_autoindex_work_authors_1|pk_work_authors",
    ),
    read(
        "counts of works",
        lambda s, _, n: queries.fetch_work_counts(s, ids(n)),
        "|pk_work_citation_counts",
    ),
    read("standing", lambda s, _, n: standing.fetch_standing(s, ids(n)), *STANDING_INDEXES),
    read(
        "notes of papers",
        lambda s, _, n: standing.fetch_paper_notes(s, ids(n)),
        "ix_external_citation_measurements_paper",
        "ix_retraction_status_cache_paper",
        "ix_retraction_status_cache_all",
    ),
    read(
        "measurements of works",
        lambda s, _, n: standing.fetch_work_measurements(s, ids(n)),
        "ix_external_citation_measurements_work",
    ),
    read("search", lambda s, _, n: fetch_search(s, "4242 " * min(n, 2), Window(20)), SEARCH_INDEX),
    read("search count", lambda s, _, n: fetch_search_count(s, "4242 " * min(n, 2)), SEARCH_INDEX),
    read(
        "a paper of the past",
        lambda s, g, _: history.fetch_past_paper(s, g.held[0]["arxiv_id"], at=LONG_AFTER),
        "sqlite_autoindex_papers_1|uq_papers_arxiv_id",
        "ix_papers_history_period|",
    ),
    *(
        read(f"citations of the past, {which}", past_citations(which), *indexes)
        for which, indexes in (
            (
                CitationList.OUTBOUND,
                ("ix_paper_references_outbound", "ix_paper_references_history_period|"),
            ),
            (
                CitationList.INBOUND,
                ("ix_paper_references_inbound", "ix_paper_references_history_cited_paper_id|"),
            ),
        )
    ),
    *(
        read(
            f"{name} count, {which}",
            counts(which, only),
            LIST_INDEXES[which],
            *indexes,
        )
        for which in CitationList
        for name, only, indexes in (
            ("unresolved", UNRESOLVED, ()),
            ("standing", STANDING, STANDING_INDEXES),
        )
    ),
    *(
        read(
            f"page, {which}, {sort.name}",
            pages(which, sort),
            LIST_INDEXES[which],
        )
        for which in CitationList
        for sort in SORTS
    ),
]


@pytest.fixture(scope="module", params=KINDS)
def filled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Filled]:
    yield from filled_database(
        request.param, tmp_path_factory, made_graph(CITATIONS, papers=12_000)
    )


# For 21 rows of six tables: blocks that PostgreSQL looks at, hundreds of steps of SQLite's machine.
MOST_WORK = {"postgresql": 500, "sqlite": 60}


async def statement_of(
    engine: AsyncEngine, call: Callable[[Snapshot], Awaitable[Any]]
) -> Statement:
    """Return the one statement that a call runs."""
    snapshot = Snapshot(engine)
    with driven_statements() as statements:
        await call(snapshot)
    await snapshot.close()
    assert len(statements) == 1
    return statements[0]


@pytest.mark.parametrize("read", READS, ids=lambda read: read.name)
@pytest.mark.parametrize("count", [1, 50])
async def test_a_read_is_one_statement_that_goes_by_its_indexes(
    filled: Filled, engine: AsyncEngine, read: Read, count: int
) -> None:
    graph, dialect = filled.graph, engine.dialect.name
    plan = await explain(
        engine, await statement_of(engine, lambda snapshot: read.call(snapshot, graph, count))
    )
    assert plan.indexes >= (read.sqlite if dialect == "sqlite" else read.postgresql), plan.text
    read_whole = [
        scan
        for scan in plan.scans
        if ALIASES.get(scan.table, scan.table) in BIG
        and not scan.sought
        and scan.index not in WHOLE_INDEXES
    ]
    assert not read_whole, plan.text


def longest(graph: Graph, which: CitationList) -> int:
    """Return the paper or work with the longest list."""
    if which is not CitationList.OUTBOUND:
        return 1
    citing = Counter(graph.column(tables.paper_references, "citing_paper_id"))
    return int(citing.most_common(1)[0][0])


def window(place: str, values: Values) -> Window:
    """Return a window of 20 rows at an end of the list, or on one side of a row."""
    return {
        "first": Window(20),
        "last": Window(20, backward=True),
        "after": Window(20, after=values),
        "before": Window(20, backward=True, before=values),
    }[place]


@pytest.mark.parametrize("which", list(CitationList))
@pytest.mark.parametrize("place", ["first", "last", "after", "before"])
async def test_a_page_in_the_default_order_walks_the_index_and_sorts_no_list(
    filled: Filled, engine: AsyncEngine, which: CitationList, place: str
) -> None:
    sort, parent = DEFAULT_SORTS[which], longest(filled.graph, which)
    snapshot = Snapshot(engine)
    request = PageRequest(which, sort, Window(100))
    first = (await fetch_pages(snapshot, request, [parent]))[parent]
    await snapshot.close()
    middle = first.items[len(first.items) // 2].sort_values
    request = PageRequest(which, sort, window(place, middle))
    statement = await statement_of(
        engine, lambda snapshot: fetch_pages(snapshot, request, [parent])
    )
    plan = await explain(engine, statement)
    assert LIST_INDEXES[which] in plan.indexes, plan.text
    assert not plan.sorts_lists, plan.text


@pytest.mark.parametrize("which", [CitationList.INBOUND, CitationList.WORK])
async def test_the_first_page_of_the_longest_list_costs_its_rows_and_not_the_list(
    filled: Filled, engine: AsyncEngine, which: CitationList
) -> None:
    request = PageRequest.first(which, 20)
    statement = await statement_of(engine, lambda snapshot: fetch_pages(snapshot, request, [1]))
    whole = CitationFilter(resolution=frozenset(ResolutionStatus))
    snapshot = Snapshot(engine)
    length = (await fetch_filtered_counts(snapshot, which, whole, [1]))[1]
    await snapshot.close()
    assert length > 4000
    assert await work_done(engine, statement) < MOST_WORK[engine.dialect.name]
