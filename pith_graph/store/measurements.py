"""Writing external citation counts: each source's own, dated, of one paper.

A source that a newer record of the paper lacks is closed. The writer calls it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pith_graph.observations import MeasurementObservation
from pith_graph.store import tables
from pith_graph.store.periods import Timelines, fetch_timelines, write_timelines
from pith_graph.store.subjects import open_columns
from pith_graph.store.timeline import Answer, Period, absent_from, insert_stated
from pith_graph.store.transaction import WriteTransaction
from pith_graph.store.versions import Assertion, Subject
from pith_graph.vocabulary import MeasurementSource

MEASUREMENTS = Subject(
    tables.external_citation_measurements, tables.external_citation_measurements_history, "id"
)


@dataclass(frozen=True, slots=True)
class Measured:
    """The counts that a record of a paper lists."""

    paper_id: int
    counts: Sequence[MeasurementObservation]


async def write_measurements(tx: WriteTransaction, measured: Measured, by: Assertion) -> None:
    """Write a paper's external counts."""
    held = await fetch_timelines(tx, MEASUREMENTS, "paper_id", [measured.paper_id])
    ids = _spellings(held)
    unknown = [seen.source for seen in measured.counts if seen.source not in ids]
    if unknown:
        made = await tx.allocate(MEASUREMENTS.current.name, len(unknown))
        ids |= dict(zip(unknown, made, strict=True))
    after: dict[int, list[Period]] = {}
    for seen in measured.counts:
        key = ids[seen.source]
        facts = {
            "paper_id": measured.paper_id,
            "cited_work_id": None,
            **open_columns("source", MeasurementSource, seen.source),
            "count": seen.count,
            "url": seen.url,
        }
        until = absent_from(held.get(key, ()), by.following)
        answer = Answer(by.at, facts, seen.observed_at, None, by.following, until)
        after[key] = insert_stated(held.get(key, []), answer)
    absent = Answer(by.at, None, following=by.following)
    after |= {key: insert_stated(held[key], absent) for key in held if key not in after}
    await write_timelines(tx, MEASUREMENTS, held, after)


def _spellings(held: Timelines) -> dict[str, int]:
    """Return the ids by source; a row that never held has an id too, but no period."""
    return {
        period.facts["source"].spelling(period.facts["source_raw"]): key
        for key, periods in held.items()
        for period in periods
    }
