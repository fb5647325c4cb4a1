"""The index walks that the feed of changes is made of: three for each versioned table.

The rows that commits added, those of them that are in history now, and the rows that commits
closed. Each walks its own index of commits from a border on. `changes` lays them together.
PostgreSQL's indexes of current rows know no order within a commit: it sorts one commit at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Table,
    bindparam,
    case,
    cast,
    literal_column,
    null,
    or_,
)

from pith_graph.read.keyset import Values
from pith_graph.store import tables
from pith_graph.store.types import Code, Instant
from pith_graph.vocabulary import ChangeAction, ChangeKind

# The authors of papers and works have tables too; no source fills them yet.
_SUBJECTS: dict[ChangeKind, tuple[Table, dict[str, str]]] = {
    ChangeKind.PAPER: (tables.papers, {"paper": "id"}),
    ChangeKind.CITATION: (tables.paper_references, {"reference": "id"}),
    ChangeKind.RESOLUTION: (tables.paper_reference_links, {"reference": "reference_id"}),
    ChangeKind.WORK: (tables.cited_works, {"work": "id"}),
    ChangeKind.STANDING_EVENT: (tables.scholarly_work_events, {"work": "cited_work_id"}),
    ChangeKind.STANDING_RECEIPT: (
        tables.retraction_status_cache,
        {"work": "cited_work_id", "paper": "paper_id"},
    ),
    ChangeKind.MEASUREMENT: (
        tables.external_citation_measurements,
        {"work": "cited_work_id", "paper": "paper_id"},
    ),
    ChangeKind.BIBLIOGRAPHY: (tables.bibliographies, {"paper": "paper_id"}),
    ChangeKind.COVERAGE: (tables.coverage_declarations, {"paper": "paper_id"}),
}
"""The table of each kind of change, and which of its columns name what the change is about."""

LARGEST = 2**63 - 1
"""The largest number that both databases and a cursor hold."""

_SUBJECT_NAMES = ("paper", "reference", "work")

BOUND = ("commit", "key", "version")
"""The sort values of a border that are bound to the statement."""


@dataclass(frozen=True, slots=True)
class Border:
    """A border of a window: its kind and action are part of the statement, the rest is bound."""

    name: str
    rank: Values
    dialect: str

    def bound(self, key: str) -> ColumnElement[int]:
        """Bind a value as 64 bits: a cursor may hold any, and a driver refuses those too large."""
        return bindparam(f"{self.name}_{key}", type_=BigInteger)


@dataclass(frozen=True, slots=True)
class Walk:
    """One index walk: the rows of a table that commits added, or those that commits closed."""

    kind: ChangeKind
    action: ChangeAction
    table: Table
    subjects: dict[str, str]

    @property
    def commit(self) -> ColumnElement[int]:
        """The commit whose change a row is."""
        added = self.action is ChangeAction.ADDED
        return self.table.c.commit_number if added else self.table.c.closed_commit

    @property
    def key(self) -> ColumnElement[int]:
        """What names a row in its table."""
        current = _SUBJECTS[self.kind][0]
        return self.table.c[next(iter(current.primary_key)).name]

    @property
    def version(self) -> ColumnElement[int]:
        """What stays the same when a current row moves to history.

        Of a row's versions that one commit added, at most one outlasted the commit.
        """
        lasting = literal_column(str(LARGEST), BigInteger)
        if "version_id" not in self.table.c:
            return lasting
        version_id: ColumnElement[int] = self.table.c.version_id
        if self.action is ChangeAction.SUPERSEDED:
            return version_id
        passing = self.table.c.closed_commit == self.table.c.commit_number
        return case((passing, version_id), else_=lasting)

    def order(self, *, backward: bool) -> list[ColumnElement[Any]]:
        """Return the index's order, which is the feed's: the version that lasts is the last."""
        keys: list[ColumnElement[Any]] = [self.commit, self.key]
        if "version_id" in self.table.c:
            keys.append(self.table.c.version_id)
        return [key.desc() for key in keys] if backward else keys

    def beyond(self, border: Border, *, up: bool, at: bool = False) -> list[ColumnElement[bool]]:
        """Return the stretches of an index that lie on one side of a border.

        Each is a range of its own, which SQLite needs to begin a walk inside a commit.

        Args:
            border: The border.
            up: Whether the side is the later one.
            at: Whether the row at the border belongs to it.
        """
        commit, key, version = (border.bound(name) for name in BOUND)
        further = self.commit > commit if up else self.commit < commit
        rank = (self.kind.code, self.action.code)
        if rank != border.rank:
            within = self.commit >= commit if up else self.commit <= commit
            return [within if (rank > border.rank) is up else further]
        own = self.version
        if at:
            tie = own >= version if up else own <= version
        else:
            tie = own > version if up else own < version
        here = self.key >= key if up else self.key <= key
        return [self._in_commit(border) & here & or_(self.key != key, tie), further]

    def _in_commit(self, border: Border) -> ColumnElement[bool]:
        """Return the condition that a row is a change of the border's commit."""
        commit = border.bound("commit")
        if border.dialect == "sqlite" or "version_id" in self.table.c:
            return self.commit == commit
        # With one commit known, ids alone would be the order, and PostgreSQL would rather walk all
        # later rows in that order than sort those of the commit.
        return (self.commit >= commit) & (self.commit <= commit)

    def columns(self) -> list[ColumnElement[Any]]:
        """Return the columns that all walks have alike."""
        closed = self.action is ChangeAction.SUPERSEDED
        superseded_at = self.table.c.superseded_at if closed else cast(null(), Instant)
        subjects = [
            self.table.c[self.subjects[name]] if name in self.subjects else cast(null(), BigInteger)
            for name in _SUBJECT_NAMES
        ]
        return [
            self.commit.label("commit"),
            literal_column(str(self.kind.code), Code(ChangeKind)).label("kind"),
            literal_column(str(self.action.code), Code(ChangeAction)).label("action"),
            self.key.label("key"),
            self.version.label("version"),
            self.table.c.observed_at,
            superseded_at.label("superseded_at"),
            *(column.label(name) for name, column in zip(_SUBJECT_NAMES, subjects, strict=True)),
        ]


def all_walks() -> Iterator[Walk]:
    """Return the walks of all tables."""
    twins = dict(tables.VERSIONED)
    for kind, (current, subjects) in _SUBJECTS.items():
        yield Walk(kind, ChangeAction.ADDED, current, subjects)
        yield Walk(kind, ChangeAction.ADDED, twins[current], subjects)
        yield Walk(kind, ChangeAction.SUPERSEDED, twins[current], subjects)
