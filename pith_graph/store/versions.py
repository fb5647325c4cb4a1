"""Deciding what a new observation does to the row that is held, and writing it.

Every table with a history twin follows one rule: what is newer by the source's own time replaces,
what is older goes straight to history, what is the same changes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import Any

from sqlalchemy import Table, bindparam, select, update

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
    """When a record's facts were all true together, and whether a newer record is held already."""

    at: datetime
    older: bool


@dataclass(frozen=True, slots=True)
class Subject:
    """A versioned table: where its rows are current, where they were, and what names one.

    Attributes:
        key: The column that identifies a row for its whole life.
        own_time: The column with the source's own time; ``observed_at`` where it is that.
        owned: Whether one paper's records alone speak of it; their times then come before its own.
    """

    current: Table
    history: Table
    key: str
    own_time: str = "observed_at"
    owned: bool = False


@dataclass(frozen=True, slots=True)
class Version:
    """What an observation says of one row; what it does not say is left out of ``facts``.

    Attributes:
        own: The source's own time.
        floor: The end of the newest period in which the row was closed before, if any: a row that
            comes back cannot begin earlier.
    """

    key: int
    facts: Facts
    own: datetime
    floor: datetime | None = None


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
        return Decision(Change.NEW, max(own, version.floor or own))
    since: datetime = held["observed_at"]
    held_own: datetime = held[subject.own_time]
    same = all(held[name] == value for name, value in version.facts.items())
    fills = all(held[name] in {None, value} for name, value in version.facts.items())
    if same and own == held_own:
        return Decision(Change.UNCHANGED, since)
    tie_of_an_older_record = own == held_own and by.older and not fills
    late = by.older if subject.owned else own < held_own or tie_of_an_older_record
    if late:
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
    for batch in _batches(keys):
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
    changes = {key: decision.change for key, decision in decisions.items()}
    by_change: dict[Change, list[Version]] = defaultdict(list)
    for version in versions:
        by_change[changes[version.key]].append(version)
    replaced = by_change[Change.REPLACED]
    await close_rows(
        tx, subject, [(held[v.key], decisions[v.key].since) for v in replaced], remove=False
    )
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
    for version in by_change[Change.LATE]:
        late = await write_late(tx, subject, version, held[version.key]["observed_at"])
        changes[version.key] = Change.LATE if late else Change.UNCHANGED
    return changes


async def close_rows(
    tx: WriteTransaction,
    subject: Subject,
    closings: Sequence[tuple[Row, datetime]],
    *,
    remove: bool = True,
) -> None:
    """Move rows to history, each with the end of its period.

    ``remove`` deletes them from the current rows; without it the caller replaces them there.
    """
    if not closings:
        return
    commit = (await tx.stamp())["commit_number"]
    ids = await tx.allocate(subject.history.name, len(closings))
    rows = [
        {**row, "version_id": version_id, "superseded_at": end, "closed_commit": commit}
        for version_id, (row, end) in zip(ids, closings, strict=True)
    ]
    await tx.insert_rows(subject.history, rows)
    if remove:
        table = subject.current
        for batch in _batches(row[subject.key] for row, _ in closings):
            await tx.connection.execute(table.delete().where(table.c[subject.key].in_(batch)))


async def write_late(
    tx: WriteTransaction, subject: Subject, version: Version, latest: datetime
) -> bool:
    """Put an observation that arrives late into history.

    Its period ends where the next known one begins, at the latest at ``latest``; the one before it
    ends where it begins.

    Returns:
        Whether anything was written: not where history has it already.
    """
    table = subject.history
    statement = select(table).where(table.c[subject.key] == version.key)
    past = [dict(row) for row in (await tx.connection.execute(statement)).mappings()]
    if any(_says(row, version, subject) for row in past):
        return False
    before = [r for r in past if r["observed_at"] <= version.own < r["superseded_at"]]
    after = [r["observed_at"] for r in past if r["observed_at"] > version.own]
    end = max(version.own, min([latest, *after]))
    base: Row = {}
    if before:
        previous = max(before, key=lambda row: row["observed_at"])
        base, end = previous, previous["superseded_at"]
        await tx.connection.execute(
            update(table)
            .where(table.c.version_id == previous["version_id"])
            .values(superseded_at=version.own)
        )
    stamp = await tx.stamp()
    row = {column.name: base.get(column.name) for column in table.columns}
    row |= {
        subject.key: version.key,
        **version.facts,
        **stamp,
        "observed_at": version.own,
        "version_id": (await tx.allocate(table.name, 1))[0],
        "superseded_at": end,
        "closed_commit": stamp["commit_number"],
    }
    await tx.insert_rows(table, [row])
    return True


def _says(row: Row, version: Version, subject: Subject) -> bool:
    same = all(row[name] == value for name, value in version.facts.items())
    return same and bool(row[subject.own_time] == version.own)


async def _update(
    tx: WriteTransaction, subject: Subject, version: Version, since: datetime
) -> None:
    table = subject.current
    values = {**version.facts, **await tx.stamp(), "observed_at": since}
    await tx.connection.execute(
        update(table)
        .where(table.c[subject.key] == bindparam("row_key"))
        .values({name: bindparam(f"new_{name}") for name in values}),
        {"row_key": version.key, **{f"new_{name}": value for name, value in values.items()}},
    )


def _batches(keys: Iterable[int]) -> Iterable[list[int]]:
    distinct = sorted(set(keys))
    for start in range(0, len(distinct), _BATCH):
        yield distinct[start : start + _BATCH]
