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
    Order,
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
from pith_graph.read.prepared import SQLITE, Prepared, prepare
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
    """A page's statement, and how its citations are read.

    Attributes:
        before: How many columns stand before the citation's id.
    """

    statement: Prepared
    citations: CitationReading
    before: int


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
    bounded, key = reading.before > 1, reading.before
    for row in await snapshot.fetch_raw(reading.statement, {KEYS: parents, **window.values}):
        if bounded:
            borders[row[0]] = (bool(row[1]), bool(row[2]))
        if row[key] is not None:
            found[row[0]].append(row)
    ends = Ends.none()
    pages: dict[int, Page[CitationRow]] = {}
    for parent, rows in found.items():
        after, before = borders.get(parent, (False, False))
        citations = reading.citations.build(rows, ends)
        pages[parent] = cut(citations, window, outside_after=after, outside_before=before)
    return pages


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
    parents = _parents(key_table(dialect), listed, order, window)
    page = (
        listed.select(parents, entries=dialect != SQLITE)
        .where(*within(order, window))
        .order_by(*order_by(order, backward=window.backward))
        .limit(rows_of(window))
    )
    source, references = _paged(dialect, parents, page)
    shown = citation_order(which, sort, Joined(references, LINKS, WORKS, CITING))
    shape, before = _with_order(shape, which, sort), len(parents.c)
    citations = citation_reading(
        shape, dialect, before=before, order=shown.keys, references=references
    )
    statement = (
        select(*parents.c, *citations.columns)
        .select_from(joined(source, shape, references))
        .order_by(parents.c.value, *order_by(shown))
    )
    return _PageReading(prepare(statement, dialect), citations, before)


def _parents(keys: FromClause, listed: _Listed, order: Order, window: WindowShape) -> FromClause:
    """Return the parents, each with whether its list has rows outside the window's borders."""
    if window.after is None and window.before is None:
        return keys
    # Materialized, or the borders would be looked at again for every row of the page.
    return (
        select(
            keys.c.value,
            _any(listed.select(keys), outside_after(order, window)).label("outside_after"),
            _any(listed.select(keys), outside_before(order, window)).label("outside_before"),
        )
        .cte("parent")
        .prefix_with("MATERIALIZED")
    )


@dataclass(frozen=True, slots=True)
class _Listed:
    """A filtered list, to be selected from once for each parent."""

    which: CitationList
    sort: CitationSort
    only: CitationFilter
    inner: Joined = field(default_factory=Joined)

    def select(self, parents: FromClause, *, entries: bool = False) -> Select[Any]:
        """Select one parent's list, for a row of ``parents``: the entries themselves, or their ids.

        The entries of a work's list are their ids all the same: its index is of links.
        """
        inner = self.inner
        key = inner.key(self.which).label("id")
        whole = entries and self.which is not CitationList.WORK
        return (
            select(*(inner.references.c if whole else [key]))
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


def _paged(dialect: str, parents: FromClause, page: Select[Any]) -> tuple[FromClause, FromClause]:
    """Join parents to the entries of their pages; return that, and where the entries are."""
    if dialect == SQLITE:
        return parents.outerjoin(REFERENCES, REFERENCES.c.id.in_(page)), REFERENCES
    lateral = page.lateral("page")
    paged = parents.outerjoin(lateral, true())
    if len(lateral.c) > 1:
        return paged, lateral
    return paged.outerjoin(REFERENCES, REFERENCES.c.id == lateral.c.id), REFERENCES


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
