"""Every keyed read of what is current: a batch of keys in, the rows by key out, one statement each.

`loaders` wraps them for one request; the record and the GraphQL types never write SQL.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import FromClause, func, select, union_all

from pith_graph.read.citations import (
    PAPER_COLUMNS,
    REFERENCES,
    WHOLE,
    WORK_COLUMNS,
    CitationReading,
    Ends,
    citation_reading,
    columns_of,
    joined,
)
from pith_graph.read.keys import KEYS, among, among_ids, id_places, id_values
from pith_graph.read.prepared import Prepared, prepare
from pith_graph.read.rows import (
    AuthorRow,
    CitationRow,
    HoldingsRow,
    LoadRow,
    PaperRow,
    SourceRow,
    WorkRow,
)
from pith_graph.read.snapshot import Snapshot
from pith_graph.store import tables
from pith_graph.vocabulary import CoverageLane, ResolutionStatus

_PAPERS, _WORKS = tables.papers, tables.cited_works
_HELD = _PAPERS.c.observed_at.is_not(None)
# DOIs are stored as written and compared in lower case.
_PAPER_DOI, _WORK_DOI = func.lower(_PAPERS.c.doi), func.lower(_WORKS.c.doi)

LOAD_COLUMNS = (
    "id",
    "source",
    "file_name",
    "sha256",
    "size_bytes",
    "started_at",
    "ended_at",
    "records_read",
    "records_changed",
    "records_refused",
)
_COUNT_NAMES = [
    f"{direction}_{status.value}"
    for direction in ("outbound", "inbound")
    for status in ResolutionStatus
]
_HOLDING_COLUMNS = (
    tables.bibliographies.c.source,
    tables.bibliographies.c.complete,
    tables.coverage_declarations.c.observed_at,
    tables.coverage_declarations.c.outbound_total,
    tables.coverage_declarations.c.inbound_total,
    *(tables.coverage_declarations.c[lane.value] for lane in CoverageLane),
    *(tables.paper_citation_counts.c[name] for name in _COUNT_NAMES),
)


def _with_holdings() -> FromClause:
    """Join papers to what is held of their citations: one row each, by primary key."""
    joined_tables: FromClause = _PAPERS
    for table in (
        tables.bibliographies,
        tables.coverage_declarations,
        tables.paper_citation_counts,
    ):
        joined_tables = joined_tables.outerjoin(table, table.c.paper_id == _PAPERS.c.id)
    return joined_tables


def _build_holdings(values: Sequence[Any]) -> HoldingsRow:
    lanes = dict(zip(CoverageLane, values[5:9], strict=True))
    counts = [count or 0 for count in values[9:]]
    statuses = list(ResolutionStatus)
    return HoldingsRow(
        bibliography=values[0],
        complete=bool(values[1]),
        outbound=dict(zip(statuses, counts[:6], strict=True)),
        inbound=dict(zip(statuses, counts[6:], strict=True)),
        declared_at=values[2],
        declared_outbound=values[3],
        declared_inbound=values[4],
        declared_lanes={lane: state for lane, state in lanes.items() if state is not None},
    )


async def fetch_papers(
    snapshot: Snapshot, arxiv_ids: Sequence[str]
) -> dict[str, tuple[PaperRow, HoldingsRow]]:
    """Return held papers by arXiv id, each with what is held of its citations."""
    width = len(PAPER_COLUMNS)
    rows = await snapshot.fetch(_papers_statement(snapshot.dialect), {KEYS: arxiv_ids})
    papers = [(PaperRow(*row[:width]), _build_holdings(row[width:])) for row in rows]
    return {paper.arxiv_id: (paper, holdings) for paper, holdings in papers}


@cache
def _papers_statement(dialect: str) -> Prepared:
    return prepare(
        select(*columns_of(_PAPERS, PAPER_COLUMNS), *_HOLDING_COLUMNS)
        .select_from(_with_holdings())
        .where(among(dialect, _PAPERS.c.arxiv_id, str), _HELD),
        dialect,
    )


async def fetch_holdings(snapshot: Snapshot, papers: Sequence[int]) -> dict[int, HoldingsRow]:
    """Return what is held of the citations of papers, by the papers' integer ids."""
    rows = await snapshot.fetch(_holdings_statement(snapshot.dialect), {KEYS: papers})
    return {row[0]: _build_holdings(row[1:]) for row in rows}


@cache
def _holdings_statement(dialect: str) -> Prepared:
    return prepare(
        select(_PAPERS.c.id, *_HOLDING_COLUMNS)
        .select_from(_with_holdings())
        .where(among(dialect, _PAPERS.c.id, int)),
        dialect,
    )


async def fetch_arxiv_ids_by_doi(
    snapshot: Snapshot, dois: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Return the arXiv ids of held papers that carry a DOI, or whose work does, by the DOI."""
    found: dict[str, set[str]] = {}
    rows = await snapshot.fetch(_by_doi_statement(snapshot.dialect), {KEYS: dois})
    for doi, arxiv_id in rows:
        found.setdefault(doi, set()).add(arxiv_id)
    return {doi: tuple(sorted(arxiv_ids)) for doi, arxiv_ids in found.items()}


@cache
def _by_doi_statement(dialect: str) -> Prepared:
    return prepare(
        union_all(
            select(_PAPER_DOI, _PAPERS.c.arxiv_id).where(among(dialect, _PAPER_DOI, str), _HELD),
            select(_WORK_DOI, _PAPERS.c.arxiv_id)
            .join_from(_WORKS, _PAPERS, _PAPERS.c.arxiv_id == _WORKS.c.arxiv_id)
            .where(among(dialect, _WORK_DOI, str), _HELD),
        ),
        dialect,
    )


async def fetch_works_by_id(snapshot: Snapshot, work_ids: Sequence[str]) -> dict[str, WorkRow]:
    """Return works by public id."""
    statement = _works_by_id_statement(snapshot.dialect, id_places(work_ids))
    rows = await snapshot.fetch(statement, id_values(snapshot.dialect, work_ids))
    return {row[1]: WorkRow(*row) for row in rows}


@cache
def _works_by_id_statement(dialect: str, places: int) -> Prepared:
    return prepare(
        select(*columns_of(_WORKS, WORK_COLUMNS)).where(
            among_ids(dialect, _WORKS.c.work_id, places)
        ),
        dialect,
    )


async def fetch_works_by_name(
    snapshot: Snapshot, name: str, values: Sequence[str]
) -> dict[str, tuple[WorkRow, ...]]:
    """Return works by ``doi`` (lower case) or ``arxiv_id``; several may carry the same one."""
    found: dict[str, list[WorkRow]] = {}
    statement = _works_by_name_statement(snapshot.dialect, name)
    for row in await snapshot.fetch(statement, {KEYS: values}):
        found.setdefault(row[0], []).append(WorkRow(*row[1:]))
    return {
        value: tuple(sorted(works, key=lambda work: work.key)) for value, works in found.items()
    }


@cache
def _works_by_name_statement(dialect: str, name: str) -> Prepared:
    column = _WORK_DOI if name == "doi" else _WORKS.c.arxiv_id
    return prepare(
        select(column, *columns_of(_WORKS, WORK_COLUMNS)).where(among(dialect, column, str)),
        dialect,
    )


async def fetch_citations(
    snapshot: Snapshot, observation_ids: Sequence[str]
) -> dict[str, CitationRow]:
    """Return current citations by observation id."""
    reading = _whole_citations(snapshot.dialect)
    statement = _citations_statement(snapshot.dialect, id_places(observation_ids))
    rows = await snapshot.fetch_raw(statement, id_values(snapshot.dialect, observation_ids))
    return {row.observation_id: row for row in reading.build(rows, Ends.none())}


@cache
def _whole_citations(dialect: str) -> CitationReading:
    return citation_reading(WHOLE, dialect)


@cache
def _citations_statement(dialect: str, places: int) -> Prepared:
    return prepare(
        select(*_whole_citations(dialect).columns)
        .select_from(joined(REFERENCES, WHOLE))
        .where(among_ids(dialect, REFERENCES.c.observation_id, places)),
        dialect,
    )


async def fetch_authors(
    snapshot: Snapshot, owner: str, keys: Sequence[int]
) -> dict[int, tuple[AuthorRow, ...]]:
    """Return the authors of papers or works (``paper`` or ``work``); missing where not known."""
    found: dict[int, list[AuthorRow]] = {}
    for row in await snapshot.fetch(_authors_statement(snapshot.dialect, owner), {KEYS: keys}):
        found.setdefault(row[0], []).append(AuthorRow(*row[1:]))
    return {key: tuple(authors) for key, authors in found.items()}


@cache
def _authors_statement(dialect: str, owner: str) -> Prepared:
    table = tables.paper_authors if owner == "paper" else tables.work_authors
    key = table.c[f"{owner}_id"]
    return prepare(
        select(key, table.c.position, table.c.name, table.c.family, table.c.given, table.c.orcid)
        .where(among(dialect, key, int))
        .order_by(key, table.c.position),
        dialect,
    )


async def fetch_work_counts(
    snapshot: Snapshot, works: Sequence[int]
) -> dict[int, dict[ResolutionStatus, int]]:
    """Return the kept counts of the citations of works, by resolution status."""
    rows = await snapshot.fetch(_work_counts_statement(snapshot.dialect), {KEYS: works})
    return {row[0]: dict(zip(ResolutionStatus, row[1:], strict=True)) for row in rows}


@cache
def _work_counts_statement(dialect: str) -> Prepared:
    table = tables.work_citation_counts
    names = [f"citations_{status.value}" for status in ResolutionStatus]
    return prepare(
        select(table.c.work_id, *columns_of(table, names)).where(
            among(dialect, table.c.work_id, int)
        ),
        dialect,
    )


async def fetch_sources(snapshot: Snapshot) -> list[SourceRow]:
    """Return what was loaded of each kind of file, in the vocabulary's order."""
    return [
        SourceRow(row[0], row[1], row[2], row[3], LoadRow(*row[4:]))
        for row in await snapshot.fetch(_sources_statement(snapshot.dialect))
    ]


@cache
def _sources_statement(dialect: str) -> Prepared:
    table = tables.loads
    summary = (
        select(
            table.c.source,
            func.count().label("loads"),
            func.min(table.c.started_at).label("first"),
            func.max(table.c.started_at).label("last"),
            func.max(table.c.id).label("latest"),
        )
        .group_by(table.c.source)
        .subquery("summary")
    )
    return prepare(
        select(
            summary.c.source,
            summary.c.loads,
            summary.c.first,
            summary.c.last,
            *columns_of(table, LOAD_COLUMNS),
        )
        .join_from(summary, table, table.c.id == summary.c.latest)
        .order_by(summary.c.source),
        dialect,
    )
