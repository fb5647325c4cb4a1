"""Reading the periods of rows, current and past, and writing what `timeline` makes of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Table, select, update

from pith_graph.store.timeline import Period
from pith_graph.store.transaction import WriteTransaction
from pith_graph.store.versions import Row, Subject, batches

Timelines = Mapping[int, Sequence[Period]]


@dataclass(slots=True)
class Changes:
    """What is to be written to a versioned table. No row of history is ever taken out.

    Attributes:
        removed: Keys of current rows that go.
        current: Rows to put into the current table.
        past: Rows to put into history, with their ends.
        ended: History rows whose end moves, by ``version_id``.
        begun: Current rows whose beginning moves, by key.
        begun_past: History rows whose beginning moves, by ``version_id``.
    """

    removed: list[int]
    current: list[Row]
    past: list[tuple[Row, datetime]]
    ended: list[tuple[int, datetime]]
    begun: list[tuple[int, datetime]]
    begun_past: list[tuple[int, datetime]]

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
    changes = Changes([], [], [], [], [], [])
    for key, periods in after.items():
        kept = {id(period.facts): period for period in periods if period.stored}
        for old in before.get(key, []):
            _compare_stored(changes, key, old, kept.get(id(old.facts)))
        for period in periods:
            if not period.stored:
                _add(changes, {**period.facts, subject.key: key}, period)
    return changes


def _compare_stored(changes: Changes, key: int, old: Period, new: Period | None) -> None:
    """Compare a row that is held with what becomes of it; one that never was so is left empty."""
    made = new or replace(old, until=old.since)
    version = old.facts.get("version_id")
    if version is None and made.until is not None:
        changes.removed.append(key)
        changes.past.append(({**old.facts, "observed_at": made.since}, made.until))
    elif version is not None and made.until is None:
        changes.ended.append((version, old.since))
        _add(changes, old.facts, made)
    else:
        if made.since != old.since:
            moved = changes.begun if version is None else changes.begun_past
            moved.append((key if version is None else version, made.since))
        if version is not None and made.until is not None and made.until != old.until:
            changes.ended.append((version, made.until))


def _add(changes: Changes, facts: Mapping[str, Any], period: Period) -> None:
    """Add a row of this commit; none for a period in which nothing lies."""
    row = {name: value for name, value in facts.items() if name != "commit_number"}
    row["observed_at"] = period.since
    if period.until is None:
        changes.current.append(row)
    elif period.until > period.since:
        changes.past.append((row, period.until))


async def write_removals(tx: WriteTransaction, subject: Subject, changes: Changes) -> None:
    """Take out the current rows that go: those that others point to, after the others."""
    table = subject.current
    for batch in batches(changes.removed):
        await tx.connection.execute(table.delete().where(table.c[subject.key].in_(batch)))


async def write_rest(tx: WriteTransaction, subject: Subject, changes: Changes) -> None:
    """Write all else: those that others point to, before the others."""
    if not changes:
        return
    stamp = await tx.stamp()
    current, history = subject.current, subject.history
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
