"""Reading a paper and its citations as they were known at a time: current rows and history twins.

The same rows as `queries` and `pages` give of now, for one paper, so that the record is built the
same way for any time. Each to-one edge is joined twice, to what is current and to what was; at most
one of the two holds at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Select,
    and_,
    func,
    literal,
    or_,
    select,
    union_all,
)

from pith_graph.read.citations import (
    CITED_AS_COLUMNS,
    LINK_COLUMNS,
    PAPER_COLUMNS,
    REFERENCE_COLUMNS,
    WORK_COLUMNS,
    build_citation,
    columns_of,
)
from pith_graph.read.lists import CitationList, Joined, belongs
from pith_graph.read.rows import CitationRow, HoldingsRow, PaperRow
from pith_graph.read.snapshot import Snapshot
from pith_graph.read.standing import versions_at
from pith_graph.store import tables
from pith_graph.vocabulary import CoverageLane


@dataclass(frozen=True, slots=True)
class PastPaper:
    """A paper as it was known, and what was held and declared of its citations.

    ``holdings`` has no counts: those of a past time come with its citations.
    """

    paper: PaperRow
    holdings: HoldingsRow


@dataclass(frozen=True, slots=True)
class PastCitations:
    """The first citations of a list as they were known, and how many there were."""

    items: tuple[CitationRow, ...]
    total: int


async def fetch_past_paper(snapshot: Snapshot, arxiv_id: str, *, at: datetime) -> PastPaper | None:
    """Return a paper as it was known at a time, None where it was not held then."""
    declarations = tables.coverage_declarations, tables.coverage_declarations_history
    bibliographies = tables.bibliographies, tables.bibliographies_history
    declared_names = ("observed_at", "outbound_total", "inbound_total",
                      *(lane.value for lane in CoverageLane))  # fmt: skip
    # History is indexed by the integer id, which the paper's row keeps.
    key = select(tables.papers.c.id).where(tables.papers.c.arxiv_id == arxiv_id).scalar_subquery()
    arms = []
    for papers, held in versions_at(tables.papers.alias("now"), tables.papers_history, at):
        source, declared = papers, []
        columns = columns_of(papers, PAPER_COLUMNS)
        for pair, names in (
            (bibliographies, ("source", "complete")),
            (declarations, declared_names),
        ):
            source, found = _join_at(source, pair, "paper_id", papers.c.id, at=at)
            declared += [(table, names) for table in found]
        columns += [column for table, names in declared for column in columns_of(table, names)]
        arms.append(
            select(*[c.label(f"c{i}") for i, c in enumerate(columns)])
            .select_from(source)
            .where(papers.c.id == key, held)
        )
    rows = await snapshot.fetch(union_all(*arms))
    if not rows:
        return None
    values = rows[0]
    return PastPaper(PaperRow(*values[:14]), _holdings(values[14:]))


def _holdings(values: Sequence[Any]) -> HoldingsRow:
    bibliography = _either(values[0:2], values[2:4])
    declared = _either(values[4:11], values[11:18])
    lanes = dict(zip(CoverageLane, declared[3:], strict=True))
    return HoldingsRow(
        bibliography=bibliography[0],
        complete=bool(bibliography[1]),
        outbound={},
        inbound={},
        declared_at=declared[0],
        declared_outbound=declared[1],
        declared_inbound=declared[2],
        declared_lanes={lane: state for lane, state in lanes.items() if state is not None},
    )


async def fetch_past_citations(
    snapshot: Snapshot, which: CitationList, paper: int, *, at: datetime, size: int
) -> PastCitations:
    """Return the first citations of a paper's list as they were known, in its default order."""
    rows = await snapshot.fetch(_past_statement(which, paper, at=at, size=size))
    items = tuple(build_citation(_merge(row)) for row in rows)
    return PastCitations(items, rows[0][0] if rows else 0)


def _past_statement(which: CitationList, paper: int, *, at: datetime, size: int) -> Select[Any]:
    arms = [
        _past_arm(references, held, which, paper, at=at)
        for references, held in versions_at(
            tables.paper_references, tables.paper_references_history, at
        )
    ]
    past = union_all(*arms).subquery("past")
    keys: list[ColumnElement[Any]] = [
        past.c.reference_index,
        past.c.sub_index,
        past.c.reference_key,
    ]
    if which is CitationList.INBOUND:
        keys = [past.c.source_observed_at.desc(), past.c.reference_key.desc()]
    return select(func.count().over().label("total"), past).order_by(*keys).limit(size)


def _past_arm(
    references: FromClause,
    held: ColumnElement[bool],
    which: CitationList,
    paper: int,
    *,
    at: datetime,
) -> Select[Any]:
    links = tables.paper_reference_links, tables.paper_reference_links_history
    works = tables.cited_works, tables.cited_works_history
    papers = tables.papers, tables.papers_history
    source, found_links = _join_at(references, links, "reference_id", references.c.id, at=at)
    work_id = func.coalesce(*(link.c.cited_work_id for link in found_links))
    source, found_works = _join_at(source, works, "id", work_id, at=at)
    source, citing = _join_at(source, papers, "id", references.c.citing_paper_id, at=at)
    source, cited = _join_at(source, papers, "id", references.c.cited_paper_id, at=at)
    columns = columns_of(references, (*REFERENCE_COLUMNS, *CITED_AS_COLUMNS))
    for tables_, names in (
        (found_links, LINK_COLUMNS),
        (found_works, WORK_COLUMNS),
        (citing, PAPER_COLUMNS),
        (cited, PAPER_COLUMNS),
    ):
        for table in tables_:
            columns += columns_of(table, names)
    labels = ["reference_key", *REFERENCE_COLUMNS[1:]]
    labels += [f"c{i}" for i in range(len(labels), len(columns))]
    return (
        select(*[column.label(label) for column, label in zip(columns, labels, strict=True)])
        .select_from(source)
        .where(
            belongs(which, Joined(references=references), literal(paper)),
            held,
            # What a paper cites that was not held then is not known of it then.
            or_(*(table.c.observed_at.is_not(None) for table in citing)),
        )
    )


def _join_at(
    source: FromClause,
    pair: tuple[FromClause, FromClause],
    key: str,
    value: ColumnElement[Any],
    *,
    at: datetime,
) -> tuple[FromClause, list[FromClause]]:
    """Join a to-one edge as of a time, to the current table and to its twin."""
    found = []
    for table, held in versions_at(pair[0].alias(), pair[1].alias(), at):
        source = source.outerjoin(table, and_(table.c[key] == value, held))
        found.append(table)
    return source, found


def _either(current: Sequence[Any], past: Sequence[Any]) -> Sequence[Any]:
    return past if current[0] is None else current


def _merge(row: Sequence[Any]) -> list[Any]:
    """Choose, for each edge, the side that holds: `CITATION_COLUMNS` in their order."""
    values = list(row[1:])
    own, rest = values[:14], values[14:]
    for width in (len(LINK_COLUMNS), len(WORK_COLUMNS), len(PAPER_COLUMNS), len(PAPER_COLUMNS)):
        own += _either(rest[:width], rest[width : 2 * width])
        rest = rest[2 * width :]
    return own
