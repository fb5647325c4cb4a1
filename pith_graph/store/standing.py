"""Writing what standing sources say: events about works, and receipts that they were asked.

A receipt is kept for the work that was looked up, and for the paper whose record lists the source.
An event that a source no longer lists in a newer answer is closed, not forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any
from uuid import UUID, uuid5

from sqlalchemy import select

from pith_graph.observations import EventObservation, ReceiptObservation, WorkObservation
from pith_graph.store import tables
from pith_graph.store.periods import fetch_rows, periods_of, write_timelines
from pith_graph.store.subjects import open_columns
from pith_graph.store.timeline import Answer, Period, absent_from, insert_stated
from pith_graph.store.transaction import WriteTransaction
from pith_graph.store.versions import Assertion, Row, Subject, Version, write_versions
from pith_graph.vocabulary import EventKind, StandingSource

EVENTS = Subject(tables.scholarly_work_events, tables.scholarly_work_events_history, "id")
RECEIPTS = Subject(tables.retraction_status_cache, tables.retraction_status_cache_history, "id")
_BY_WORK = replace(RECEIPTS, key="cited_work_id")

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
    receipts = await fetch_rows(tx, _BY_WORK, "cited_work_id", list(measured))
    events = await fetch_rows(tx, EVENTS, "cited_work_id", list(measured))
    await _write_events(tx, measured, receipts, events, by)
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
    measured: Mapping[int, Standing],
    receipts: Mapping[int, Sequence[Row]],
    events: Mapping[int, Sequence[Row]],
    by: Assertion,
) -> None:
    """Write what each source's answer lists of each work, and close what it no longer lists."""
    ids = {row["event_id"]: key for key, rows in events.items() for row in rows}
    held = {key: periods_of(rows) for key, rows in events.items()}
    after: dict[int, list[Period]] = {}
    for work, standing in measured.items():
        answers = _answers(standing, receipts.get(work, ()))
        for event in standing.events:
            public_id = event_id(standing.work.work_id, event)
            if public_id not in ids:
                ids[public_id] = (await tx.allocate(EVENTS.current.name, 1))[0]
            key, facts = ids[public_id], _event_facts(standing, event, public_id)
            if key in events:  # the work's identifiers may have changed since: not the event's
                facts = {name: events[key][0][name] for name in facts}
            asked = answers.get(event.source, Answer(by.at, None))
            until = absent_from(held.get(key, ()), asked.following)
            answer = replace(asked, facts=facts, own=event.observed_at, until=until)
            after[key] = insert_stated(held.get(key, []), answer)
        for key, rows in events.items():
            asked_of = answers.get(row_source(rows[0]))
            if rows[0]["cited_work_id"] == work and key not in after and asked_of is not None:
                after[key] = insert_stated(held[key], asked_of)
    await write_timelines(tx, EVENTS, held, after)


def _answers(standing: Standing, known: Sequence[Row]) -> dict[str, Answer]:
    """Return each source's answer about a work, as yet without an event."""
    answers = {}
    for receipt in standing.receipts:
        at = receipt.observed_at
        asked = [row["observed_at"] for row in known if row_source(row) == receipt.source]
        following = min((other for other in asked if other > at), default=None)
        answers[receipt.source] = Answer(at, None, following=following)
    return answers


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
