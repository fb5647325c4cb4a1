"""The three lists of citations: whose they are, what they can be ordered and filtered by.

A list is the citations of one parent: a paper's outbound or inbound ones, or those of a work.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Select,
    and_,
    case,
    func,
    not_,
    or_,
    select,
    true,
)

from pith_graph.read.keyset import Order
from pith_graph.store import tables
from pith_graph.vocabulary import (
    CitationOrderField,
    EventKind,
    OrderDirection,
    ResolutionStatus,
    StandingClass,
)


class CitationList(StrEnum):
    """Which list of citations."""

    OUTBOUND = "outbound"
    INBOUND = "inbound"
    WORK = "work"


@dataclass(frozen=True, slots=True)
class CitationSort:
    """How a list is ordered."""

    field: CitationOrderField
    direction: OrderDirection

    @property
    def name(self) -> str:
        """Name the sort, for cursors."""
        return f"{self.field.value}.{self.direction.value}"


DEFAULT_SORTS = {
    CitationList.OUTBOUND: CitationSort(CitationOrderField.REFERENCE_INDEX, OrderDirection.ASC),
    CitationList.INBOUND: CitationSort(CitationOrderField.OBSERVED_AT, OrderDirection.DESC),
    CitationList.WORK: CitationSort(CitationOrderField.OBSERVED_AT, OrderDirection.DESC),
}


@dataclass(frozen=True, slots=True)
class CitationFilter:
    """Which citations of a list are wanted; None is all. An empty set is none."""

    resolution: frozenset[ResolutionStatus] | None = None
    standing: frozenset[StandingClass] | None = None

    @property
    def name(self) -> str:
        """Name the filter, for cursors."""
        parts = []
        if self.resolution is not None:
            parts.append("r=" + ",".join(sorted(self.resolution)))
        if self.standing is not None:
            parts.append("s=" + ",".join(sorted(self.standing)))
        return ";".join(parts)


NO_FILTER = CitationFilter()


@dataclass(frozen=True)
class Joined:
    """One set of aliases of the tables that lists order and filter by."""

    references: FromClause = field(default_factory=lambda: tables.paper_references.alias("entry"))
    links: FromClause = field(default_factory=lambda: tables.paper_reference_links.alias("link"))
    works: FromClause = field(default_factory=lambda: tables.cited_works.alias("work"))
    citing: FromClause = field(default_factory=lambda: tables.papers.alias("citing_paper"))

    def from_clause(
        self, which: CitationList, field: CitationOrderField | None = None
    ) -> FromClause:
        """Join what ordering and filtering need, beginning with the table that indexes the list.

        To-one joins: none changes the rows. SQLite drops few of those that it does not need.
        """
        same = self.links.c.reference_id == self.references.c.id
        if which is not CitationList.WORK:
            entries: FromClause = self.references.outerjoin(self.links, same)
        elif field in {None, CitationOrderField.OBSERVED_AT}:
            return self.links
        else:
            entries = self.links.outerjoin(self.references, same)
        if field is not CitationOrderField.YEAR:
            return entries
        if which is CitationList.OUTBOUND:
            return entries.outerjoin(self.works, self.works.c.id == self.links.c.cited_work_id)
        citing_id = self.references.c.citing_paper_id
        return entries.outerjoin(self.citing, self.citing.c.id == citing_id)

    def key(self, which: CitationList) -> ColumnElement[int]:
        """Return a citation's integer id, from the table that the list begins with."""
        return self.links.c.reference_id if which is CitationList.WORK else self.references.c.id


def belongs(which: CitationList, joined: Joined, parent: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that a citation is in a parent's list."""
    references = joined.references
    if which is CitationList.OUTBOUND:
        return references.c.citing_paper_id == parent
    if which is CitationList.WORK:
        return joined.links.c.cited_work_id == parent
    return and_(references.c.cited_paper_id == parent, references.c.citing_paper_id != parent)


def citation_order(which: CitationList, sort: CitationSort, joined: Joined) -> Order:
    """Return the order that a sort means in a list.

    The year is that of the other end: for outbound citations of what is cited, for the others when
    the citing paper was submitted.
    """
    references, links, key = joined.references, joined.links, joined.key(which)
    down = sort.direction is OrderDirection.DESC
    if sort.field is CitationOrderField.REFERENCE_INDEX:
        return Order((references.c.reference_index, references.c.sub_index, key), down)
    if sort.field is CitationOrderField.OBSERVED_AT:
        observed = links if which is CitationList.WORK else references
        return Order((observed.c.source_observed_at, key), down)
    if which is CitationList.OUTBOUND:
        year = case(
            (links.c.cited_work_id.is_not(None), joined.works.c.year), else_=references.c.year
        )
        return Order((year, key), down, nullable=True)
    return Order((joined.citing.c.submitted_at, key), down, nullable=True)


def wanted(which: CitationFilter, joined: Joined) -> ColumnElement[bool]:
    """Return the condition that a citation passes a filter."""
    conditions: list[ColumnElement[bool]] = [true()]
    if which.resolution is not None:
        conditions.append(_resolved(which.resolution, joined.links))
    if which.standing is not None:
        conditions.append(_stands(which.standing, joined.links))
    return and_(*conditions)


def _resolved(statuses: frozenset[ResolutionStatus], links: FromClause) -> ColumnElement[bool]:
    stored: ColumnElement[bool] = links.c.status.in_(sorted(statuses))
    if ResolutionStatus.UNRESOLVED in statuses:
        return or_(links.c.reference_id.is_(None), stored)
    return stored


def _stands(classes: frozenset[StandingClass], links: FromClause) -> ColumnElement[bool]:
    events, receipts = tables.scholarly_work_events, tables.retraction_status_cache
    linked = links.c.cited_work_id.is_not(None)
    of_work = select(events.c.id).where(events.c.cited_work_id == links.c.cited_work_id)
    # The least source: a question that only the index of such receipts answers, on both databases.
    whole_source = select(func.min(receipts.c.source)).where(
        receipts.c.cited_work_id.is_(None), receipts.c.paper_id.is_(None)
    )
    asked = or_(
        _any(select(receipts.c.id).where(receipts.c.cited_work_id == links.c.cited_work_id)),
        whole_source.scalar_subquery().is_not(None),
    )
    alternatives: list[Any] = []
    kinds = [kind for kind in EventKind if StandingClass(kind.value) in classes]  # type: ignore[call-arg]  # lookup by value
    if kinds:
        alternatives.append(_any(of_work.where(events.c.kind.in_(kinds))))
    if StandingClass.NO_EVENT_FOUND in classes:
        alternatives.append(and_(linked, not_(_any(of_work)), asked))
    if StandingClass.UNAVAILABLE in classes:
        alternatives.append(not_(and_(linked, or_(_any(of_work), asked))))
    return or_(*alternatives) if alternatives else ~true()


def _any(rows: Select[Any]) -> ColumnElement[bool]:
    """Return whether there is a row, looked up by index: for EXISTS a planner may hash a table."""
    return rows.limit(1).scalar_subquery().is_not(None)
