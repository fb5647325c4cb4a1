"""The feed of changes: what every commit added and superseded, read from the commits of rows.

Nothing is written for it. A row of a versioned table is a change of the commit that added it, and
in history also of the commit that closed it. The feed only grows at its end, so that a client that
asks for what comes after its last cursor misses nothing and sees nothing twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import product
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    Subquery,
    func,
    literal_column,
    or_,
    select,
    true,
    union_all,
)

from pith_graph.read.change_walks import BOUND, LARGEST, Border, all_walks
from pith_graph.read.keyset import Page, Values, Window, cut
from pith_graph.read.prepared import Prepared, prepare
from pith_graph.read.snapshot import Snapshot
from pith_graph.store import tables
from pith_graph.vocabulary import ChangeAction, ChangeKind

_START: Values = (0, 0, 0, 0, 0)
_END: Values = (LARGEST,) * 5
_KEYS = ("commit", "kind", "action", "key", "version")


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One row that a commit added or superseded, and what it is about: one of three, or nothing.

    Attributes:
        key: The row's integer id in its table.
        version: Tells the versions of a row that one commit added, or closed, apart.
        observed_at: Since when the row is so.
        superseded_at: Until when; None where the change is that it was added.
    """

    commit: int
    kind: ChangeKind
    action: ChangeAction
    key: int
    version: int
    observed_at: datetime
    superseded_at: datetime | None
    committed_at: datetime
    arxiv_id: str | None
    observation_id: str | None
    work_id: str | None

    @property
    def sort_values(self) -> Values:
        """The sort values, which its cursor holds; they never change."""
        return (self.commit, self.kind.code, self.action.code, self.key, self.version)


ChangePage = Page[ChangeRow]


async def fetch_changes(snapshot: Snapshot, window: Window) -> ChangePage:
    """Return a page of the feed, the oldest commit first."""
    # Borders always: the first also leaves out papers that are not held, which have no commit.
    after, before = window.after or _START, window.before or _END
    parameters: dict[str, Any] = {}
    for name, values in (("after", after), ("before", before)):
        parameters |= {f"{name}_{key}": values[_KEYS.index(key)] for key in BOUND}
    statement = _changes_statement(
        snapshot.dialect,
        Border("after", after[1:3], snapshot.dialect),
        Border("before", before[1:3], snapshot.dialect),
        window.size,
        window.backward,
    )
    rows = await snapshot.fetch(statement, parameters)
    changes = [ChangeRow(*row[2:]) for row in rows if row[2] is not None]
    return cut(changes, window, outside_after=bool(rows[0][0]), outside_before=bool(rows[0][1]))


@lru_cache(maxsize=64)  # what stands at the borders differs little
def _changes_statement(
    dialect: str,
    after: Border,
    before: Border,
    size: int,
    backward: bool,  # noqa: FBT001
) -> Prepared:
    """Build the one statement: a short walk of every index, and names for what is on the page."""
    # The number is written out: from a parameter PostgreSQL would expect a tenth of the table.
    limit = literal_column(str(size + 1), Integer)
    stretches = [
        select(*walk.columns())
        .where(*conditions)
        .order_by(*walk.order(backward=backward))
        .limit(limit)
        for walk in all_walks()
        for conditions in product(walk.beyond(after, up=True), walk.beyond(before, up=False))
    ]
    # SQLite takes ORDER BY and LIMIT in a part of a union only as a query of its own.
    walks = union_all(*(select(stretch.subquery()) for stretch in stretches)).subquery("walk")
    order = [walks.c[name] for name in _KEYS]
    page = (
        select(walks)
        .order_by(*(key.desc() if backward else key for key in order))
        .limit(limit)
        .subquery("page")
    )
    borders = select(
        _any(after, up=False).label("outside_after"), _any(before, up=True).label("outside_before")
    ).subquery("border")
    return prepare(_named(borders, page), dialect)


def _any(border: Border, *, up: bool) -> ColumnElement[bool]:
    """Return whether the feed has rows at or outside a border: one of a commit that is nearest."""
    nearest = [
        select(walk.key).where(stretch).order_by(walk.commit if up else walk.commit.desc()).limit(1)
        for walk in all_walks()
        for stretch in walk.beyond(border, up=up, at=True)
    ]
    return or_(*(each.scalar_subquery().is_not(None) for each in nearest))


def _named(borders: Subquery, page: Subquery) -> Select[Any]:
    """Give a page's rows the time of their commit and the public id of what they are about."""
    commits, papers, works = tables.commits, tables.papers, tables.cited_works
    references, past = tables.paper_references, tables.paper_references_history
    # Subqueries: joined, PostgreSQL would now and then rather read a whole table.
    current = select(references.c.observation_id).where(references.c.id == page.c.reference)
    # An entry that no current bibliography has any more.
    gone = select(past.c.observation_id).where(past.c.id == page.c.reference).limit(1)
    named = (
        select(commits.c.committed_at).where(commits.c.number == page.c.commit).scalar_subquery(),
        select(papers.c.arxiv_id).where(papers.c.id == page.c.paper).scalar_subquery(),
        func.coalesce(current.scalar_subquery(), gone.scalar_subquery()),
        select(works.c.work_id).where(works.c.id == page.c.work).scalar_subquery(),
    )
    return (
        select(*borders.c, *(page.c[n] for n in (*_KEYS, "observed_at", "superseded_at")), *named)
        .select_from(borders.outerjoin(page, true()))
        .order_by(*(page.c[name] for name in _KEYS))
    )
