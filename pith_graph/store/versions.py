"""Deciding what a new observation does to the row that is held, and writing it.

For what any record may speak of, each time whole: what is newer by the source's own time replaces,
what is older goes straight to history, what is the same changes nothing. `timeline` has the rule
for what an answer can also lack.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import Any

from sqlalchemy import Table, and_, select, update

from pith_graph.store.transaction import WriteTransaction

Facts = Mapping[str, Any]
Row = dict[str, Any]

_BATCH = 500  # keys in one statement: far below both databases' limits on parameters


class Change(Enum):
    """What a new observation does."""

    UNCHANGED = auto()
    NEW = auto()
    REPLACED = auto()
    LATE = auto()


@dataclass(frozen=True, slots=True)
class Assertion:
    """When a record's facts were all true together.

    Attributes:
        following: When the next newer record of the same paper was; None where none is held.
    """

    at: datetime
    following: datetime | None

    @property
    def older(self) -> bool:
        """Whether a newer record is held already."""
        return self.following is not None


@dataclass(frozen=True, slots=True)
class Subject:
    """A versioned table: where its rows are current, where they were, and what names one.

    Attributes:
        key: The column that identifies a row for its whole life.
        own_time: The column with the source's own time; ``observed_at`` where it is that.
        carried: Columns that an observation may leave out: they stay as they were known before.
    """

    current: Table
    history: Table
    key: str
    own_time: str = "observed_at"
    carried: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Version:
    """What an observation says of one row; what it does not say is left out of ``facts``.

    Attributes:
        own: The source's own time.
    """

    key: int
    facts: Facts
    own: datetime


@dataclass(frozen=True, slots=True)
class Decision:
    """A change, and since when the observed facts are so."""

    change: Change
    since: datetime


def decide(held: Row | None, version: Version, subject: Subject, by: Assertion) -> Decision:
    """Compare an observation with the row that is held. Pure.

    Own time decides; on a tie the record's time does. A tie that only fills in what was unknown
    leaves the row its beginning.
    """
    own = version.own
    if held is None or held["observed_at"] is None:
        return Decision(Change.NEW, own)
    since: datetime = held["observed_at"]
    held_own: datetime = held[subject.own_time]
    same = all(held[name] == value for name, value in version.facts.items())
    fills = all(held[name] in {None, value} for name, value in version.facts.items())
    if same and own == held_own:
        return Decision(Change.UNCHANGED, since)
    if own < held_own or (own == held_own and by.older and not fills):
        return Decision(Change.LATE, own)
    if own > held_own:
        return Decision(Change.REPLACED, max(own, since))
    return Decision(Change.REPLACED, since if fills else max(by.at, since))


async def fetch_current(
    tx: WriteTransaction, subject: Subject, keys: Iterable[int]
) -> dict[int, Row]:
    """Return the current rows by key; missing where there is none."""
    table = subject.current
    rows: dict[int, Row] = {}
    for batch in batches(keys):
        statement = select(table).where(table.c[subject.key].in_(batch))
        for row in (await tx.connection.execute(statement)).mappings():
            rows[row[subject.key]] = dict(row)
    return rows


async def write_versions(
    tx: WriteTransaction, subject: Subject, versions: Sequence[Version], by: Assertion
) -> dict[int, Change]:
    """Write observations of rows, each key once, by the rule of `decide`.

    Returns:
        What happened to each key.
    """
    held = await fetch_current(tx, subject, (version.key for version in versions))
    decisions = {v.key: decide(held.get(v.key), v, subject, by) for v in versions}
    await _forget_the_known(tx, subject, held, versions, decisions)
    by_change: dict[Change, list[Version]] = defaultdict(list)
    for version in versions:
        by_change[decisions[version.key].change].append(version)
    replaced = by_change[Change.REPLACED]
    await _keep_replaced(tx, subject, [(held[v.key], decisions[v.key].since) for v in replaced])
    stubs = [version for version in by_change[Change.NEW] if version.key in held]
    for version in (*replaced, *stubs):
        await _update(tx, subject, version, decisions[version.key].since)
    fresh = [version for version in by_change[Change.NEW] if version.key not in held]
    if fresh:
        stamp = await tx.stamp()
        rows = [
            {subject.key: v.key, **v.facts, **stamp, "observed_at": decisions[v.key].since}
            for v in fresh
        ]
        await tx.insert_rows(subject.current, rows)
    changes = {key: decision.change for key, decision in decisions.items()}
    for version in by_change[Change.LATE]:
        written = await _write_late(tx, subject, version, held[version.key], by)
        changes[version.key] = Change.LATE if written else Change.UNCHANGED
    return changes


async def _forget_the_known(
    tx: WriteTransaction,
    subject: Subject,
    held: Mapping[int, Row],
    versions: Sequence[Version],
    decisions: dict[int, Decision],
) -> None:
    """Leave alone what contradicts a row of the same time and was heard before it already.

    Two sources that disagree would otherwise replace each other at each reading.
    """
    ties = [
        version
        for version in versions
        if decisions[version.key].change is Change.REPLACED
        and held[version.key][subject.own_time] == version.own
    ]
    for version in ties:
        if any(_says(row, version, subject) for row in await _fetch_past(tx, subject, version.key)):
            decisions[version.key] = Decision(Change.UNCHANGED, version.own)


async def _keep_replaced(
    tx: WriteTransaction, subject: Subject, replaced: Sequence[tuple[Row, datetime]]
) -> None:
    """Copy rows to history, each with the end of its period."""
    if not replaced:
        return
    commit = (await tx.stamp())["commit_number"]
    ids = await tx.allocate(subject.history.name, len(replaced))
    rows = [
        {**row, "version_id": version_id, "superseded_at": end, "closed_commit": commit}
        for version_id, (row, end) in zip(ids, replaced, strict=True)
    ]
    await tx.insert_rows(subject.history, rows)


async def _fetch_past(tx: WriteTransaction, subject: Subject, key: int) -> list[Row]:
    statement = select(subject.history).where(subject.history.c[subject.key] == key)
    return [dict(row) for row in (await tx.connection.execute(statement)).mappings()]


async def _write_late(
    tx: WriteTransaction, subject: Subject, version: Version, held: Row, by: Assertion
) -> bool:
    """Put an observation that arrives late into history.

    Its period ends where the next known one begins; the one before it ends where it begins.

    Returns:
        Whether anything was written: not where history has it already.
    """
    past = await _fetch_past(tx, subject, version.key)
    if any(_says(row, version, subject) for row in past):
        return False
    latest = await _begin_after_tie(tx, subject, version, held, by)
    before = [r for r in past if r["observed_at"] <= version.own < r["superseded_at"]]
    after = [r["observed_at"] for r in past if r["observed_at"] > version.own]
    end = max(version.own, min([latest, *after]))
    base: Row = {}
    if before:
        base, end = before[0], before[0]["superseded_at"]
        await _set(tx, subject.history, "version_id", base, superseded_at=version.own)
    stamp = await tx.stamp()
    row = {column.name: base.get(column.name) for column in subject.history.columns}
    row |= {
        subject.key: version.key,
        **version.facts,
        **stamp,
        "observed_at": version.own,
        "version_id": (await tx.allocate(subject.history.name, 1))[0],
        "superseded_at": end,
        "closed_commit": stamp["commit_number"],
    }
    await tx.insert_rows(subject.history, [row])
    await _carry(tx, subject, version)
    return True


async def _carry(tx: WriteTransaction, subject: Subject, version: Version) -> None:
    """Add what a late observation says to newer rows that left it out."""
    for name in subject.carried:
        if name not in version.facts:
            continue
        for table in (subject.current, subject.history):
            newer = and_(table.c.observed_at > version.own, table.c[name].is_(None))
            statement = update(table).where(table.c[subject.key] == version.key, newer)
            await tx.connection.execute(statement.values({name: version.facts[name]}))


async def _begin_after_tie(
    tx: WriteTransaction, subject: Subject, version: Version, held: Row, by: Assertion
) -> datetime:
    """Return when the current row begins, which a newer record asserts of the same own time."""
    since: datetime = held["observed_at"]
    if held[subject.own_time] != version.own or by.following is None or since >= by.following:
        return since
    await _set(tx, subject.current, subject.key, held, observed_at=by.following)
    return by.following


async def _set(tx: WriteTransaction, table: Table, name: str, row: Row, **values: Any) -> None:
    statement = update(table).where(table.c[name] == row[name]).values(values)
    await tx.connection.execute(statement)


def _says(row: Row, version: Version, subject: Subject) -> bool:
    same = all(row[name] == value for name, value in version.facts.items())
    return same and bool(row[subject.own_time] == version.own)


async def _update(
    tx: WriteTransaction, subject: Subject, version: Version, since: datetime
) -> None:
    values = {**version.facts, **await tx.stamp(), "observed_at": since}
    await _set(tx, subject.current, subject.key, {subject.key: version.key}, **values)


def batches(keys: Iterable[Any]) -> Iterable[list[Any]]:
    """Cut keys into lists, each key once, that one statement can take."""
    distinct = sorted(set(keys))
    for start in range(0, len(distinct), _BATCH):
        yield distinct[start : start + _BATCH]
