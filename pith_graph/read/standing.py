"""Reading what standing sources and citation counters say: events, receipts, measurements.

Each statement takes a batch of works or papers, and, for "as of t", reads both the current rows and
those of the history twins whose period contains t.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Select,
    SmallInteger,
    and_,
    bindparam,
    literal,
    null,
    select,
    true,
    type_coerce,
    union_all,
)

from pith_graph.read.keys import KEYS, among
from pith_graph.read.prepared import Prepared, prepare
from pith_graph.read.rows import (
    EventRow,
    MeasurementRow,
    PaperNotes,
    ReceiptRow,
    StandingRow,
)
from pith_graph.read.snapshot import Snapshot
from pith_graph.store import tables
from pith_graph.store.types import Instant
from pith_graph.vocabulary import EventKind, MeasurementSource, StandingSource

AT = "at"
"""The parameter's name of the time as of which is read."""


def versions_at(
    current: FromClause, history: FromClause, *, past: bool
) -> list[tuple[FromClause, ColumnElement[bool]]]:
    """Return where to read a table's rows, of now or as of `AT`, with the condition on each."""
    if not past:
        return [(current, true())]
    at = bindparam(AT, type_=Instant)
    return [
        (current, current.c.observed_at <= at),
        (history, and_(history.c.observed_at <= at, history.c.superseded_at > at)),
    ]


async def fetch_standing(
    snapshot: Snapshot, works: Sequence[int], *, at: datetime | None = None
) -> dict[int, StandingRow]:
    """Return the standing of works by integer id; no receipts where no source was asked.

    Works of which nothing of their own is stored have the same row.
    """
    statement = standing_statement(snapshot.dialect, past=at is not None)
    rows = await snapshot.fetch(statement, {KEYS: works} | _values(at))
    # In the order observed, then listed: ids alone follow the order in which files were read.
    rows.sort(key=lambda row: (row[0], row[10], row[1]))
    events: dict[int, list[EventRow]] = {}
    receipts: dict[int, list[ReceiptRow]] = {}
    for_all: list[ReceiptRow] = []
    for row in rows:
        if row[0] == 0:
            event = EventRow(EventKind.of_code(row[3]), *row[4:])
            events.setdefault(row[2], []).append(event)
        else:
            of = for_all if row[2] is None else receipts.setdefault(row[2], [])
            of.append(ReceiptRow(*row[8:]))
    clear = StandingRow((), newest_receipts(for_all))
    found = dict.fromkeys(works, clear)
    for work in {*events, *receipts}:
        found[work] = StandingRow(
            tuple(events.get(work, ())), newest_receipts([*receipts.get(work, ()), *for_all])
        )
    return found


def _values(at: datetime | None) -> dict[str, Any]:
    return {} if at is None else {AT: at}


@cache
def standing_statement(dialect: str, *, past: bool) -> Prepared:
    """Build the one statement for events (part 0) and receipts (part 1) of works, in no order."""
    events = [
        select(
            literal(0).label("part"),
            table.c.id.label("id"),
            table.c.cited_work_id.label("work"),
            type_coerce(table.c.kind, SmallInteger).label("kind"),
            table.c.kind_raw,
            table.c.raw_type,
            table.c.notice_doi,
            table.c.occurred_on,
            table.c.source,
            table.c.source_raw,
            table.c.observed_at,
        ).where(among(dialect, table.c.cited_work_id, int), held)
        for table, held in versions_at(
            tables.scholarly_work_events, tables.scholarly_work_events_history, past=past
        )
    ]
    receipts = [
        select(
            literal(1),
            table.c.id,
            table.c.cited_work_id,
            null(),
            null(),
            null(),
            null(),
            null(),
            table.c.source,
            table.c.source_raw,
            table.c.observed_at,
        ).where(about, held)
        for table, held in versions_at(
            tables.retraction_status_cache, tables.retraction_status_cache_history, past=past
        )
        # Two selects and no OR: each has its own index.
        for about in (among(dialect, table.c.cited_work_id, int), speaks_for_all(table))
    ]
    return prepare(union_all(*events, *receipts), dialect)


def speaks_for_all(receipts: FromClause) -> ColumnElement[bool]:
    """Return the condition that a receipt is of a whole source, not of one work or record."""
    return and_(receipts.c.cited_work_id.is_(None), receipts.c.paper_id.is_(None))


def newest_receipts(receipts: Sequence[ReceiptRow]) -> tuple[ReceiptRow, ...]:
    """Keep each source's newest receipt, by the source's name."""
    if len(receipts) < 2:  # noqa: PLR2004  # none to choose from, as is usual
        return tuple(receipts)
    newest: dict[str, ReceiptRow] = {}
    for receipt in sorted(receipts, key=lambda receipt: receipt.observed_at):
        newest[receipt.spelling] = receipt
    return tuple(newest[name] for name in sorted(newest))


async def fetch_paper_notes(
    snapshot: Snapshot, papers: Sequence[int], *, at: datetime | None = None
) -> dict[int, PaperNotes]:
    """Return external counts of papers and the standing sources that their records list."""
    measured: dict[int, list[MeasurementRow]] = {}
    asked: dict[int | None, list[ReceiptRow]] = {}
    statement = _notes_statement(snapshot.dialect, past=at is not None)
    for part, paper, source, raw, count, observed_at, url in await snapshot.fetch(
        statement, {KEYS: papers} | _values(at)
    ):
        if part == 0:
            member = MeasurementSource.of_code(source)
            measured.setdefault(paper, []).append(
                MeasurementRow(member, raw, count, observed_at, url)
            )
        else:
            receipt = ReceiptRow(StandingSource.of_code(source), raw, observed_at)
            asked.setdefault(paper, []).append(receipt)
    return {
        paper: PaperNotes(
            _in_order(measured.get(paper, ())),
            newest_receipts([*asked.get(paper, ()), *asked.get(None, ())]),
        )
        for paper in papers
    }


@cache
def _notes_statement(dialect: str, *, past: bool) -> Prepared:
    counts = [
        _measurements(table, table.c.paper_id).where(among(dialect, table.c.paper_id, int), held)
        for table, held in versions_at(
            tables.external_citation_measurements,
            tables.external_citation_measurements_history,
            past=past,
        )
    ]
    receipts = [
        select(
            literal(1),
            table.c.paper_id,
            type_coerce(table.c.source, SmallInteger),
            table.c.source_raw,
            null(),
            table.c.observed_at,
            null(),
        ).where(about, held)
        for table, held in versions_at(
            tables.retraction_status_cache, tables.retraction_status_cache_history, past=past
        )
        for about in (among(dialect, table.c.paper_id, int), speaks_for_all(table))
    ]
    return prepare(union_all(*counts, *receipts), dialect)


async def fetch_work_measurements(
    snapshot: Snapshot, works: Sequence[int]
) -> dict[int, tuple[MeasurementRow, ...]]:
    """Return external counts of works by integer id; empty where none was made."""
    found: dict[int, list[MeasurementRow]] = {}
    statement = _work_measurements_statement(snapshot.dialect)
    for _part, work, source, *said in await snapshot.fetch(statement, {KEYS: works}):
        row = MeasurementRow(MeasurementSource.of_code(source), *said)
        found.setdefault(work, []).append(row)
    return {work: _in_order(rows) for work, rows in found.items()}


@cache
def _work_measurements_statement(dialect: str) -> Prepared:
    table = tables.external_citation_measurements
    return prepare(
        _measurements(table, table.c.cited_work_id).where(
            among(dialect, table.c.cited_work_id, int)
        ),
        dialect,
    )


def _measurements(table: FromClause, subject: ColumnElement[Any]) -> Select[Any]:
    return select(
        literal(0).label("part"),
        subject.label("subject"),
        type_coerce(table.c.source, SmallInteger).label("source"),
        table.c.source_raw,
        table.c.count,
        table.c.observed_at,
        table.c.url,
    )


def _in_order(rows: Sequence[MeasurementRow]) -> tuple[MeasurementRow, ...]:
    return tuple(
        sorted(rows, key=lambda row: (row.source.spelling(row.source_raw), row.observed_at))
    )
