"""Writing what standing sources say: events about works, and receipts that they were asked.

A receipt is kept for the work that was looked up, and for the paper whose record lists the source.
An event that a source no longer lists in a newer answer is closed, not forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any
from uuid import UUID, uuid5

from sqlalchemy import select

from pith_graph.observations import EventObservation, ReceiptObservation, WorkObservation
from pith_graph.store import tables
from pith_graph.store.subjects import open_columns
from pith_graph.store.transaction import WriteTransaction
from pith_graph.store.versions import (
    Assertion,
    Row,
    Subject,
    Version,
    close_rows,
    write_late,
    write_versions,
)
from pith_graph.vocabulary import EventKind, StandingSource

EVENTS = Subject(tables.scholarly_work_events, tables.scholarly_work_events_history, "id")
RECEIPTS = Subject(tables.retraction_status_cache, tables.retraction_status_cache_history, "id")

_EVENT_NAMESPACE = UUID("9c8f2a52-5a35-5f0e-8d61-2f4f5b7d3a10")


@dataclass(frozen=True, slots=True)
class Standing:
    """What a record shows of one work's standing. Without receipts it says nothing."""

    work_key: int
    work: WorkObservation
    events: Sequence[EventObservation]
    receipts: Sequence[ReceiptObservation]


@dataclass(frozen=True, slots=True)
class _Scoped:
    """A receipt and what it speaks of: one work, or the references of one paper's record."""

    receipt: ReceiptObservation
    work_key: int | None
    paper_id: int | None

    @property
    def name(self) -> tuple[int | None, int | None, str]:
        return (self.work_key, self.paper_id, self.receipt.source)


def event_id(work_id: UUID, event: EventObservation) -> UUID:
    """Return the deterministic id of one source's statement of one event."""
    parts = (event.kind, event.raw_type, event.notice_doi, event.occurred_on, event.source)
    return uuid5(_EVENT_NAMESPACE, "\x1f".join((str(work_id), *(part or "" for part in parts))))


async def write_standing(
    tx: WriteTransaction, shown: Mapping[int, Standing], by: Assertion
) -> None:
    """Write events and receipts of works, by the works' integer ids."""
    measured = {key: standing for key, standing in shown.items() if standing.receipts}
    receipts = await _fetch_by_work(tx, RECEIPTS, list(measured))
    events = await _fetch_by_work(tx, EVENTS, list(measured))
    for key, standing in measured.items():
        asked = {row_source(row): row["observed_at"] for row in receipts.get(key, [])}
        await _write_events(tx, standing, events.get(key, []), asked, by)
    scoped = [
        _Scoped(receipt, key, None)
        for key, standing in measured.items()
        for receipt in standing.receipts
    ]
    await _write_receipts(tx, scoped, list(chain.from_iterable(receipts.values())), by)


async def write_paper_receipts(
    tx: WriteTransaction, paper_id: int, sources: Sequence[ReceiptObservation], by: Assertion
) -> None:
    """Write the standing sources that a paper's record lists."""
    table = tables.retraction_status_cache
    statement = select(table).where(table.c.paper_id == paper_id)
    rows = [dict(row) for row in (await tx.connection.execute(statement)).mappings()]
    await _write_receipts(tx, [_Scoped(receipt, None, paper_id) for receipt in sources], rows, by)


def row_source(row: Row) -> str:
    """Return a row's source as it was spelt."""
    source: StandingSource = row["source"]
    return source.spelling(row["source_raw"])


async def _fetch_by_work(
    tx: WriteTransaction, subject: Subject, works: Sequence[int]
) -> dict[int, list[Row]]:
    table = subject.current
    found: dict[int, list[Row]] = {}
    statement = select(table).where(table.c.cited_work_id.in_(works)).order_by(table.c.id)
    for row in (await tx.connection.execute(statement)).mappings():
        found.setdefault(row["cited_work_id"], []).append(dict(row))
    return found


async def _write_receipts(
    tx: WriteTransaction, receipts: Sequence[_Scoped], held: Sequence[Row], by: Assertion
) -> None:
    ids = {(row["cited_work_id"], row["paper_id"], row_source(row)): row["id"] for row in held}
    missing = [scoped.name for scoped in receipts if scoped.name not in ids]
    if missing:
        made = await tx.allocate(RECEIPTS.current.name, len(missing))
        ids |= dict(zip(missing, made, strict=True))
    versions = [
        Version(
            ids[scoped.name],
            {
                **open_columns("source", StandingSource, scoped.receipt.source),
                "cited_work_id": scoped.work_key,
                "paper_id": scoped.paper_id,
            },
            scoped.receipt.observed_at,
        )
        for scoped in receipts
    ]
    await write_versions(tx, RECEIPTS, versions, by)


async def _write_events(
    tx: WriteTransaction,
    standing: Standing,
    held: Sequence[Row],
    asked: Mapping[str, datetime],
    by: Assertion,
) -> None:
    """Write one work's events; ``asked`` is when each source was asked before."""
    answered = {receipt.source: receipt.observed_at for receipt in standing.receipts}
    newer = {name for name, at in answered.items() if name not in asked or asked[name] < at}
    current = {row["event_id"] for row in held}
    versions = await _event_versions(tx, standing, held)
    for public_id, (event, version) in versions.items():
        closed_by = asked.get(event.source)
        if public_id not in current and event.source not in newer and closed_by is not None:
            await write_late(tx, EVENTS, version, closed_by)
        else:
            await write_versions(tx, EVENTS, [version], by)
    gone = [row for row in held if row["event_id"] not in versions and row_source(row) in newer]
    ends = [max(answered[row_source(row)], row["observed_at"]) for row in gone]
    await close_rows(tx, EVENTS, list(zip(gone, ends, strict=True)))


async def _event_versions(
    tx: WriteTransaction, standing: Standing, held: Sequence[Row]
) -> dict[UUID, tuple[EventObservation, Version]]:
    ids = {row["event_id"]: row["id"] for row in held}
    versions: dict[UUID, tuple[EventObservation, Version]] = {}
    for event in standing.events:
        public_id = event_id(standing.work.work_id, event)
        past = [] if public_id in ids else await _fetch_past(tx, public_id)
        if past:
            ids[public_id] = past[0]["id"]
        elif public_id not in ids:
            ids[public_id] = (await tx.allocate(EVENTS.current.name, 1))[0]
        floor = max((row["superseded_at"] for row in past), default=None)
        facts = _event_facts(standing, event, public_id)
        versions[public_id] = (event, Version(ids[public_id], facts, event.observed_at, floor))
    return versions


async def _fetch_past(tx: WriteTransaction, public_id: UUID) -> list[Row]:
    table = tables.scholarly_work_events_history
    statement = select(table).where(table.c.event_id == public_id)
    return [dict(row) for row in (await tx.connection.execute(statement)).mappings()]


def _event_facts(standing: Standing, event: EventObservation, public_id: UUID) -> dict[str, Any]:
    return {
        "event_id": public_id,
        "cited_work_id": standing.work_key,
        "doi": standing.work.doi,
        "arxiv_id": standing.work.arxiv_id,
        **open_columns("kind", EventKind, event.kind),
        "raw_type": event.raw_type,
        "notice_doi": event.notice_doi,
        "occurred_on": event.occurred_on,
        **open_columns("source", StandingSource, event.source),
    }
