"""Pages of citations, for any number of parents in one statement.

Each parent's page is found by its own short walk of an index: a lateral join on PostgreSQL, on
SQLite, which has none, a correlated subquery of row numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, exists, false, func, select, true

from pith_graph.read.citations import (
    CITING,
    LINKS,
    REFERENCES,
    WHOLE,
    WORKS,
    CitationReading,
    CitationShape,
    Ends,
    citation_reading,
    joined,
)
from pith_graph.read.keys import KEYS, key_table
from pith_graph.read.keyset import (
    Page,
    Window,
    WindowShape,
    cut,
    order_by,
    outside_after,
    outside_before,
    rows_of,
    within,
)
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
from pith_graph.read.prepared import Prepared, prepare
from pith_graph.read.rows import CitationRow
from pith_graph.read.snapshot import Snapshot
from pith_graph.vocabulary import CitationOrderField


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A page of one of the lists, the same for every parent."""

    which: CitationList
    sort: CitationSort
    window: Window
    filter: CitationFilter = NO_FILTER
    shape: CitationShape = WHOLE

    @classmethod
    def first(cls, which: CitationList, size: int) -> PageRequest:
        """Ask for the first page of a list in its default order."""
        return cls(which, DEFAULT_SORTS[which], Window(size))


@dataclass(frozen=True, slots=True)
class _PageReading:
    """A page's statement, and how its citations are read."""

    statement: Prepared
    citations: CitationReading


async def fetch_pages(
    snapshot: Snapshot, request: PageRequest, parents: Sequence[int]
) -> dict[int, Page[CitationRow]]:
    """Return a page for each parent, by the parent's integer id; empty where it has none."""
    window = request.window
    reading = _page_reading(
        snapshot.dialect, request.which, request.sort, request.filter, window.shape, request.shape
    )
    found: dict[int, list[Sequence[Any]]] = {parent: [] for parent in parents}
    borders: dict[int, tuple[bool, bool]] = {}
    for row in await snapshot.fetch_raw(reading.statement, {KEYS: parents, **window.values}):
        parent = row[0]
        borders[parent] = (bool(row[1]), bool(row[2]))
        if row[3] is not None:  # the citation's id
            found[parent].append(row)
    ends = Ends.none()
    return {
        parent: cut(
            reading.citations.build(rows, ends),
            window,
            outside_after=borders[parent][0],
            outside_before=borders[parent][1],
        )
        for parent, rows in found.items()
    }


@lru_cache(maxsize=512)
def _page_reading(  # noqa: PLR0913, PLR0917  # each is a part of the statement
    dialect: str,
    which: CitationList,
    sort: CitationSort,
    only: CitationFilter,
    window: WindowShape,
    shape: CitationShape,
) -> _PageReading:
    """Build the one statement that finds a page for each parent."""
    listed = _Listed(which, sort, only)
    order = citation_order(which, sort, listed.inner)
    keys = key_table(dialect)
    # Materialized, or the borders would be looked at again for every row of the page.
    marked = (
        select(
            keys.c.value,
            _any(listed.select(keys), outside_after(order, window)).label("outside_after"),
            _any(listed.select(keys), outside_before(order, window)).label("outside_before"),
        )
        .cte("parent")
        .prefix_with("MATERIALIZED")
    )
    page = (
        listed.select(marked)
        .where(*within(order, window))
        .order_by(*order_by(order, backward=window.backward))
        .limit(rows_of(window))
    )
    shown = citation_order(which, sort, Joined(REFERENCES, LINKS, WORKS, CITING))
    shape = _with_order(shape, which, sort)
    citations = citation_reading(shape, dialect, before=len(marked.c), order=shown.keys)
    statement = (
        select(*marked.c, *citations.columns)
        .select_from(joined(_paged(dialect, marked, page), shape))
        .order_by(marked.c.value, *order_by(shown))
    )
    return _PageReading(prepare(statement, dialect), citations)


@dataclass(frozen=True, slots=True)
class _Listed:
    """A filtered list, to be selected from once for each parent."""

    which: CitationList
    sort: CitationSort
    only: CitationFilter
    inner: Joined = field(default_factory=Joined)

    def select(self, parents: FromClause) -> Select[Any]:
        """Select the ids of one parent's list, for a row of ``parents``."""
        inner = self.inner
        return (
            select(inner.key(self.which).label("id"))
            .select_from(inner.from_clause(self.which, self.sort.field))
            .where(belongs(self.which, inner, parents.c.value), wanted(self.only, inner))
            .correlate(parents)
        )


def _with_order(shape: CitationShape, which: CitationList, sort: CitationSort) -> CitationShape:
    """Join the end that a list is ordered by."""
    if sort.field is not CitationOrderField.YEAR:
        return shape
    if which is CitationList.OUTBOUND:
        return replace(shape, cited_work=shape.cited_work or frozenset())
    return replace(shape, citing_paper=shape.citing_paper or frozenset())


def _paged(dialect: str, parents: FromClause, page: Select[Any]) -> FromClause:
    if dialect == "sqlite":
        return parents.outerjoin(REFERENCES, REFERENCES.c.id.in_(page))
    lateral = page.lateral("page")
    return parents.outerjoin(lateral, true()).outerjoin(REFERENCES, REFERENCES.c.id == lateral.c.id)


def _any(listed: Select[Any], outside: ColumnElement[bool] | None) -> ColumnElement[bool]:
    """Return whether the list has rows outside a border; false where there is no border."""
    return false() if outside is None else exists(listed.where(outside))


async def fetch_filtered_counts(
    snapshot: Snapshot, which: CitationList, only: CitationFilter, parents: Sequence[int]
) -> dict[int, int]:
    """Count the citations of each parent's list that pass a filter, by scanning the list."""
    statement = _count_statement(snapshot.dialect, which, only)
    return {row[0]: row[1] for row in await snapshot.fetch(statement, {KEYS: parents})}


@lru_cache(maxsize=128)
def _count_statement(dialect: str, which: CitationList, only: CitationFilter) -> Prepared:
    keys, inner = key_table(dialect), Joined()
    count = (
        select(func.count())
        .select_from(inner.from_clause(which))
        .where(belongs(which, inner, keys.c.value), wanted(only, inner))
        .correlate(keys)
        .scalar_subquery()
    )
    return prepare(select(keys.c.value, count), dialect)
