"""Folding: both databases index the same tokens."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pith_graph.folding import fold_text, fold_tokens


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Poincaré–Bendixson", "poincare bendixson"),
        ("深度", "shendu"),
        ("ﬁeld Ⅷ", "field viii"),
        ("  H$_0$ <i>tension</i>\n", "h 0 i tension i"),
        ("İSTANBUL Straße", "istanbul strasse"),
        ("…!?", ""),
        ("", ""),
    ],
)
def test_text_becomes_plain_lower_case_tokens(text, folded):
    assert fold_text(text) == folded


@given(st.text())
def test_folded_text_is_ascii_words_with_single_spaces(text):
    folded = fold_text(text)

    assert re.fullmatch(r"(?:[a-z0-9]+(?: [a-z0-9]+)*)?", folded)
    assert fold_tokens(text) == tuple(folded.split())


@given(st.text())
def test_folding_twice_changes_nothing(text):
    assert fold_text(fold_text(text)) == fold_text(text)


@given(st.text())
def test_case_and_composition_make_no_difference_to_ascii(text):
    plain = text.encode("ascii", "ignore").decode()

    assert fold_text(plain.upper()) == fold_text(plain.lower())


def test_a_word_that_postgresql_could_not_index_is_cut():
    assert fold_text("x" * 5_000 + " y") == "x" * 200 + " y"
