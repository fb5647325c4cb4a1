"""What a record does to the periods of the links from entries to works. Pure; see `entries`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pith_graph.store.entries import Bibliography, Entry, Placing, Shown
from pith_graph.store.periods import Timelines
from pith_graph.store.subjects import open_columns
from pith_graph.store.timeline import Period, insert_answer, period_at
from pith_graph.vocabulary import ResolutionStatus, ResolverSource


def link_facts(entry: Entry) -> dict[str, Any] | None:
    """Return the link that an entry has; None for one that is plainly unresolved."""
    citation, resolution = entry.citation, entry.citation.resolution
    plain = (
        resolution.status is ResolutionStatus.UNRESOLVED
        and resolution.resolver_source is None
        and entry.work_id is None
        and resolution.observed_at == citation.source_observed_at
    )
    if plain:
        return None
    return {
        "cited_work_id": entry.work_id,
        "status": resolution.status,
        **open_columns("resolver_source", ResolverSource, resolution.resolver_source),
        "resolved_at": resolution.observed_at,
        "source_observed_at": citation.source_observed_at,
    }


def place_links(
    links: Timelines,
    held: Bibliography,
    placed: Mapping[int, Sequence[Period]],
    shown: Shown,
    placings: Sequence[Placing],
) -> Timelines:
    """Return the new periods of links.

    Args:
        links: The periods of the links of the entries, by the entry's integer id.
        held: The entries before the record.
        placed: The periods of entries that the record changes.
        shown: The record.
        placings: Its entries.
    """
    changed: dict[int, list[Period]] = {}
    listed = {placing.key: placing for placing in placings}
    for key in {*listed, *placed}:
        periods = placed.get(key, held.entries.get(key, []))
        before, there = links.get(key, []), period_at(periods, shown.at)
        if key not in listed:
            end = max((p.until for p in periods if p.until is not None and p.until <= shown.at),
                      default=shown.at)  # fmt: skip
            changed[key] = insert_answer(before, shown.answer(None, own=end, until=None))
            continue
        facts = link_facts(listed[key].entry)
        own = None if facts is None else facts["resolved_at"]
        if not shown.own and _is_outdated(held, shown, before, key, own):
            continue
        if there is not None or listed[key].entry.seen > shown.at:
            until = _until(before, held.entries.get(key, []), periods, shown)
            changed[key] = insert_answer(before, shown.answer(facts, own=own, until=until))
        elif facts is not None and own is not None and key not in links and periods:
            changed[key] = [Period(own, max(own, periods[-1].until or own), facts)]
    return {
        key: _within(periods, placed.get(key, held.entries.get(key, [])))
        for key, periods in changed.items()
    }


def _is_outdated(
    held: Bibliography,
    shown: Shown,
    links: Sequence[Period],
    key: int,
    own: datetime | None,
) -> bool:
    """Return whether another paper's record shows a link that is known to have been replaced."""
    link, previous = period_at(links, shown.at), shown.previous
    if link is not None and own is not None and link.facts["resolved_at"] > own:
        return True
    if previous is None or (own is not None and own > previous):
        return False
    return key in held.present(previous)


def _until(
    links: Sequence[Period], before: Sequence[Period], after: Sequence[Period], shown: Shown
) -> datetime | None:
    """Return since when a later record has no link, or not even the entry."""
    there = period_at(after, shown.at)
    ends = [] if there is None or there.until is None else [there.until]
    asked = next((at for at in shown.later if period_at(before, at) is not None), None)
    if asked is not None and period_at(links, asked) is None:
        ends.append(asked)
    return min(ends, default=None)


def _within(links: Sequence[Period], entry: Sequence[Period]) -> list[Period]:
    """End a link at the latest with its entry: what is current points to what is current."""
    if any(period.until is None for period in entry):
        return list(links)
    last = max((period.until for period in entry if period.until is not None), default=None)
    kept = []
    for link in links:
        end = link.since if last is None else max(last, link.since)
        kept.append(replace(link, until=end) if link.until is None else link)
    return kept
