"""Reading records: what is refused, where, and what is only a warning."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pith_graph.sources.pith_record import parse_record
from pith_graph.sources.record_problems import render_place
from pith_graph.vocabulary import CoverageLane, MeasurementState, ResolutionStatus
from tests.record_edits import Path, change, refusal_of, rich_record, value_at
from tests.record_universe import Universe
from tests.records import (
    encode,
    make_record,
    make_records,
    seed,
    with_digests,
)

PRESENT_WHEN_DUE = {"observation", "cited_paper"}
MAY_BE_NULL = {
    "total_outbound_references",
    "primary_category",
    "cited_paper",
    "reason",
    "resolver_source",
    "source_observed_at",
}


def leaves_and_branches(value: Any, path: Path = ()) -> list[Path]:
    """Every path of a record's keys; of lists the first and the second item."""
    paths: list[Path] = []
    if isinstance(value, dict):
        for key, inner in value.items():
            paths += [(*path, key), *leaves_and_branches(inner, (*path, key))]
    elif isinstance(value, list):
        for index, inner in enumerate(value[:2]):
            paths += leaves_and_branches(inner, (*path, index))
    return paths


def is_nullable(path: Path) -> bool:
    return path[-1] in MAY_BE_NULL or (len(path) > 1 and path[-2] == "cited_work")


KEYS = leaves_and_branches(seed())
RICH_KEYS = [
    path
    for path in leaves_and_branches(rich_record())
    if path[0] in {"inbound", "external_citation_measurements"}
]
OBJECTS: list[Path] = [
    (),
    *(path for path in KEYS if isinstance(value_at(seed(), path), dict)),
    *(("outbound", index) for index in (0, 20)),
    ("coverage", 3),
    ("standing_sources", 1),
]


def test_the_seed_is_taken_in_without_a_warning():
    observation, warnings = parse_record(seed())

    assert warnings == ()
    assert observation.paper.primary_category == "cs.LG"
    assert observation.total_outbound == len(observation.outbound) == 21
    assert observation.total_inbound == 0
    assert {item.resolution.status for item in observation.outbound} == {
        ResolutionStatus.UNRESOLVED,
        ResolutionStatus.VERIFIED_FUZZY,
    }
    assert dict.fromkeys(CoverageLane, MeasurementState.MEASURED) == observation.lanes


def test_a_linked_citation_says_its_work_and_an_unlinked_one_its_reference():
    observation, _ = parse_record(seed())
    unlinked, linked = observation.outbound[2], observation.outbound[1]

    assert unlinked.work is None
    assert unlinked.cited_as.title is not None
    assert unlinked.cited_as.title.startswith("Dfmodel")
    assert unlinked.cited_paper is not None
    assert unlinked.cited_paper.arxiv_id == "2412.16432"
    assert unlinked.receipts == ()
    assert linked.work is not None
    assert linked.work.year == 2019
    assert linked.cited_as.title is None
    assert [receipt.source for receipt in linked.receipts] == ["crossref", "retraction_watch"]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 100), st.integers(0, 20))
def test_every_made_record_is_taken_in_without_a_warning(universe_seed, citations, inbound):
    record = make_record(
        citations=citations, inbound=inbound, universe=Universe(seed=universe_seed)
    )

    observation, warnings = parse_record(json.loads(encode(record)))

    assert warnings == ()
    assert len(observation.outbound) == citations
    assert len(observation.inbound) == inbound


def test_the_records_of_one_universe_agree_with_each_other():
    seen: dict[Any, Any] = {}
    for record in make_records(Universe(seed=5)):
        observation, warnings = parse_record(record)
        assert warnings == ()
        for item in (*observation.outbound, *observation.inbound):
            assert seen.setdefault(item.observation_id, item) == item
            if item.work is not None:
                assert seen.setdefault(item.work.work_id, item.work) == item.work
    assert len(seen) > 100


def test_more_than_a_hundred_citations_are_declared_and_not_displayed():
    observation, warnings = parse_record(make_record(citations=120, inbound=130))

    assert (len(observation.outbound), observation.total_outbound) == (100, 120)
    assert (len(observation.inbound), observation.total_inbound) == (100, 130)
    assert warnings == ()


@pytest.mark.parametrize("path", KEYS, ids=render_place)
def test_a_missing_key_is_refused_and_named(path):
    record = seed()
    del value_at(record, path[:-1])[path[-1]]

    error = refusal_of(record)

    assert error.place == render_place(path)
    if path[-1] not in PRESENT_WHEN_DUE:
        assert error.reason.startswith(f"the key {path[-1]!r} is missing")


@pytest.mark.parametrize("path", OBJECTS, ids=render_place)
def test_an_unknown_key_is_refused_and_named(path):
    record = seed()
    value_at(record, path)["stranger"] = None

    error = refusal_of(record)

    assert error.place == render_place((*path, "stranger"))
    assert error.reason.startswith("the key 'stranger' is unknown")


@pytest.mark.parametrize("wrong", [7.5, [{"x": 1}]], ids=repr)
@pytest.mark.parametrize("path", KEYS + RICH_KEYS, ids=render_place)
def test_a_value_of_another_type_is_refused_at_its_place(path, wrong):
    record = rich_record() if path in RICH_KEYS else seed()
    change(record, path, wrong)

    assert refusal_of(record).place.startswith(render_place(path))


@pytest.mark.parametrize("path", KEYS, ids=render_place)
def test_null_is_refused_where_nothing_may_be_null(path):
    record = seed()
    was = value_at(record, path)
    change(record, path, None)

    if was is None:
        parse_record(record)
    else:
        error = refusal_of(record)
        assert error.place == render_place(path) or is_nullable(path)


@pytest.mark.parametrize(
    "path", [path for path in KEYS if isinstance(value_at(seed(), path), str)], ids=render_place
)
@pytest.mark.parametrize("text", ["nul\0", "half a pair \ud800"], ids=["NUL", "surrogate"])
def test_text_that_a_database_cannot_hold_is_refused_everywhere(path, text):
    record = seed()
    change(record, path, text)

    assert refusal_of(record).place == render_place(path)


@pytest.mark.parametrize("place", [("context_digest",), *(("outbound", n) for n in range(21))])
@pytest.mark.parametrize("position", [7, 40, -1])
def test_a_digest_with_one_other_digit_is_refused_and_named(place, position):
    record = seed()
    path: Path = place if len(place) == 1 else (*place, "observation_digest")
    holder, key = value_at(record, path[:-1]), path[-1]
    digits = list(holder[key])
    digits[position] = "0" if digits[position] != "0" else "1"
    holder[key] = "".join(digits)

    error = refusal_of(record)

    assert error.place == render_place(path)
    assert re.match(
        r"the contents have sha256:[0-9a-f]{12}…, found sha256:[0-9a-f]{12}…", error.reason
    )


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("paper", "primary_category"), "cs.AI"),
        (("outbound", 1, "citation", "cited_work", "title"), "Another title"),
        (("outbound", 1, "citation", "cited_work", "year"), 2020),
        (("outbound", 1, "citation", "source"), "crossref"),
        (("outbound", 2, "resolution", "status"), "parse_uncertain"),
        (("external_citation_measurements",), []),
    ],
    ids=str,
)
def test_a_changed_fact_no_longer_has_its_digest(path, value):
    record = seed()
    unchanged = value_at(record, path) == value
    change(record, path, value)

    if unchanged:
        parse_record(record)
    else:
        assert "the contents have sha256:" in str(refusal_of(record))
        parse_record(with_digests(record))


def test_the_first_five_problems_are_told_and_the_rest_counted():
    record = seed()
    for item in record["outbound"][:8]:
        item["citation"]["source"] = 1

    error = refusal_of(record)

    assert error.place == "outbound[0].citation.source"
    assert "outbound[4].citation.source: " in error.reason
    assert "outbound[5]" not in error.reason
    assert error.reason.endswith("; and 3 more")


def test_a_hostile_key_is_named_without_breaking_the_message():
    record = seed()
    record["\ud800\n" * 100] = 1

    assert str(refusal_of(record)).isprintable()
