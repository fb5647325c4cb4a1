"""What a record that shows a bibliography does to the periods of its entries. Pure.

`bibliography` reads the periods, has them changed here, and writes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pith_graph.observations import CitationObservation
from pith_graph.store.periods import Timelines
from pith_graph.store.timeline import Answer, Period, began, insert_answer, period_at

Position = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Entry:
    """A bibliography entry to write, its paper and work already known by integer id."""

    citation: CitationObservation
    sub_index: int
    cited_paper_id: int | None
    work_id: int | None

    @property
    def position(self) -> Position:
        """Where in the bibliography it stands."""
        return (self.citation.reference_index, self.sub_index)

    @property
    def seen(self) -> datetime:
        """When it was observed."""
        return self.citation.source_observed_at


@dataclass(frozen=True, slots=True)
class Shown:
    """What a record shows of one paper's bibliography.

    Attributes:
        own: Whether it is a record of the paper itself; another's is asked about some entries only.
        whole: Whether all entries are shown.
        at: When it was asserted.
        declared: The totals that the paper's own records declare, by their times.
    """

    paper_id: int
    entries: Sequence[Entry]
    own: bool
    whole: bool
    at: datetime
    declared: Mapping[datetime, int | None]

    @property
    def previous(self) -> datetime | None:
        """When the paper's next older record was asserted."""
        return max((at for at in self.declared if at < self.at), default=None)

    @property
    def later(self) -> list[datetime]:
        """When its newer records were asserted, in order."""
        return sorted(at for at in self.declared if at > self.at)

    @property
    def following(self) -> datetime | None:
        """When its next newer record was asserted."""
        return min(self.later, default=None)

    @property
    def seen(self) -> datetime:
        """When the newest of the entries was observed."""
        return max((entry.seen for entry in self.entries), default=self.at)

    def answer(
        self, facts: Mapping[str, Any] | None, *, own: datetime | None, until: datetime | None
    ) -> Answer:
        """Return this record's answer about one thing."""
        return Answer(self.at, facts, own, self.previous, self.following, until)


@dataclass(frozen=True, slots=True)
class Bibliography:
    """What is known of one paper's bibliography.

    Attributes:
        entries: The periods of its entries by integer id.
        declared: The totals that the paper's own records declare, by their times.
    """

    entries: Timelines
    declared: Mapping[datetime, int | None]

    def present(self, at: datetime) -> dict[int, Period]:
        """Return the entries that it had at a time."""
        found = {key: period_at(periods, at) for key, periods in self.entries.items()}
        return {key: period for key, period in found.items() if period is not None}

    def whole(self, at: datetime) -> bool:
        """Whether as many entries are known of the time of a record as it declares."""
        total = self.declared[at]
        return total is not None and len(self.present(at)) >= total

    def now_whole(self, count: int) -> bool:
        """Whether ``count`` current entries are as many as the newest record declares."""
        total = self.declared[max(self.declared)]
        return total is not None and count >= total


@dataclass(frozen=True, slots=True)
class Placing:
    """An entry that is shown: its integer id, and the columns that it is written with."""

    entry: Entry
    key: int
    facts: Mapping[str, Any]


def position_of(facts: Mapping[str, Any]) -> Position:
    """Return where a row stands in its bibliography."""
    return (facts["reference_index"], facts["sub_index"])


def place_entries(
    held: Bibliography, shown: Shown, placings: Sequence[Placing]
) -> dict[int, list[Period]]:
    """Return the new periods of the entries that a record shows, and of those that it takes away.

    Args:
        held: What is held.
        shown: The record.
        placings: Its entries.
    """
    present = held.present(shown.at)
    occupants = {position_of(period.facts): key for key, period in present.items()}
    placed: dict[int, list[Period]] = {}
    begun: dict[Position, datetime] = {}
    for placing in placings:
        entry, key = placing.entry, placing.key
        occupant = present.get(occupants.get(entry.position, key))
        if key in present:
            begun[entry.position] = shown.at
        elif _is_outdated(held, shown, entry, occupant):
            if key not in held.entries and occupant is not None:
                placed[key] = [Period(entry.seen, _seen(occupant), placing.facts)]
        else:
            answer = shown.answer(placing.facts, own=entry.seen, until=_until(held, shown, placing))
            placed[key] = insert_answer(held.entries.get(key, []), answer)
            begun[entry.position] = answer.begins
    listed = {placing.key for placing in placings}
    for key, period in present.items():
        own = begun.get(position_of(period.facts), shown.seen if shown.whole else None)
        if key not in listed and own is not None:
            placed[key] = insert_answer(held.entries[key], shown.answer(None, own=own, until=None))
    return placed


def _is_outdated(held: Bibliography, shown: Shown, entry: Entry, occupant: Period | None) -> bool:
    """Return whether another paper's record shows an entry that was known to be gone."""
    if shown.own:
        return False
    if occupant is not None and _seen(occupant) > entry.seen:
        return True
    previous = shown.previous
    if previous is None or entry.seen > previous:
        return False
    then = {position_of(period.facts) for period in held.present(previous).values()}
    return held.whole(previous) or entry.position in then


def _seen(period: Period) -> datetime:
    seen: datetime = period.facts["source_observed_at"]
    return seen


def _until(held: Bibliography, shown: Shown, placing: Placing) -> datetime | None:
    """Return since when a later record has something else in an entry's place, or nothing."""
    ends = []
    following = shown.following
    for key, periods in held.entries.items():
        for period in periods:
            if key == placing.key or position_of(period.facts) != placing.entry.position:
                continue
            if period.since > shown.at:
                ends.append(period.since)
            elif following is not None and period.covers(shown.at) and period.covers(following):
                ends.append(following)
    previous = shown.at
    for at in shown.later:
        present = held.present(at)
        if placing.key in present:
            break
        if held.whole(at):
            seen = max((_seen(period) for period in present.values()), default=None)
            ends.append(began(seen, at=at, previous=previous))
            break
        previous = at
    return min(ends, default=None)
