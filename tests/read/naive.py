"""Reading a made graph in plain Python: what pages and counts must be, written a second time.

Lists are laid out whole and sorted in memory; nothing here knows of SQL or of the code under test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pith_graph.read.keyset import Values, Window
from pith_graph.read.lists import CitationFilter, CitationList, CitationSort
from pith_graph.store import tables
from pith_graph.vocabulary import (
    CitationOrderField,
    OrderDirection,
    ResolutionStatus,
    StandingClass,
)
from tests.graphs import Graph, Row

Listed = tuple[Values, int]


@dataclass(frozen=True, slots=True)
class NaivePage:
    """The ids of a page, and whether the list has more on either side."""

    ids: list[int]
    has_next: bool
    has_previous: bool


class NaiveGraph:
    """A made graph, indexed by id."""

    def __init__(self, graph: Graph) -> None:
        rows = graph.rows
        self._entries = rows[tables.paper_references]
        self._papers = {row["id"]: row for row in rows[tables.papers]}
        self._works = {row["id"]: row for row in rows[tables.cited_works]}
        self._links = {row["reference_id"]: row for row in rows[tables.paper_reference_links]}
        self._kinds: dict[int, set[Any]] = {}
        for event in rows[tables.scholarly_work_events]:
            self._kinds.setdefault(event["cited_work_id"], set()).add(event["kind"])
        receipts = rows[tables.retraction_status_cache]
        self._asked = {row["cited_work_id"] for row in receipts if row["cited_work_id"]}
        self._all_asked = any(
            row["cited_work_id"] is None and row["paper_id"] is None for row in receipts
        )

    def listed(
        self, which: CitationList, parent: int, *, sort: CitationSort, only: CitationFilter
    ) -> list[Listed]:
        """Return a whole list in order: sort values and id of every citation."""
        found = [
            (self._values(which, sort, entry), entry["id"])
            for entry in self._entries
            if self._belongs(which, entry, parent) and self._passes(entry, only)
        ]
        return sorted(found, key=lambda item: place(item[0], sort))

    def _belongs(self, which: CitationList, entry: Row, parent: int) -> bool:
        if which is CitationList.OUTBOUND:
            return bool(entry["citing_paper_id"] == parent)
        if which is CitationList.INBOUND:
            return bool(entry["cited_paper_id"] == parent != entry["citing_paper_id"])
        return self._work_of(entry) == parent

    def _work_of(self, entry: Row) -> int | None:
        link = self._links.get(entry["id"])
        return None if link is None else link["cited_work_id"]

    def _values(self, which: CitationList, sort: CitationSort, entry: Row) -> Values:
        if sort.field is CitationOrderField.REFERENCE_INDEX:
            return (entry["reference_index"], entry["sub_index"], entry["id"])
        if sort.field is CitationOrderField.OBSERVED_AT:
            return (entry["source_observed_at"], entry["id"])
        if which is not CitationList.OUTBOUND:
            return (self._papers[entry["citing_paper_id"]]["submitted_at"], entry["id"])
        work = self._work_of(entry)
        return (entry["year"] if work is None else self._works[work]["year"], entry["id"])

    def _passes(self, entry: Row, only: CitationFilter) -> bool:
        link = self._links.get(entry["id"])
        status = ResolutionStatus.UNRESOLVED if link is None else link["status"]
        if only.resolution is not None and status not in only.resolution:
            return False
        return only.standing is None or bool(self._classes(entry) & only.standing)

    def _classes(self, entry: Row) -> set[StandingClass]:
        work = self._work_of(entry)
        if work is None:
            return {StandingClass.UNAVAILABLE}
        if work in self._kinds:
            return {StandingClass[kind.name] for kind in self._kinds[work]}
        asked = self._all_asked or work in self._asked
        return {StandingClass.NO_EVENT_FOUND if asked else StandingClass.UNAVAILABLE}


def place(values: Sequence[Any], sort: CitationSort) -> list[tuple[bool, float]]:
    """Return where sort values stand in a list: nulls last, all values the same way."""
    sign = -1 if sort.direction is OrderDirection.DESC else 1
    return [
        (value is None, sign * (0 if value is None else _number(value)))
        if place_ == 0
        else (False, sign * _number(value))
        for place_, value in enumerate(values)
    ]


def _number(value: Any) -> float:
    return value.timestamp() if isinstance(value, datetime) else value


def naive_page(whole: Sequence[Listed], window: Window, sort: CitationSort) -> NaivePage:
    """Cut the page that a window means out of a whole list."""
    inside, before, behind = [], False, False
    for values, key in whole:
        here = place(values, sort)
        if window.after is not None and here <= place(window.after, sort):
            before = True
        if window.before is not None and here >= place(window.before, sort):
            behind = True
        if (window.after is None or here > place(window.after, sort)) and (
            window.before is None or here < place(window.before, sort)
        ):
            inside.append(key)
    too_many = len(inside) > window.size
    kept = inside[len(inside) - window.size :] if window.backward and too_many else inside
    return NaivePage(
        kept[: window.size],
        has_next=behind or (too_many and not window.backward),
        has_previous=before or (too_many and window.backward),
    )
