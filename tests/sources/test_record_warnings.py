"""Derived values that differ: the record is taken in, and each is told with its place."""

from __future__ import annotations

import pytest

from pith_graph.sources.pith_record import parse_record
from pith_graph.sources.record_problems import render_place
from pith_graph.vocabulary import CoverageLane, MeasurementState
from tests.record_edits import change
from tests.records import cut, seed, with_digests


def test_a_record_cut_by_hand_is_taken_in_with_warnings():
    record = seed()
    record["outbound"] = record["outbound"][:5]

    observation, warnings = parse_record(with_digests(record))

    assert (len(observation.outbound), observation.total_outbound) == (5, 21)
    assert [warning.split(":")[0] for warning in warnings] == [
        "reference_resolution.displayed",
        "reference_resolution.state_counts.unresolved",
        "reference_resolution.state_counts.verified_fuzzy",
        "coverage[0].denominator",
        "coverage[0].records_observed",
        "coverage[0].source_observed_at",
        "coverage[1].denominator",
        "coverage[1].records_observed",
        "thesis",
    ]
    assert warnings[0] == "reference_resolution.displayed: shows 21, computed 5"


def test_a_record_cut_with_its_derived_values_has_no_warning():
    observation, warnings = parse_record(cut(seed(), 5))

    assert (len(observation.outbound), observation.total_outbound, warnings) == (5, 21, ())


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("caps", "outbound"), 50),
        (("coverage", 2, "source_observed_at"), "2026-08-05T13:52:28Z"),
        (("coverage", 3, "records_observed"), 1),
        (("thesis",), "As of today."),
        (("outbound", 1, "standing_notice", "observation"), "No event found at all."),
    ],
    ids=str,
)
def test_a_derived_value_that_differs_is_a_warning(path, value):
    record = seed()
    change(record, path, value)

    _, warnings = parse_record(with_digests(record))

    assert [warning.split(": ")[0] for warning in warnings] == [render_place(path)]


def test_citations_out_of_order_are_a_warning():
    record = seed()
    record["outbound"].reverse()

    assert parse_record(with_digests(record))[1] == (
        "outbound: not in the order of reference_index, in which it is shown",
    )


def test_a_lane_that_was_not_measured_is_not_compared():
    record = seed()
    record["coverage"][1].update(state="unavailable", denominator=0, source_observed_at=None)

    observation, warnings = parse_record(with_digests(record))

    assert warnings == ()
    assert observation.lanes[CoverageLane.STANDING_NOTICES] is MeasurementState.UNAVAILABLE
