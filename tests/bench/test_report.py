"""Results: targets, the section of a file that a benchmark owns, and the plot."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from bench.plot import render_bars
from bench.report import replace_section, with_head
from bench.results import Results


@pytest.mark.parametrize(("found", "met"), [(1.2, True), (1.3, True), (1.31, False)])
def test_a_ceiling_is_met_up_to_its_bound(found, met):
    results = Results()
    results.check_most("growth", "SQLite", found, 1.3)
    assert results.checks[0].met is met


@pytest.mark.parametrize(("found", "met"), [(7.9, False), (8, True), (20, True)])
def test_a_floor_is_met_from_its_bound(found, met):
    results = Results()
    results.check_least("times faster", "SQLite", found, 8)
    assert results.checks[0].met is met


def test_a_section_is_added_and_then_replaced_and_others_stay():
    text = replace_section("# Results\n", "one", "first")
    text = replace_section(text, "two", "second")
    again = replace_section(text, "one", "third")
    assert "first" in text
    assert "first" not in again
    assert again.index("third") < again.index("second")
    assert replace_section(again, "one", "third") == again


def test_bars_are_as_long_as_their_values_are_large():
    drawn = ET.fromstring(  # noqa: S314  # our own
        render_bars("A & B", {"one hop": {"floor": 2.0, "<server>": 4.0}}, "ms")
    )
    bars = list(drawn.iter("{http://www.w3.org/2000/svg}rect"))[1:]
    widths = [float(bar.attrib["width"]) for bar in bars]
    assert widths[1] == pytest.approx(2 * widths[0])
    assert "4 ms" in [part.text for part in drawn.iter("{http://www.w3.org/2000/svg}text")]


def test_the_head_is_written_anew_and_what_follows_stays():
    text = replace_section(with_head(""), "one", "first") + "\nA profile.\n"
    stale = text.replace("# Results", "# Old results")
    assert with_head(stale) == text
