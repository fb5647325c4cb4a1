"""The periods of one row, and what one more answer does to them. Pure; `periods` writes the result.

An answer says at a time what a thing is, or that it is not. Whatever the order in which answers
come in, the periods are the same, and as of an answer's time they say what it says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Any


@dataclass(frozen=True, slots=True)
class Period:
    """From when to when a row said something.

    Attributes:
        until: The first time that it is no longer so; None while it is.
        facts: The columns; of a stored row all of them.
        stored: Whether ``facts`` is a row that is in the database.
    """

    since: datetime
    until: datetime | None
    facts: Mapping[str, Any]
    stored: bool = False

    def covers(self, at: datetime) -> bool:
        """Whether it was so at a time."""
        return self.since <= at and (self.until is None or self.until > at)


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of one thing at one time.

    Attributes:
        at: When it was said.
        facts: What it is; None: it is not.
        own: Since when, by the source's own time; None where that is not known.
        previous: When the same was last asked before; None for the first time.
        following: When the same was next asked after; None for the last time.
        until: Since when later answers no longer have it; None where they have, or there are none.
    """

    at: datetime
    facts: Mapping[str, Any] | None
    own: datetime | None = None
    previous: datetime | None = None
    following: datetime | None = None
    until: datetime | None = None

    @property
    def asserted(self) -> datetime:
        """The time at which it must be so: a record's own time may be a minute's beginning."""
        return self.at if self.own is None or self.facts is None else max(self.at, self.own)

    @property
    def begins(self) -> datetime:
        """Since when it is so: not before it was last said to be otherwise."""
        return began(self.own, at=self.at, previous=self.previous)


def began(own: datetime | None, *, at: datetime, previous: datetime | None) -> datetime:
    """Return when something began that was so at ``at`` and not at ``previous``."""
    if own is None or (previous is not None and own <= previous):
        return at
    return own


def period_at(periods: Iterable[Period], at: datetime) -> Period | None:
    """Return the period that covers a time."""
    return next((period for period in periods if period.covers(at)), None)


def absent_from(periods: Sequence[Period], following: datetime | None) -> datetime | None:
    """Return the time of the next answer where it lacks what is said now, else None."""
    if following is None or period_at(periods, following) is not None:
        return None
    return following


def insert_answer(periods: Sequence[Period], answer: Answer) -> list[Period]:
    """Return a row's periods, in order, after one more answer.

    Args:
        periods: The periods so far, in order, none of them empty.
        answer: The answer.
    """
    return _in_order(_answered(periods, answer))


def insert_stated(periods: Sequence[Period], answer: Answer) -> list[Period]:
    """Return the periods of a row whose beginning is the source's own time, which is shown.

    It is never moved. So a statement that is there before and after is there in between.
    """
    return _in_order(_stated(periods, answer))


def _in_order(periods: Iterable[Period]) -> list[Period]:
    """Return periods of which each ends before the next begins.

    Answers that contradict each other, such as of what is still to come, may make others.
    """
    ordered = sorted(periods, key=lambda period: period.since)
    return [
        one
        if one.until is not None and one.until <= other.since
        else replace(one, until=other.since)
        for one, other in pairwise(ordered)
    ] + ordered[-1:]


def _answered(periods: Sequence[Period], answer: Answer) -> list[Period]:
    at = answer.asserted
    cover = period_at(periods, at)
    if _says(cover, answer.facts):
        return list(periods)
    earlier = [period for period in periods if period.since <= at and period is not cover]
    later = [period for period in periods if period.since > at]
    # What was observed after the next answer, by its own time, is not bounded by that answer.
    following = None if answer.following is None or answer.following <= at else answer.following
    ends = answer.until
    if cover is not None:
        lasts = cover.until is None or (following is not None and cover.until > following)
        ends = _first(ends, following if lasts else cover.until)
        if lasts and following is not None:
            later.insert(0, replace(cover, since=following))
            cover = _before(cover, earlier, answer)
            if cover is not None and _says(cover, answer.facts):
                return [*earlier, replace(cover, until=following), *later]
    if cover is not None:
        begins = answer.begins if answer.begins > cover.since else at
        earlier.append(replace(cover, until=begins))
    else:
        last = max((p.until for p in earlier if p.until is not None), default=answer.begins)
        begins = answer.begins if answer.begins >= last else at
    if answer.facts is None:
        return [*earlier, *later]
    ends = _first(ends, later[0].since if later else None)
    return [*earlier, *_join(Period(begins, ends, answer.facts), earlier, later)]


def _stated(periods: Sequence[Period], answer: Answer) -> list[Period]:
    at = answer.asserted
    if answer.facts is None or answer.own is None:
        cover, following = period_at(periods, at), answer.following
        if cover is None or (following is not None and cover.covers(following)):
            return list(periods)
        return [replace(p, until=max(at, p.since)) if p is cover else p for p in periods]
    own, facts = answer.own, answer.facts
    later = [period for period in periods if period.since > own]
    ends = _first(answer.until, later[0].since if later else None)
    held = next((period for period in periods if period.since == own), None)
    if held is not None and (_says(held, facts) or answer.following is not None):
        if held.until is None or held.until > at or (ends is not None and ends <= held.until):
            return list(periods)
        return [replace(p, until=ends) if p is held else p for p in periods]
    cover = period_at(periods, own)
    if cover is not None and cover.until is not None and cover.until > at:
        ends = _first(ends, cover.until)
    earlier = [replace(p, until=own) if p is cover else p for p in periods if p.since <= own]
    return [*earlier, Period(own, ends, facts), *later]


def _says(period: Period | None, facts: Mapping[str, Any] | None) -> bool:
    if period is None or facts is None:
        return period is None and facts is None
    return all(period.facts[name] == value for name, value in facts.items())


def _first(*times: datetime | None) -> datetime | None:
    return min((at for at in times if at is not None), default=None)


def _before(cover: Period, earlier: list[Period], answer: Answer) -> Period | None:
    """Return what was so before the answer, of a period that is so again after it."""
    if answer.previous is not None and cover.since <= answer.previous:
        return replace(cover, stored=False)
    if earlier and earlier[-1].until == cover.since:
        return earlier.pop()
    return None


def _join(made: Period, earlier: list[Period], later: list[Period]) -> list[Period]:
    """Return what follows ``earlier``: a new period, one with a neighbour that says the same."""
    if made.until is not None and made.until <= made.since:
        return later  # it was never so
    if later and later[0].since == made.until and _says(later[0], made.facts):
        return [replace(later[0], since=made.since), *later[1:]]
    if earlier and earlier[-1].until == made.since and _says(earlier[-1], made.facts):
        return [replace(earlier.pop(), until=made.until), *later]
    return [made, *later]
