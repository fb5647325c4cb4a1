"""The only writer: takes the observations of one Paper Citation Record and writes their rows.

``ingest`` calls it inside one transaction a record. Reading the same record twice changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from pith_graph.identifiers import is_arxiv_id
from pith_graph.observations import (
    CitationObservation,
    PaperObservation,
    RecordObservation,
)
from pith_graph.store import tables
from pith_graph.store.bibliography import write_bibliography
from pith_graph.store.entries import Entry, Shown
from pith_graph.store.measurements import Measured, write_measurements
from pith_graph.store.periods import fetch_rows
from pith_graph.store.standing import Standing, write_paper_receipts, write_standing
from pith_graph.store.subjects import ensure_papers, write_papers, write_works
from pith_graph.store.transaction import WriteTransaction
from pith_graph.store.versions import Assertion, Subject, Version, write_versions

DECLARATIONS = Subject(
    tables.coverage_declarations, tables.coverage_declarations_history, "paper_id"
)


class Outcome(StrEnum):
    """What a record did to the store."""

    NEW = "new"
    SUPERSEDED = "superseded"
    HISTORY = "history"
    UNCHANGED = "unchanged"


async def write_record(tx: WriteTransaction, record: RecordObservation) -> Outcome:
    """Write one record.

    Returns:
        ``NEW`` where no record of its paper was held, ``SUPERSEDED`` where it is newer than what
        is held, ``HISTORY`` where it is older, ``UNCHANGED`` where nothing was written.

    Raises:
        RecordRefusedError: It contradicts what an earlier record observed.
    """
    papers = _papers_of(record)
    ids = await ensure_papers(tx, [*(paper.arxiv_id for paper in papers), *_stated_ids(record)])
    paper_id = ids[record.paper.arxiv_id]
    citing = {ids[citation.citing_paper.arxiv_id] for citation in record.inbound}
    declared = await _fetch_declared(tx, {paper_id, *citing})
    known = declared.get(paper_id, {})
    record = _with_known_total(record, known)
    by = Assertion(record.as_of, min((at for at in known if at > record.as_of), default=None))
    await write_papers(tx, papers, ids, by)
    citations = (*record.outbound, *record.inbound)
    works = await write_works(tx, [c.work for c in citations if c.work is not None], by)
    await _write_declaration(tx, paper_id, record, by)
    for shown in _bibliographies(record, ids, works, declared):
        await write_bibliography(tx, shown)
    await write_standing(tx, _standing(citations, works), by)
    await write_paper_receipts(tx, paper_id, record.standing_sources, by)
    await write_measurements(tx, Measured(paper_id, record.measurements), by)
    if not tx.changed:
        return Outcome.UNCHANGED
    if not known:
        return Outcome.NEW
    return Outcome.HISTORY if by.older else Outcome.SUPERSEDED


def _papers_of(record: RecordObservation) -> list[PaperObservation]:
    papers = [record.paper]
    for citation in (*record.outbound, *record.inbound):
        papers.append(citation.citing_paper)
        if citation.cited_paper is not None:
            papers.append(citation.cited_paper)
    return papers


def _stated_ids(record: RecordObservation) -> list[str]:
    citations = (*record.outbound, *record.inbound)
    return [arxiv_id for c in citations if (arxiv_id := _stated_id(c)) is not None]


def _stated_id(citation: CitationObservation) -> str | None:
    """Return the arXiv id that an entry states; None where it states none, or a malformed one."""
    stated = citation.cited_as.arxiv_id
    return stated if stated is not None and is_arxiv_id(stated) else None


def _with_known_total(
    record: RecordObservation, known: Mapping[datetime, int | None]
) -> RecordObservation:
    """Give a record that does not know its total the newest one declared before: null erases none.

    A total that is smaller than what the record shows is no longer one.
    """
    if record.total_outbound is not None:
        return record
    earlier = [(at, total) for at, total in known.items() if total is not None]
    totals = [total for at, total in sorted(earlier) if at <= record.as_of]
    if not totals or totals[-1] < len(record.outbound):
        return record
    return replace(record, total_outbound=totals[-1])


async def _fetch_declared(
    tx: WriteTransaction, paper_ids: Iterable[int]
) -> dict[int, dict[datetime, int | None]]:
    """Return when the records of each paper were asserted, with the totals that they declared."""
    rows = await fetch_rows(tx, DECLARATIONS, "paper_id", set(paper_ids))
    return {
        key: {row["observed_at"]: row["outbound_total"] for row in found}
        for key, found in rows.items()
    }


async def _write_declaration(
    tx: WriteTransaction, paper_id: int, record: RecordObservation, by: Assertion
) -> None:
    facts = {
        "outbound_total": record.total_outbound,
        "inbound_total": record.total_inbound,
        **{lane.value: state for lane, state in record.lanes.items()},
    }
    await write_versions(tx, DECLARATIONS, [Version(paper_id, facts, record.as_of)], by)


def _bibliographies(
    record: RecordObservation,
    ids: Mapping[str, int],
    works: Mapping[UUID, int],
    declared: Mapping[int, Mapping[datetime, int | None]],
) -> list[Shown]:
    """Sort what is shown by citing paper: the record's own, then those that cite it."""
    by_paper: dict[str, list[CitationObservation]] = {record.paper.arxiv_id: list(record.outbound)}
    for citation in record.inbound:
        by_paper.setdefault(citation.citing_paper.arxiv_id, []).append(citation)
    shown = []
    # From the last on: of citations observed at one time the one with the highest id comes first.
    for arxiv_id, citations in reversed(by_paper.items()):
        own = arxiv_id == record.paper.arxiv_id
        known = declared.get(ids[arxiv_id], {})
        shown.append(
            Shown(
                paper_id=ids[arxiv_id],
                entries=_entries(citations, ids, works),
                own=own,
                whole=own and len(record.outbound) == record.total_outbound,
                at=record.as_of,
                declared={**known, record.as_of: record.total_outbound} if own else known,
            )
        )
    return shown


def _entries(
    citations: Sequence[CitationObservation], ids: Mapping[str, int], works: Mapping[UUID, int]
) -> list[Entry]:
    """Number the entries that share a reference index, once each, in the order shown."""
    seen: set[UUID] = set()
    taken: Counter[int] = Counter()
    entries = []
    for citation in citations:
        if citation.observation_id in seen:
            continue
        seen.add(citation.observation_id)
        paper = citation.cited_paper
        cited = paper.arxiv_id if paper is not None else _stated_id(citation)
        entries.append(
            Entry(
                citation=citation,
                sub_index=taken[citation.reference_index],
                cited_paper_id=None if cited is None else ids[cited],
                work_id=None if citation.work is None else works[citation.work.work_id],
            )
        )
        taken[citation.reference_index] += 1
    return entries


def _standing(
    citations: Sequence[CitationObservation], works: Mapping[UUID, int]
) -> dict[int, Standing]:
    return {
        works[citation.work.work_id]: Standing(
            works[citation.work.work_id], citation.work, citation.events, citation.receipts
        )
        for citation in citations
        if citation.work is not None
    }
