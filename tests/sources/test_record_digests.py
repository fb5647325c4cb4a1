"""Recomputing digests: all that differ are found, and nothing else is judged."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pith_graph.errors import RecordRefusedError
from pith_graph.sources.record_digests import verify_document
from tests.record_edits import rich_record
from tests.records import encode, seed, seed_path


def test_the_seed_verifies_as_bytes_and_as_json():
    assert verify_document(seed_path.read_bytes()) == []
    assert verify_document(seed()) == []
    assert verify_document(json.dumps(seed(), indent=2).encode()) == []


def test_the_digests_of_inbound_citations_are_verified_too():
    record = rich_record()
    assert verify_document(encode(record)) == []

    record["inbound"][2]["citation"]["source"] = "another"

    places = [mismatch.place for mismatch in verify_document(record)]
    assert places == ["inbound[2].observation_digest", "context_digest"]


def test_every_mismatch_is_listed():
    record = seed()
    for index in (3, 7, 20):
        record["outbound"][index]["citation"]["cited_work"]["title"] = "x"

    mismatches = verify_document(record)

    assert [mismatch.place for mismatch in mismatches] == [
        "outbound[3].observation_digest",
        "outbound[7].observation_digest",
        "outbound[20].observation_digest",
        "context_digest",
    ]
    assert mismatches[0].found == record["outbound"][3]["observation_digest"]
    assert mismatches[0].computed != mismatches[0].found


def test_a_missing_or_strange_digest_is_a_mismatch():
    record = seed()
    del record["outbound"][0]["observation_digest"]
    record["context_digest"] = ["x"]

    missing, strange = verify_document(record)

    assert missing.found is None
    assert missing.reason.endswith("…, found nothing")
    assert strange.found == "['x']"


def test_as_of_is_no_part_of_the_digest():
    record = seed()
    record["as_of"] = "2026-08-10T11:00:00Z"

    assert verify_document(record) == []


@pytest.mark.parametrize(
    ("document", "place"),
    [
        (b"", "record"),
        (b"[]", "record"),
        (b"{}", "outbound"),
        (b'{"outbound": {}, "inbound": []}', "outbound"),
        (b'{"outbound": [1], "inbound": []}', "outbound[0]"),
        (b'{"outbound": [], "inbound": []', "record"),
        (b'{"outbound": [], "inbound": [], "x": 9007199254740993}', "record"),
        (b'{"outbound": [{"x": 1e999}], "inbound": []}', "outbound[0]"),
        (b'{"outbound": [{"x": "\\ud800"}], "inbound": []}', "outbound[0]"),
    ],
)
def test_what_cannot_have_digests_is_refused(document, place):
    with pytest.raises(RecordRefusedError) as refused:
        verify_document(document)

    assert refused.value.place == place


@given(st.binary(max_size=60) | st.text('{}[]":,1aoutbndix ', max_size=60).map(str.encode))
def test_arbitrary_bytes_are_verified_or_refused(document):
    try:
        verify_document(document)
    except RecordRefusedError as error:
        assert error.reason  # noqa: PT017  # both outcomes are right
