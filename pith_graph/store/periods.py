"""Reading the periods of rows, current and past, and writing what `timeline` makes of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Table, select, update

from pith_graph.store.timeline import Period
from pith_graph.store.transaction import WriteTransaction
from pith_graph.store.versions import Row, Subject, batches

Timelines = Mapping[int, Sequence[Period]]


@dataclass(slots=True)
class Changes:
    """What is to be written to a versioned table, in two steps for the sake of foreign keys.

    Attributes:
        removed: Keys of current rows that go, or are put in anew.
        current: Rows to put into the current table.
        past: Rows to put into history; without a commit of their own they are new.
        ended: History rows whose end moves, by ``version_id``.
        begun: Rows whose beginning moves, by key; of the current table.
        begun_past: The same of history, by ``version_id``.
        dropped: History rows that go, by ``version_id``.
    """

    removed: list[int]
    current: list[Row]
    past: list[tuple[Row, datetime]]
    ended: list[tuple[int, datetime]]
    begun: list[tuple[int, datetime]]
    begun_past: list[tuple[int, datetime]]
    dropped: list[int]

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in self.__slots__)


async def fetch_rows(
    tx: WriteTransaction, subject: Subject, name: str, values: Collection[Any]
) -> dict[int, list[Row]]:
    """Return all rows, past and current, in which a column has one of the values, by their key."""
    found: dict[int, list[Row]] = {}
    for batch in batches(values):
        for table in (subject.history, subject.current):
            statement = select(table).where(table.c[name].in_(batch))
            for row in (await tx.connection.execute(statement)).mappings():
                found.setdefault(row[subject.key], []).append(dict(row))
    return found


def periods_of(rows: Iterable[Row]) -> list[Period]:
    """Return the periods of the rows of one key, in order; a row that never held has none."""
    periods = [
        Period(row["observed_at"], row.get("superseded_at"), row, stored=True) for row in rows
    ]
    lasting = [p for p in periods if p.until is None or p.until > p.since]
    return sorted(lasting, key=lambda period: period.since)


async def fetch_timelines(
    tx: WriteTransaction, subject: Subject, name: str, values: Collection[Any]
) -> dict[int, list[Period]]:
    """Return the periods of all rows in which a column has one of the values, by their key."""
    found = await fetch_rows(tx, subject, name, values)
    return {key: periods_of(rows) for key, rows in found.items()}


def compare(subject: Subject, before: Timelines, after: Timelines) -> Changes:
    """Return the changes that make the periods of some rows other ones. Pure."""
    changes = Changes([], [], [], [], [], [], [])
    for key, periods in after.items():
        kept = {id(period.facts): period for period in periods if period.stored}
        for old in before.get(key, []):
            _compare_stored(changes, key, old, kept.get(id(old.facts)))
        for period in periods:
            if period.stored or (period.until is not None and period.until <= period.since):
                continue
            row = {subject.key: key, **period.facts, "observed_at": period.since}
            if period.until is None:
                changes.current.append(row)
            else:
                changes.past.append((row, period.until))
    return changes


def _compare_stored(changes: Changes, key: int, old: Period, new: Period | None) -> None:
    version = old.facts.get("version_id")
    if (
        new is None
        or (version is not None and new.until is None)
        or (version is None and new.until is not None)
    ):
        # It goes, or it changes places between the current table and history.
        if version is None:
            changes.removed.append(key)
        else:
            changes.dropped.append(version)
        if new is not None and new.until is None:
            changes.current.append({**old.facts, "observed_at": new.since})
        elif new is not None and new.until is not None:
            changes.past.append(({**old.facts, "observed_at": new.since}, new.until))
        return
    if new.since != old.since:
        target = changes.begun if version is None else changes.begun_past
        target.append((key if version is None else version, new.since))
    if version is not None and new.until is not None and new.until != old.until:
        changes.ended.append((version, new.until))


async def write_removals(tx: WriteTransaction, subject: Subject, changes: Changes) -> None:
    """Take out the current rows that go: those that others point to, after the others."""
    await _delete(tx, subject.current, subject.key, changes.removed)


async def write_rest(tx: WriteTransaction, subject: Subject, changes: Changes) -> None:
    """Write all else: those that others point to, before the others."""
    if not changes:
        return
    stamp = await tx.stamp()
    current, history = subject.current, subject.history
    await _delete(tx, history, "version_id", changes.dropped)
    await _move(tx, history, "version_id", {"superseded_at": changes.ended})
    await _move(tx, history, "version_id", {"observed_at": changes.begun_past})
    await _move(tx, current, subject.key, {"observed_at": changes.begun})
    if changes.past:
        ids = await tx.allocate(history.name, len(changes.past))
        rows = [
            {
                **stamp,
                **row,
                "version_id": version_id,
                "superseded_at": until,
                "closed_commit": stamp["commit_number"],
            }
            for version_id, (row, until) in zip(ids, changes.past, strict=True)
        ]
        await tx.insert_rows(history, [_complete(history, row) for row in rows])
    rows = [{**stamp, **row} for row in changes.current]
    await tx.insert_rows(current, [_complete(current, row) for row in rows])


async def write_timelines(
    tx: WriteTransaction,
    subject: Subject,
    before: Timelines,
    after: Timelines,
) -> None:
    """Write the periods of rows to which no other current row points, or from which none goes."""
    changes = compare(subject, before, after)
    await write_removals(tx, subject, changes)
    await write_rest(tx, subject, changes)


async def _delete(tx: WriteTransaction, table: Table, name: str, keys: Iterable[int]) -> None:
    for batch in batches(keys):
        await tx.connection.execute(table.delete().where(table.c[name].in_(batch)))


async def _move(
    tx: WriteTransaction,
    table: Table,
    name: str,
    moves: Mapping[str, Sequence[tuple[int, datetime]]],
) -> None:
    for column, rows in moves.items():
        for key, at in rows:
            await tx.connection.execute(
                update(table).where(table.c[name] == key).values({column: at})
            )


def _complete(table: Table, row: Row) -> Row:
    """Return a row with exactly a table's columns, so that rows go in by one statement."""
    return {column.name: row.get(column.name) for column in table.columns}
