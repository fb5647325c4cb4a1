"""Derived values of a record that differ from what its parts give.

They are computed anew wherever the record is shown, so nothing is lost with them: the importer
reports them and goes on. Called by ``pith_record`` for a record without problems.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import pairwise

from pith_graph.errors import shorten
from pith_graph.instants import render_instant, render_offset_instant
from pith_graph.record_text import CAPS, no_event_sentence, thesis
from pith_graph.sources.record_checks import INBOUND_LANE
from pith_graph.sources.record_model import CoverageModel, ObservationModel, RecordModel
from pith_graph.sources.record_problems import Problem
from pith_graph.vocabulary import MeasurementState


def find_warnings(record: RecordModel) -> Iterator[Problem]:
    """Yield every derived value that differs."""
    yield from _compare_mapping("caps", record.caps.model_dump(), dict(CAPS))
    yield from _compare_counts(record)
    yield from _compare_lanes(record)
    yield from _compare_sentences(record)
    if any(
        later.citation.reference_index < earlier.citation.reference_index
        for earlier, later in pairwise(record.outbound)
    ):
        yield Problem("outbound", "not in the order of reference_index, in which it is shown")


def _compare_counts(record: RecordModel) -> Iterator[Problem]:
    totals = record.reference_resolution
    place = "reference_resolution"
    yield from _compare(f"{place}.displayed", totals.displayed, len(record.outbound))
    counts = Counter(item.resolution.status.value for item in record.outbound)
    shown = totals.state_counts.model_dump()
    yield from _compare_mapping(f"{place}.state_counts", shown, {key: counts[key] for key in shown})


def _compare_lanes(record: RecordModel) -> Iterator[Problem]:
    resolution, standing, inbound, external = record.coverage
    displayed = len(record.outbound)
    measurements = record.external_citation_measurements
    newest = _newest(item.citation.source_observed_at for item in record.outbound)
    yield from _compare_lane(0, resolution, (displayed, displayed, _z(newest)))
    receipts = [*record.standing_sources]
    for item in record.outbound:
        receipts += item.standing_notice.source_receipts
    newest = _newest(receipt.observed_at for receipt in receipts)
    offset = None if newest is None else render_offset_instant(newest)
    yield from _compare_lane(1, standing, (displayed, displayed, offset))
    newest = _newest(item.citation.source_observed_at for item in record.inbound)
    expected = (inbound.denominator, len(record.inbound), _z(newest))
    yield from _compare_lane(INBOUND_LANE, inbound, expected)
    newest = _newest(measurement.observed_at for measurement in measurements)
    yield from _compare_lane(3, external, (1, min(1, len(measurements)), _z(newest)))


def _compare_lane(
    index: int, lane: CoverageModel, expected: tuple[int, int, str | None]
) -> Iterator[Problem]:
    """Compare a measured lane with its denominator, records observed and newest time."""
    if lane.state is MeasurementState.UNAVAILABLE:
        return
    denominator, observed, at = expected
    place = f"coverage[{index}]"
    yield from _compare(f"{place}.denominator", lane.denominator, denominator)
    yield from _compare(f"{place}.records_observed", lane.records_observed, observed)
    yield from _compare(f"{place}.source_observed_at", lane.source_observed_at, at)


def _compare_sentences(record: RecordModel) -> Iterator[Problem]:
    expected = thesis(
        as_of=record.as_of,
        displayed=len(record.outbound),
        total_outbound=record.reference_resolution.total_outbound_references,
        total_inbound=record.coverage[INBOUND_LANE].denominator,
        arxiv_id=record.paper.arxiv_id,
    )
    yield from _compare("thesis", record.thesis, expected)
    for direction, items in (("outbound", record.outbound), ("inbound", record.inbound)):
        for index, item in enumerate(items):
            yield from _compare_notice(f"{direction}[{index}].standing_notice", item)


def _compare_notice(place: str, item: ObservationModel) -> Iterator[Problem]:
    notice = item.standing_notice
    newest = _newest(receipt.observed_at for receipt in notice.source_receipts)
    if notice.observation is not None and newest is not None:
        expected = no_event_sentence(newest)
        yield from _compare(f"{place}.observation", notice.observation, expected)


def _compare_mapping(
    place: str, found: dict[str, int], expected: dict[str, int]
) -> Iterator[Problem]:
    for key, value in found.items():
        yield from _compare(f"{place}.{key}", value, expected[key])


def _compare(place: str, found: object, expected: object) -> Iterator[Problem]:
    if found != expected:
        reason = f"shows {shorten(found)}, computed {shorten(expected, limit=200)}"
        yield Problem(place, reason)


def _newest(times: Iterable[datetime]) -> datetime | None:
    return max(times, default=None)


def _z(at: datetime | None) -> str | None:
    return None if at is None else render_instant(at)
