"""Reading a paper and its citations as they were known at a time: current rows and history twins.

The same rows as `queries` and `pages` give of now, for one paper, so that the record is built the
same way for any time. Each to-one edge is joined twice, to what is current and to what was; at most
one of the two holds at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    FromClause,
    Select,
    Text,
    and_,
    bindparam,
    func,
    or_,
    select,
    union_all,
)

from pith_graph.read.citations import (
    CITED,
    CITING,
    LINKS,
    PAPER_COLUMNS,
    REFERENCES,
    WHOLE,
    WORKS,
    CitationReading,
    Ends,
    citation_reading,
    columns_of,
)
from pith_graph.read.lists import CitationList, Joined, belongs
from pith_graph.read.prepared import Prepared, prepare
from pith_graph.read.rows import CitationRow, HoldingsRow, PaperRow
from pith_graph.read.snapshot import Snapshot
from pith_graph.read.standing import AT, versions_at
from pith_graph.store import tables
from pith_graph.vocabulary import CoverageLane

# What the list is ordered by, under names that no other column has.
_ORDER = {
    "id": "reference_key",
    "reference_index": "reference_index",
    "sub_index": "sub_index",
    "source_observed_at": "source_observed_at",
}


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
    statement = _paper_statement(snapshot.dialect)
    rows = await snapshot.fetch(statement, {"arxiv_id": arxiv_id, AT: at})
    if not rows:
        return None
    values = rows[0]
    return PastPaper(PaperRow(*values[:14]), _holdings(values[14:]))


@cache
def _paper_statement(dialect: str) -> Prepared:
    declarations = tables.coverage_declarations, tables.coverage_declarations_history
    bibliographies = tables.bibliographies, tables.bibliographies_history
    declared_names = ("observed_at", "outbound_total", "inbound_total",
                      *(lane.value for lane in CoverageLane))  # fmt: skip
    named = tables.papers.c.arxiv_id == bindparam("arxiv_id", type_=Text)
    # History is indexed by the integer id, which the paper's row keeps.
    key = select(tables.papers.c.id).where(named).scalar_subquery()
    arms = []
    for papers, held in versions_at(tables.papers.alias("now"), tables.papers_history, past=True):
        source, declared = papers, []
        columns = columns_of(papers, PAPER_COLUMNS)
        for pair, names in (
            (bibliographies, ("source", "complete")),
            (declarations, declared_names),
        ):
            source, found = _join_at(source, pair, "paper_id", papers.c.id)
            declared += [(table, names) for table in found]
        columns += [column for table, names in declared for column in columns_of(table, names)]
        arms.append(
            select(*[c.label(f"c{i}") for i, c in enumerate(columns)])
            .select_from(source)
            .where(papers.c.id == key, held)
        )
    return prepare(union_all(*arms), dialect)


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
    statement = _citations_statement(snapshot.dialect, which, size)
    rows = await snapshot.fetch(statement, {"paper": paper, AT: at})
    items = _whole().build([_merge(row) for row in rows], Ends.none())
    return PastCitations(tuple(items), rows[0][0] if rows else 0)


@cache
def _whole() -> CitationReading:
    return citation_reading(WHOLE, None)


@lru_cache(maxsize=64)
def _citations_statement(dialect: str, which: CitationList, size: int) -> Prepared:
    arms = [
        _past_arm(references, held, which)
        for references, held in versions_at(
            tables.paper_references, tables.paper_references_history, past=True
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
    total = func.count().over().label("total")
    return prepare(select(total, past).order_by(*keys).limit(size), dialect)


def _past_arm(
    references: FromClause, held: ColumnElement[bool], which: CitationList
) -> Select[Any]:
    """Select the citations of a paper's list from where their entries stand, now or in history.

    Every column of `_whole` once of what is current and once of what was.
    """
    links = tables.paper_reference_links, tables.paper_reference_links_history
    works = tables.cited_works, tables.cited_works_history
    papers = tables.papers, tables.papers_history
    source, found_links = _join_at(references, links, "reference_id", references.c.id)
    work_id = func.coalesce(*(link.c.cited_work_id for link in found_links))
    source, found_works = _join_at(source, works, "id", work_id)
    source, citing = _join_at(source, papers, "id", references.c.citing_paper_id)
    source, cited = _join_at(source, papers, "id", references.c.cited_paper_id)
    sides = {
        REFERENCES: [references, references],
        LINKS: found_links,
        WORKS: found_works,
        CITING: citing,
        CITED: cited,
    }
    whole = _whole().columns
    columns = [sides[column.table][0].c[column.name] for column in whole]
    names = [f"c{index}" for index in range(len(whole))]
    for index, column in enumerate(whole):
        if column.table is REFERENCES and column.key in _ORDER:
            names[index] = _ORDER[column.key]
    for column in whole:
        if column.table is not REFERENCES:
            columns.append(sides[column.table][1].c[column.name])
            names.append(f"c{len(names)}")
    paper = bindparam("paper", type_=BigInteger)
    return (
        select(*[column.label(name) for column, name in zip(columns, names, strict=True)])
        .select_from(source)
        .where(
            belongs(which, Joined(references=references), paper),
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
) -> tuple[FromClause, list[FromClause]]:
    """Join a to-one edge as of a time, to the current table and to its twin."""
    found = []
    for table, held in versions_at(pair[0].alias(), pair[1].alias(), past=True):
        source = source.outerjoin(table, and_(table.c[key] == value, held))
        found.append(table)
    return source, found


def _either(current: Sequence[Any], past: Sequence[Any]) -> Sequence[Any]:
    return past if current[0] is None else current


@dataclass(frozen=True, slots=True)
class _Sides:
    """Where a column stands in a row of now and of the past, and which says that now holds."""

    now: int
    past: int
    held: int


@cache
def _sides() -> tuple[_Sides, ...]:
    whole = _whole().columns
    # After the total. A row that was joined has its key, a link its status.
    keys = {
        column.table: index
        for index, column in enumerate(whole, start=1)
        if column.table is not REFERENCES and column.key in {"id", "status"}
    }
    past, found = len(whole) + 1, []
    for index, column in enumerate(whole, start=1):
        if column.table is REFERENCES:
            found.append(_Sides(index, index, index))
        else:
            found.append(_Sides(index, past, keys[column.table]))
            past += 1
    return tuple(found)


def _merge(row: Sequence[Any]) -> list[Any]:
    """Choose, for each edge, the side that holds."""
    return [row[each.past if row[each.held] is None else each.now] for each in _sides()]
