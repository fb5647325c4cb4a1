"""Cursors: what is written reads back, and nothing else reads at all."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pith_graph.errors import CursorError
from pith_graph.gql.cursors import CursorForm, parse_cursor, render_cursor

integers = st.integers(-(2**63), 2**63 - 1)
instants = st.datetimes(timezones=st.just(UTC))
NUMBERS = CursorForm("list/index.asc/", (int, int, int))
TIMES = CursorForm("list/time.desc/", (datetime, int))
YEARS = CursorForm("list/year.asc/r=unresolved", (int, int), nullable=True)


def read(text: str, form: CursorForm = NUMBERS) -> Any:
    return parse_cursor(text, form, argument="after")


@given(
    st.tuples(st.just(NUMBERS), st.tuples(integers, integers, integers))
    | st.tuples(st.just(TIMES), st.tuples(instants, integers))
    | st.tuples(st.just(YEARS), st.tuples(st.none() | integers, integers))
)
def test_what_is_written_reads_back(case):
    form, values = case
    assert read(render_cursor(form.name, values), form) == values


@given(st.text() | st.binary().map(lambda data: base64.urlsafe_b64encode(data).decode()))
def test_text_that_was_never_a_cursor_is_refused(text):
    with pytest.raises(CursorError, match="`after` is not a cursor"):
        read(text)


@pytest.mark.parametrize("other", [TIMES, YEARS])
def test_a_cursor_of_another_form_names_both(other):
    with pytest.raises(CursorError) as refused:
        read(render_cursor(other.name, (1, 2)))
    assert other.name in str(refused.value)
    assert NUMBERS.name in str(refused.value)


def crafted(*document: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(document).encode()).decode()


@pytest.mark.parametrize(
    "values",
    [
        [1, 2],
        [1, 2, 3, 4],
        [None, 2, 3],
        [1, 2, None],
        [1, 2, 3.0],
        [True, 2, 3],
        ["1", 2, 3],
        [[1], 2, 3],
        [1, 2, 2**63],
        [1, 2, -(2**63) - 1],
        {"0": 1},
        None,
        7,
    ],
)
def test_values_of_another_shape_are_refused(values):
    with pytest.raises(CursorError, match="is not a cursor"):
        read(crafted(1, NUMBERS.name, values))


@pytest.mark.parametrize("at", [2**62, -(2**62), "2020-01-01", None])
def test_a_time_that_cannot_be_is_refused(at):
    with pytest.raises(CursorError, match="is not a cursor"):
        read(crafted(1, TIMES.name, [at, 1]), TIMES)


def test_another_version_is_refused():
    assert read(crafted(1, NUMBERS.name, [1, 2, 3])) == (1, 2, 3)
    with pytest.raises(CursorError, match="is not a cursor"):
        read(crafted(2, NUMBERS.name, [1, 2, 3]))


def test_a_long_text_is_refused_before_it_is_read_and_shown_short():
    with pytest.raises(CursorError) as refused:
        read("A" * 100_000)
    assert len(str(refused.value)) < 300
