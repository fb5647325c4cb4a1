from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pith_graph.store.timeline import (
    Answer,
    Period,
    absent_from,
    began,
    insert_answer,
    insert_stated,
    period_at,
)

START = datetime(2026, 1, 1, tzinfo=UTC)


def hour(number: float) -> datetime:
    return START + timedelta(hours=number)


@dataclass(frozen=True)
class Asked:
    """One answer of a made history: what it says, and since when by its own time."""

    at: datetime
    value: str | None
    own: datetime


@st.composite
def histories(draw: Callable[..., Any]) -> list[Asked]:
    """Answers at different times. What is new in one began after the one before it; what comes
    back has the own time that it had, and an absence is as old as the answer's newest part.
    """
    values = draw(st.lists(st.sampled_from(["a", "b", None]), min_size=1, max_size=5))
    answers = []
    owns: dict[str, datetime] = {}
    for number, value in enumerate(values, start=1):
        own = hour(number - draw(st.sampled_from([0, 0.25, 0.75])))
        if value is not None:
            own = owns.setdefault(value, own)
        answers.append(Asked(hour(number), value, own))
    return answers


def take(answers: Sequence[Asked], order: Sequence[int]) -> list[Period]:
    """Insert answers one after another, each knowing only those before it."""
    periods: list[Period] = []
    known: list[Asked] = []
    for index in order:
        asked = answers[index]
        before = max((a.at for a in known if a.at < asked.at), default=None)
        next_one = min((a for a in known if a.at > asked.at), key=lambda a: a.at, default=None)
        following = None if next_one is None else next_one.at
        until = absent_from(periods, following)
        if until is not None and next_one is not None:
            until = began(next_one.own, at=until, previous=asked.at)
        facts = None if asked.value is None else {"value": asked.value}
        answer = Answer(asked.at, facts, asked.own, before, following, until)
        periods = lasting(insert_answer(periods, answer))
        known.append(asked)
    return periods


def plain(periods: Sequence[Period]) -> list[tuple[Any, ...]]:
    """Return periods as values, those that touch and say the same as one, without empty ones."""
    out: list[tuple[Any, ...]] = []
    for period in periods:
        if period.until is not None and period.until <= period.since:
            continue
        value = period.facts["value"]
        if out and out[-1][1] == period.since and out[-1][2] == value:
            out[-1] = (out[-1][0], period.until, value)
        else:
            out.append((period.since, period.until, value))
    return out


@given(histories())
def test_answers_in_any_order_give_the_same_periods(answers: list[Asked]) -> None:
    expected = plain(take(answers, range(len(answers))))
    for order in permutations(range(len(answers))):
        assert plain(take(answers, order)) == expected, order


@given(histories(), st.randoms(use_true_random=False))
def test_as_of_an_answer_the_periods_say_what_it_says(answers: list[Asked], random: Any) -> None:
    order = random.sample(range(len(answers)), len(answers))
    periods = take(answers, order)
    for asked in answers:
        found = period_at(periods, asked.at)
        assert (None if found is None else found.facts["value"]) == asked.value


@given(histories(), st.randoms(use_true_random=False))
def test_periods_are_in_order_and_do_not_overlap(answers: list[Asked], random: Any) -> None:
    periods = take(answers, random.sample(range(len(answers)), len(answers)))
    assert_in_order(periods)


instants = st.integers(0, 8).map(hour)


@st.composite
def any_answers(draw: Callable[..., Any]) -> list[Asked]:
    """Answers that need not agree: their own times may lie anywhere, also ahead."""
    values = draw(st.lists(st.sampled_from(["a", "b", None]), min_size=1, max_size=6))
    times = draw(st.permutations([hour(number) for number in range(1, 7)]))
    return [Asked(at, value, draw(instants)) for at, value in zip(times, values, strict=False)]


@given(any_answers())
def test_answers_that_contradict_each_other_never_make_periods_overlap(
    answers: list[Asked],
) -> None:
    assert_in_order(take(answers, range(len(answers))))


@given(any_answers())
def test_statements_that_contradict_each_other_never_make_periods_overlap(
    answers: list[Asked],
) -> None:
    periods: list[Period] = []
    for index, asked in enumerate(answers):
        known = [other.at for other in answers[:index] if other.at > asked.at]
        following = min(known, default=None)
        facts = None if asked.value is None else {"value": asked.value}
        until = absent_from(periods, following)
        own = None if facts is None else asked.own
        answer = Answer(asked.at, facts, own, None, following, until)
        periods = lasting(insert_stated(periods, answer))
        assert_in_order(periods)


def lasting(periods: Sequence[Period]) -> list[Period]:
    return [period for period in periods if period.until is None or period.until > period.since]


def assert_in_order(periods: Sequence[Period]) -> None:
    for one, other in pairwise(lasting(periods)):
        assert one.until is not None
        assert one.until <= other.since


def test_what_ends_only_after_it_is_so_again_ends_when_it_is_so_again() -> None:
    periods = [Period(hour(0), None, {"value": "a"})]
    gone = Answer(hour(2), None, hour(6), previous=hour(1), following=hour(4))
    assert [(p.since, p.until) for p in insert_answer(periods, gone)] == [
        (hour(0), hour(4)),
        (hour(4), None),
    ]


def test_what_was_said_to_be_otherwise_before_begins_with_the_answer() -> None:
    held = insert_answer([], Answer(hour(2), None, previous=None))
    answer = Answer(hour(4), {"value": "a"}, own=hour(1), previous=hour(2))
    assert insert_answer(held, answer) == [Period(hour(4), None, {"value": "a"})]


def test_a_row_that_is_moved_stays_the_stored_one() -> None:
    row = {"value": "a"}
    held = [Period(hour(1), None, row, stored=True)]
    late = Answer(hour(3), {"value": "b"}, own=hour(3), previous=hour(2), following=hour(4))
    first, second, third = insert_answer(held, late)
    assert (first.stored, second.stored, third.stored) == (False, False, True)
    assert third.facts is row
    assert [first.until, second.until, third.until] == [hour(3), hour(4), None]


def stated(value: str | None, own: float, at: float, following: float | None = None) -> Answer:
    return Answer(
        hour(at),
        None if value is None else {"value": value},
        own=None if value is None else hour(own),
        following=None if following is None else hour(following),
    )


def test_a_statement_that_comes_back_with_its_own_time_was_there_all_along() -> None:
    periods = insert_stated([], stated("a", 1, 2))
    periods = insert_stated(periods, stated(None, 0, 3))
    assert plain(periods) == [(hour(1), hour(3), "a")]
    periods = insert_stated(periods, stated("a", 1, 4))
    assert plain(periods) == [(hour(1), None, "a")]


def test_a_late_answer_ends_a_statement_earlier_but_never_splits_it() -> None:
    gone = insert_stated([], stated("a", 1, 2))
    gone = insert_stated(gone, stated(None, 0, 5))
    assert plain(insert_stated(gone, stated(None, 0, 4, 5))) == [(hour(1), hour(4), "a")]
    still = insert_stated([], stated("a", 1, 5))
    assert plain(insert_stated(still, stated(None, 0, 4, 5))) == [(hour(1), None, "a")]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_statements_follow_one_another_by_their_own_times(order: tuple[int, ...]) -> None:
    answers = [stated("a", 1, 2), stated("b", 3, 4), stated("c", 5, 6)]
    periods: list[Period] = []
    for place, index in enumerate(order):
        known = [answers[i].at for i in order[:place] if answers[i].at > answers[index].at]
        following = min(known, default=None)
        until = absent_from(periods, following)
        answer = replace(answers[index], following=following, until=until)
        periods = insert_stated(periods, answer)
    expected = [(hour(1), hour(3), "a"), (hour(3), hour(5), "b"), (hour(5), None, "c")]
    assert plain(periods) == expected
