"""Checking what the writer keeps beside the facts: counts, search text, periods, commits, keys.

Set-based: the database compares, and only what is wrong comes back; titles alone are streamed, to
be folded anew. ``pith-graph verify --store`` prints what it finds.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Select,
    Table,
    and_,
    case,
    column,
    exists,
    func,
    literal,
    not_,
    or_,
    select,
    table,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from pith_graph.folding import fold_text
from pith_graph.store import tables
from pith_graph.store.tables import bibliographies, commits, counters, coverage_declarations
from pith_graph.vocabulary import BibliographySource, ResolutionStatus

_REFERENCES, _LINKS = tables.paper_references, tables.paper_reference_links


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing in the database that is not as it must be.

    Attributes:
        table: Where.
        key: Which row.
        found: What stands there.
        expected: What should.
    """

    table: str
    key: str
    found: str
    expected: str

    def __str__(self) -> str:
        return f"{self.table} {self.key}: found {self.found}, expected {self.expected}"


async def check_store(engine: AsyncEngine) -> list[Problem]:
    """Compare all that is kept with what it is kept of, in one transaction.

    Returns:
        What is wrong, by table; empty for a sound store.
    """
    async with engine.connect() as connection:
        parts = (
            _check_counts(connection),
            _check_completeness(connection),
            _check_search_text(connection),
            _check_periods(connection),
            _check_commits(connection),
            _check_ids(connection),
            _check_references(connection),
        )
        return [problem for part in parts async for problem in part]


async def _check_counts(connection: AsyncConnection) -> AsyncIterator[Problem]:
    """Recount citations by paper, in both directions, and by work."""
    papers, works = tables.paper_citation_counts, tables.work_citation_counts
    foreign = _REFERENCES.c.cited_paper_id != _REFERENCES.c.citing_paper_id
    for kept, key, prefix, owner, counted in (
        (papers, "paper_id", "outbound", _REFERENCES.c.citing_paper_id, None),
        (papers, "paper_id", "inbound", _REFERENCES.c.cited_paper_id, foreign),
        (works, "work_id", "citations", _LINKS.c.cited_work_id, None),
    ):
        names = [f"{prefix}_{status.value}" for status in ResolutionStatus]
        statement = _recount(kept, key, names, owner, counted)
        for row in await connection.execute(statement):
            for name, found, expected in zip(names, row[1:7], row[7:], strict=True):
                if found != expected:
                    place = f"{key} {row[0]}, {name}"
                    yield Problem(kept.name, place, str(found), str(expected))


def _recount(
    kept: Table,
    key: str,
    names: Sequence[str],
    owner: ColumnElement[Any],
    counted: ColumnElement[bool] | None,
) -> Select[Any]:
    """Select the owners whose counts differ: the key, six kept counts, six true ones."""
    zeros = [literal(0)] * len(names)
    status = func.coalesce(
        _LINKS.c.status, literal(ResolutionStatus.UNRESOLVED, _LINKS.c.status.type)
    )
    true_counts = [
        func.sum(case((status == literal(member, _LINKS.c.status.type), 1), else_=0))
        for member in ResolutionStatus
    ]
    sides = union_all(
        select(kept.c[key].label("owner"), *(kept.c[name] for name in names), *_labelled(zeros)),
        select(owner, *zeros, *true_counts)
        .select_from(_REFERENCES.outerjoin(_LINKS, _LINKS.c.reference_id == _REFERENCES.c.id))
        .where(owner.is_not(None), *(() if counted is None else (counted,)))
        .group_by(owner),
    ).subquery("sides")
    sums = [func.sum(side) for side in list(sides.c)[1:]]
    differ = or_(*(a != b for a, b in zip(sums[:6], sums[6:], strict=True)))
    return select(sides.c.owner, *sums).group_by(sides.c.owner).having(differ)


def _labelled(values: Sequence[ColumnElement[Any]]) -> list[ColumnElement[Any]]:
    return [value.label(f"counted_{number}") for number, value in enumerate(values)]


async def _check_completeness(connection: AsyncConnection) -> AsyncIterator[Problem]:
    """Compare whether a bibliography is said to be whole with what is held and declared of it."""
    held = (
        select(_REFERENCES.c.citing_paper_id.label("paper_id"), func.count().label("entries"))
        .group_by(_REFERENCES.c.citing_paper_id)
        .subquery("held")
    )
    papers, state, declared = tables.papers, bibliographies, coverage_declarations
    entries = func.coalesce(held.c.entries, 0)
    whole = func.coalesce(entries >= declared.c.outbound_total, False)
    statement = (
        select(papers.c.id, state.c.complete, entries, declared.c.outbound_total)
        .select_from(
            papers.outerjoin(state, state.c.paper_id == papers.c.id)
            .outerjoin(held, held.c.paper_id == papers.c.id)
            .outerjoin(declared, declared.c.paper_id == papers.c.id)
        )
        .where(
            or_(
                and_(state.c.source == BibliographySource.RECORD, state.c.complete != whole),
                and_(state.c.paper_id.is_(None), held.c.entries.is_not(None)),
            )
        )
        .order_by(papers.c.id)
    )
    for paper, complete, count, total in await connection.execute(statement):
        found = "no row" if complete is None else f"complete {bool(complete)}"
        known = "no declared total" if total is None else f"a declared total of {total}"
        expected = f"the state of {count} held entries with {known}"
        yield Problem("bibliographies", f"paper_id {paper}", found, expected)


async def _check_search_text(connection: AsyncConnection) -> AsyncIterator[Problem]:
    """Fold every held paper's title anew and compare."""
    name = "rowid" if connection.dialect.name == "sqlite" else "paper_id"
    search = table("paper_search", column(name), column("folded"))
    papers = tables.papers
    statement = select(papers.c.id, papers.c.title, search.c.folded).join_from(
        papers, search, search.c[name] == papers.c.id, isouter=True
    )
    async with connection.stream(statement) as rows:
        async for paper, title, folded in rows:
            expected = None if title is None else fold_text(title)
            if folded != expected:
                yield Problem("paper_search", f"{name} {paper}", repr(folded), repr(expected))
    orphans = select(search.c[name]).where(not_(exists().where(papers.c.id == search.c[name])))
    for (row,) in await connection.execute(orphans):
        yield Problem("paper_search", f"{name} {row}", "a row", "none: no such paper")


async def _check_periods(connection: AsyncConnection) -> AsyncIterator[Problem]:
    """Check that the periods of one row neither overlap nor end before they begin."""
    for current, history in tables.VERSIONED:
        keys = [key.name for key in current.primary_key]
        backward = select(history.c.version_id, *(history.c[key] for key in keys)).where(
            history.c.superseded_at < history.c.observed_at
        )
        for version, *key in await connection.execute(backward):
            place = f"version_id {version}, {_place(keys, key)}"
            yield Problem(history.name, place, "an end before the beginning", "a later end")
        for *key, since, until, next_since in await connection.execute(
            _overlaps(current, history, keys)
        ):
            found = f"{since} to {until or 'now'}"
            expected = f"an end not after {next_since}, when the next period begins"
            yield Problem(history.name, _place(keys, key), found, expected)


def _overlaps(current: Table, history: Table, keys: Sequence[str]) -> Select[Any]:
    """Select the periods that last until after the next one has begun."""
    lasting = history.c.superseded_at > history.c.observed_at
    periods = union_all(
        select(
            *(history.c[key] for key in keys), history.c.observed_at, history.c.superseded_at
        ).where(lasting),
        select(
            *(current.c[key] for key in keys),
            current.c.observed_at,
            literal(None, history.c.superseded_at.type),
        ).where(current.c.observed_at.is_not(None)),
    ).subquery("periods")
    columns = [periods.c[key] for key in keys]
    next_since = (
        func.lead(periods.c.observed_at, type_=periods.c.observed_at.type)
        .over(partition_by=columns, order_by=periods.c.observed_at)
        .label("next_since")
    )
    placed = select(periods, next_since).subquery("placed")
    late = or_(placed.c.superseded_at.is_(None), placed.c.superseded_at > placed.c.next_since)
    return select(placed).where(placed.c.next_since.is_not(None), late)


async def _check_commits(connection: AsyncConnection) -> AsyncIterator[Problem]:
    """Check that commits count up to their counter without a gap."""
    before = commits.alias("before")
    gaps = select(commits.c.number).where(
        commits.c.number > 1, not_(exists().where(before.c.number == commits.c.number - 1))
    )
    for (number,) in await connection.execute(gaps):
        yield Problem("commits", f"number {number}", f"no commit {number - 1}", "no gap")
    last = (await connection.execute(select(func.max(commits.c.number)))).scalar_one()
    counter = select(counters.c.last_value).where(counters.c.name == "commits")
    counted = (await connection.execute(counter)).scalar_one_or_none()
    if counted != last:
        yield Problem("counters", "name commits", str(counted), str(last))


async def _check_ids(connection: AsyncConnection) -> AsyncIterator[Problem]:
    """Check that no id lies beyond its counter, from where it would be given again."""
    for relation in tables.metadata.sorted_tables:
        key = next((name for name in ("version_id", "id") if name in relation.c), None)
        if key is None:
            continue
        last = (await connection.execute(select(func.max(relation.c[key])))).scalar_one()
        counter = select(counters.c.last_value).where(counters.c.name == relation.name)
        counted = (await connection.execute(counter)).scalar_one_or_none()
        if last is not None and (counted is None or counted < last):
            yield Problem("counters", f"name {relation.name}", str(counted), f"{last} or more")


async def _check_references(connection: AsyncConnection) -> AsyncIterator[Problem]:
    """Check that every row that a row names is there, also where no foreign key says so."""
    named = [
        (relation, key.parent, key.column)
        for relation in tables.metadata.sorted_tables
        for key in sorted(relation.foreign_keys, key=lambda key: key.parent.name)
    ]
    named += [
        (history, history.c.commit_number, commits.c.number) for _, history in tables.VERSIONED
    ]
    for relation, child, parent in named:
        target: FromClause = parent.table.alias("target")
        lost = select(*_identity(relation), child).where(
            child.is_not(None), not_(exists().where(target.c[parent.name] == child))
        )
        for *key, value in await connection.execute(lost):
            place = _place([c.name for c in _identity(relation)], key)
            found = f"{child.name} {value}"
            yield Problem(relation.name, place, found, f"a row of {parent.table.name}")


def _identity(relation: Table) -> list[ColumnElement[Any]]:
    return list(relation.primary_key)


def _place(names: Sequence[str], values: Sequence[Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in zip(names, values, strict=True))
