"""Pages of citations, for any number of parents in one statement.

Each parent's page is found by its own short walk of an index: a lateral join on PostgreSQL, on
SQLite, which has none, a correlated subquery of row numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, exists, false, func, select, true

from pith_graph.read.citations import (
    CITATION_COLUMNS,
    CITING,
    LINKS,
    REFERENCES,
    WORKS,
    build_citation,
    joined,
)
from pith_graph.read.keys import key_table
from pith_graph.read.keyset import Order, Page, Values, Window, cut, order_by, outside, within
from pith_graph.read.lists import (
    DEFAULT_SORTS,
    NO_FILTER,
    CitationFilter,
    CitationList,
    CitationSort,
    Joined,
    belongs,
    citation_order,
    wanted,
)
from pith_graph.read.rows import CitationRow
from pith_graph.read.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A page of one of the lists, the same for every parent."""

    which: CitationList
    sort: CitationSort
    window: Window
    filter: CitationFilter = NO_FILTER

    @classmethod
    def first(cls, which: CitationList, size: int) -> PageRequest:
        """Ask for the first page of a list in its default order."""
        return cls(which, DEFAULT_SORTS[which], Window(size))


async def fetch_pages(
    snapshot: Snapshot, request: PageRequest, parents: Sequence[int]
) -> dict[int, Page[CitationRow]]:
    """Return a page for each parent, by the parent's integer id; empty where it has none."""
    statement = page_statement(snapshot.dialect, request, parents)
    found: dict[int, list[CitationRow]] = {parent: [] for parent in parents}
    borders: dict[int, tuple[bool, bool]] = {}
    for row in await snapshot.fetch(statement):
        borders[row[0]] = (bool(row[1]), bool(row[2]))
        if row[3] is not None:
            found[row[0]].append(build_citation(row[3:]))
    return {
        parent: cut(
            rows,
            request.window,
            outside_after=borders[parent][0],
            outside_before=borders[parent][1],
        )
        for parent, rows in found.items()
    }


def page_statement(dialect: str, request: PageRequest, parents: Sequence[int]) -> Select[Any]:
    """Build the one statement that finds a page for each parent."""
    window, inner = request.window, Joined()
    order = citation_order(request.which, request.sort, inner)
    keys = key_table(dialect, parents)
    listed = _listed(request, inner, keys)
    # Materialized, or the borders would be looked at again for every row of the page.
    marked = (
        select(
            keys.c.value,
            _any_outside(listed, order, window.after, after=True).label("outside_after"),
            _any_outside(listed, order, window.before, after=False).label("outside_before"),
        )
        .cte("parent")
        .prefix_with("MATERIALIZED")
    )
    page = (
        _listed(request, inner, marked)
        .where(*within(order, window))
        .order_by(*order_by(order, backward=window.backward))
        .limit(window.size + 1)
    )
    shown = Joined(REFERENCES, LINKS, WORKS, CITING)
    return (
        select(*marked.c, *CITATION_COLUMNS)
        .select_from(_paged(dialect, marked, page))
        .order_by(marked.c.value, *order_by(citation_order(request.which, request.sort, shown)))
    )


def _listed(request: PageRequest, inner: Joined, parents: FromClause) -> Select[Any]:
    """Select the ids of one parent's filtered list, for a row of ``parents``."""
    which = request.which
    return (
        select(inner.key(which).label("id"))
        .select_from(inner.from_clause(which, request.sort.field))
        .where(belongs(which, inner, parents.c.value), wanted(request.filter, inner))
        .correlate(parents)
    )


def _paged(dialect: str, parents: FromClause, page: Select[Any]) -> FromClause:
    if dialect == "sqlite":
        return joined(parents.outerjoin(REFERENCES, REFERENCES.c.id.in_(page)))
    lateral = page.lateral("page")
    return joined(
        parents.outerjoin(lateral, true()).outerjoin(REFERENCES, REFERENCES.c.id == lateral.c.id)
    )


def _any_outside(
    listed: Select[Any], order: Order, border: Values | None, *, after: bool
) -> ColumnElement[bool]:
    """Return whether the list has rows at or outside a border; false where there is no border."""
    if border is None:
        return false()
    return exists(listed.where(outside(order, border, after=after)))


async def fetch_filtered_counts(
    snapshot: Snapshot, which: CitationList, only: CitationFilter, parents: Sequence[int]
) -> dict[int, int]:
    """Count the citations of each parent's list that pass a filter, by scanning the list."""
    keys = key_table(snapshot.dialect, parents)
    inner = Joined()
    count = (
        select(func.count())
        .select_from(inner.from_clause(which))
        .where(belongs(which, inner, keys.c.value), wanted(only, inner))
        .correlate(keys)
        .scalar_subquery()
    )
    return {row[0]: row[1] for row in await snapshot.fetch(select(keys.c.value, count))}
