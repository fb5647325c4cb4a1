"""When a bibliography was known in whole, and when in part: derived anew at each writing. Pure.

It was whole where as many entries were known as the paper's record of the time declares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pith_graph.store.entries import Bibliography
from pith_graph.store.timeline import Period, began
from pith_graph.vocabulary import BibliographySource


def place_states(held: Bibliography, stored: Sequence[Period]) -> list[Period]:
    """Return the periods of a bibliography's state, stored rows taken up where they say the same.

    Args:
        held: The entries, those of the present record included.
        stored: The periods so far.
    """
    free = list(stored)
    placed = []
    for made in _derive(held):
        same = [p for p in free if p.facts["complete"] == made.facts["complete"]]
        near = next(
            (p for p in same if p.since == made.since),
            next((p for p in same if p.until == made.until), None),
        )
        if near is None:
            placed.append(made)
        else:
            free.remove(near)
            placed.append(replace(near, since=made.since, until=made.until))
    return placed


def _derive(held: Bibliography) -> list[Period]:
    starts = _starts(held)
    changes = [
        start for i, start in enumerate(starts) if i == 0 or start[1] is not starts[i - 1][1]
    ]
    ends = [since for since, _ in changes[1:]] + [None]
    return [
        Period(since, until, _facts(complete=complete))
        for (since, complete), until in zip(changes, ends, strict=True)
        if complete is not None and since != until
    ]


def _starts(held: Bibliography) -> list[tuple[datetime, bool | None]]:
    """Return from when on it was whole, in part, or (None) not known at all, in order."""
    begun = [period.since for periods in held.entries.values() for period in periods]
    starts: list[tuple[datetime, bool | None]] = [(min(begun), False)] if begun else []
    previous = None
    for at in sorted(held.declared):
        seen = [period.facts["source_observed_at"] for period in held.present(at).values()]
        whole = held.whole(at)
        since = began(max(seen, default=at), at=at, previous=previous)
        starts.append((since, whole if whole or seen else None))
        previous = at
    current = [
        period for periods in held.entries.values() for period in periods if not period.until
    ]
    if previous is not None and current:
        newest = max(period.since for period in current)
        starts.append((newest, held.now_whole(len(current))))
    ordered: list[tuple[datetime, bool | None]] = []
    for since, state in starts:
        ordered.append((max(since, ordered[-1][0]) if ordered else since, state))
    return ordered


def _facts(*, complete: bool | None) -> Mapping[str, Any]:
    return {"source": BibliographySource.RECORD, "version": None, "complete": complete}
