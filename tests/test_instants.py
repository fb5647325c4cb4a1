"""Instants: what is read prints back as it came."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pith_graph.errors import InputError
from pith_graph.instants import (
    floor_to_minute,
    parse_any_instant,
    parse_instant,
    render_instant,
    render_offset_instant,
)

instants = st.datetimes(timezones=st.just(UTC))


@given(instants)
def test_a_printed_instant_reads_back_the_same(at):
    assert parse_instant(render_instant(at)) == at
    assert parse_instant(render_offset_instant(at)) == at


@given(instants)
def test_both_spellings_print_as_they_were_read(at):
    for render in (render_instant, render_offset_instant):
        text = render(at)
        assert render(parse_instant(text)) == text


@pytest.mark.parametrize(
    ("text", "microsecond"),
    [
        ("2026-08-10T10:32:00Z", 0),
        ("2026-08-10T10:32:00+00:00", 0),
        ("2026-08-05T13:52:28.621920Z", 621920),
        ("2026-08-05T13:52:28.000001+00:00", 1),
    ],
)
def test_the_two_spellings_of_the_record_are_read(text, microsecond):
    at = parse_instant(text)

    assert at.utcoffset() == timedelta(0)
    assert at.microsecond == microsecond


@pytest.mark.parametrize(
    "text",
    [
        "2026-08-10",
        "2026-08-10T10:32Z",
        "2026-08-10T10:32:00",
        "2026-08-10 10:32:00Z",
        "2026-08-10t10:32:00z",
        "2026-08-10T10:32:00.5Z",
        "2026-08-10T10:32:00.000000Z",
        "2026-08-10T10:32:00.1234567Z",
        "2026-08-10T10:32:00+01:00",
        "2026-08-10T10:32:00-00:00",
        "2026-02-30T10:32:00Z",
        "2026-08-10T24:32:00Z",
        "2026-08-10T10:32:60Z",
        "0000-08-10T10:32:00Z",
        "٢٠٢٦-08-10T10:32:00Z",
        "2026-08-10T10:32:00Z\n",
        "",
    ],
)
def test_another_form_is_refused_with_the_form_expected(text):
    with pytest.raises(InputError, match=r"is not a (UTC )?time"):
        parse_instant(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-08-10", datetime(2026, 8, 10, tzinfo=UTC)),
        ("2026-08-10T10:32", datetime(2026, 8, 10, 10, 32, tzinfo=UTC)),
        ("2026-08-10t10:32:00.5z", datetime(2026, 8, 10, 10, 32, 0, 500_000, tzinfo=UTC)),
        ("2026-08-10 12:32:00+02:00", datetime(2026, 8, 10, 10, 32, tzinfo=UTC)),
        ("2026-08-10T12:32:00+0200", datetime(2026, 8, 10, 10, 32, tzinfo=UTC)),
    ],
)
def test_people_may_write_a_time_in_other_ways(text, expected):
    assert parse_any_instant(text) == expected


@pytest.mark.parametrize("text", ["yesterday", "2026-08", "2026-13-01", "10:32", "1786357920", ""])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(InputError):
        parse_any_instant(text)


@given(st.text(max_size=40))
def test_arbitrary_text_is_read_or_refused(text):
    for parse in (parse_instant, parse_any_instant):
        try:
            at = parse(text)
        except InputError:
            continue
        assert at.tzinfo is UTC or at.utcoffset() == timedelta(0)


def test_a_zone_at_the_edge_of_the_calendar_is_refused_or_read():
    with pytest.raises(InputError):
        parse_any_instant("0001-01-01T00:00:00+14:00")


@given(instants)
def test_the_minute_is_at_or_before_its_time(at):
    minute = floor_to_minute(at)

    assert timedelta(0) <= at - minute < timedelta(minutes=1)
    assert floor_to_minute(minute) == minute


def test_another_zone_prints_wrong_so_callers_convert_first():
    there = datetime(2026, 8, 10, 12, tzinfo=timezone(timedelta(hours=2)))

    assert render_instant(there.astimezone(UTC)) == "2026-08-10T10:00:00Z"
