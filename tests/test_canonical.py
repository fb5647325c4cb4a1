"""Canonical JSON and digests: the seed's own digests are the acceptance test."""

from __future__ import annotations

import hashlib
import json

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from pith_graph.canonical import canonical_json, digest, digest_bytes, render_canonical
from tests.records import seed, seed_path

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
json_objects = st.dictionaries(st.text(), json_values, max_size=6)


def test_the_seed_is_canonical_json_already():
    assert canonical_json(seed()) == seed_path.read_bytes()


def test_the_seeds_context_digest_is_reproduced():
    record = seed()

    assert (
        digest(record, without=frozenset({"as_of", "context_digest"})) == record["context_digest"]
    )


def test_every_observation_digest_of_the_seed_is_reproduced():
    items = seed()["outbound"]

    computed = [digest(item, without=frozenset({"observation_digest"})) for item in items]

    assert len(computed) == 21
    assert computed == [item["observation_digest"] for item in items]


@given(json_objects)
def test_canonical_json_reads_back_as_the_value(value):
    assert json.loads(canonical_json(value)) == value


@given(json_objects)
def test_the_order_of_keys_makes_no_difference(value):
    turned = dict(reversed(value.items()))

    assert canonical_json(turned) == canonical_json(value)


@given(json_objects, st.text())
def test_a_key_left_out_makes_no_difference_to_the_digest(value, key):
    without = {name: inner for name, inner in value.items() if name != key}

    assert digest({**value, key: "anything"}, without=frozenset({key})) == digest(without)


def test_keys_sort_by_utf_16_code_units():
    assert canonical_json({"\U0001f600": 1, "\ufb33": 2}) == '{"😀":1,"\ufb33":2}'.encode()


def test_a_digest_is_the_sha_256_of_the_bytes():
    assert digest_bytes(b"{}") == "sha256:" + hashlib.sha256(b"{}").hexdigest()
    assert digest({}) == digest_bytes(b"{}")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**53, object()])
def test_what_json_cannot_say_alike_everywhere_has_no_canonical_form(value):
    with pytest.raises(rfc8785.CanonicalizationError):
        canonical_json({"value": value})


own_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="ascii")), inner),
)


@given(st.dictionaries(st.text(st.characters(codec="ascii")), own_values))
def test_values_of_our_own_are_rendered_as_rfc_8785_asks(value):
    assert render_canonical(value) == canonical_json(value)
