"""The four coverage lanes: how complete an answer is, and what an empty one means.

A lane is measured where its source was loaded, or where an imported record declares so; otherwise
it is unavailable, which is never zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pith_graph.read.rows import CitationRow, ReceiptRow
from pith_graph.read.standing import newest_receipts
from pith_graph.record.facts import RecordFacts
from pith_graph.record_text import LANE_NOTES, LANE_SOURCES
from pith_graph.vocabulary import CoverageLane, MeasurementState


@dataclass(frozen=True, slots=True)
class Lane:
    """One coverage lane.

    Attributes:
        denominator: How many things the lane speaks of.
        records_observed: How many of them have a record.
        checked: How many of them a source has really answered about.
        source_observed_at: The newest time behind it, None where there is none.
        empty_means: What an empty answer means in this lane, now.
    """

    lane: CoverageLane
    denominator: int
    records_observed: int
    checked: int
    state: MeasurementState
    source_observed_at: datetime | None
    empty_means: str

    @property
    def source(self) -> str:
        """The tables that the lane is computed from."""
        return LANE_SOURCES[self.lane]

    @property
    def note(self) -> str:
        """What the lane measures, in a sentence."""
        return LANE_NOTES[self.lane]


def build_lanes(facts: RecordFacts) -> tuple[Lane, ...]:
    """Build all four lanes, in the record's order."""
    return (
        _reference_resolution(facts),
        _standing_notices(facts),
        _inbound_itemization(facts),
        _external_measurements(facts),
    )


def standing_sources(facts: RecordFacts) -> tuple[ReceiptRow, ...]:
    """Return each standing source that was asked about the paper's references, newest receipt."""
    receipts = [receipt for standing in facts.standing.values() for receipt in standing.receipts]
    return newest_receipts([*receipts, *facts.notes.receipts])


def _state(facts: RecordFacts, lane: CoverageLane, *, loaded: bool) -> MeasurementState:
    declared = facts.holdings.declared_lanes.get(lane)
    if loaded or declared is MeasurementState.MEASURED:
        return MeasurementState.MEASURED
    return MeasurementState.UNAVAILABLE


def _newest(citations: tuple[CitationRow, ...]) -> datetime | None:
    return max((citation.source_observed_at for citation in citations), default=None)


def _reference_resolution(facts: RecordFacts) -> Lane:
    lane, displayed = CoverageLane.REFERENCE_RESOLUTION, len(facts.outbound)
    loaded = facts.holdings.bibliography is not None
    state = _state(facts, lane, loaded=loaded)
    measured = state is MeasurementState.MEASURED
    return Lane(
        lane=lane,
        denominator=displayed,
        records_observed=displayed,
        checked=displayed,
        state=state,
        source_observed_at=_newest(facts.outbound),
        empty_means=(
            "The bibliography that was read has no entries."
            if measured
            else "No bibliography of this paper is loaded: what it cites is not known."
        ),
    )


def _standing_notices(facts: RecordFacts) -> Lane:
    lane, displayed = CoverageLane.STANDING_NOTICES, len(facts.outbound)
    sources = standing_sources(facts)
    works = [citation.cited_work for citation in facts.outbound]
    answered = [work for work in works if work and facts.standing[work.key].receipts]
    state = _state(facts, lane, loaded=bool(sources))
    measured = state is MeasurementState.MEASURED
    return Lane(
        lane=lane,
        denominator=displayed,
        records_observed=displayed,
        checked=len(answered),
        state=state,
        source_observed_at=max((row.observed_at for row in sources), default=None),
        empty_means=(
            "The named sources list no event for the works that were checked; of the others "
            "nothing is known."
            if measured
            else "No standing source was asked: nothing is known of any event."
        ),
    )


def _inbound_itemization(facts: RecordFacts) -> Lane:
    lane = CoverageLane.INBOUND_ITEMIZATION
    return Lane(
        lane=lane,
        denominator=facts.total_inbound,
        records_observed=len(facts.inbound),
        checked=len(facts.inbound),
        state=_state(facts, lane, loaded=True),
        source_observed_at=_newest(facts.inbound),
        empty_means=(
            "No bibliography that this store holds cites the paper; papers that it does not hold "
            "may."
        ),
    )


def _external_measurements(facts: RecordFacts) -> Lane:
    lane, measured = CoverageLane.EXTERNAL_CITATION_MEASUREMENTS, facts.notes.measurements
    state = _state(facts, lane, loaded=bool(measured))
    return Lane(
        lane=lane,
        denominator=1,
        records_observed=1 if measured else 0,
        checked=1 if measured else 0,
        state=state,
        source_observed_at=max((row.observed_at for row in measured), default=None),
        empty_means=(
            "The lane was measured and no source's count is stored; that is not a count of zero."
            if state is MeasurementState.MEASURED
            else "No source's count was loaded; that is not a count of zero."
        ),
    )
