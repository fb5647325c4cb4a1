"""Statements as they reach the driver: counted, and explained by the database."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import asyncpg
from pytest import MonkeyPatch  # noqa: PT013  # the class, not the module's names
from sqlalchemy.ext.asyncio import AsyncEngine

from pith_graph.store.reading import ReadConnection

_CONTROL = ("BEGIN", "COMMIT", "ROLLBACK")
_SQLITE_SCAN = re.compile(
    r"(SCAN|SEARCH) (\w+)(?: (?:USING (?:COVERING )?INDEX (\w+)|VIRTUAL TABLE|USING INTEGER).*)?"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement with its parameters, in the driver's own form."""

    text: str
    parameters: Any


@contextmanager
def driven_statements() -> Iterator[list[Statement]]:
    """Collect what both drivers are given in this process, without transaction control."""
    statements: list[Statement] = []
    at_once, apart = ReadConnection.fetch_at_once, ReadConnection.fetch_apart
    fetch = asyncpg.Connection.fetch

    def note(sql: str, parameters: Any) -> None:
        if not sql.startswith(_CONTROL):
            statements.append(Statement(sql, parameters))

    def noted_at_once(connection: Any, sql: str, parameters: Any = ()) -> Any:
        rows = at_once(connection, sql, parameters)
        if rows is not None:
            note(sql, parameters)
        return rows

    def noted_apart(connection: Any, sql: str, parameters: Any = ()) -> Any:
        note(sql, parameters)
        return apart(connection, sql, parameters)

    def noted_fetch(connection: Any, sql: str, *parameters: Any, **options: Any) -> Any:
        note(sql, parameters)
        return fetch(connection, sql, *parameters, **options)

    with MonkeyPatch.context() as patch:
        patch.setattr(ReadConnection, "fetch_at_once", noted_at_once)
        patch.setattr(ReadConnection, "fetch_apart", noted_apart)
        patch.setattr(asyncpg.Connection, "fetch", noted_fetch)
        yield statements


@dataclass(frozen=True, slots=True)
class Scan:
    """One place where a plan reads a table.

    Attributes:
        table: The table's name or alias.
        index: The index it goes by, None without one.
        sought: Whether the index is entered at keys, not read from end to end.
    """

    table: str
    index: str | None
    sought: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """How a database runs a statement: where it reads, and whether it sorts before a limit."""

    scans: list[Scan]
    sorts_lists: bool
    text: str

    @property
    def indexes(self) -> set[str]:
        """The indexes it goes by."""
        return {scan.index for scan in self.scans if scan.index}


async def explain(engine: AsyncEngine, statement: Statement) -> Plan:
    """Ask the database for a statement's plan."""
    async with engine.connect() as connection:
        raw = await connection.get_raw_connection()
        driver: Any = raw.driver_connection
        if engine.dialect.name == "sqlite":
            sql = f"EXPLAIN QUERY PLAN {statement.text}"
            return _sqlite_plan(await driver.execute_fetchall(sql, statement.parameters))
        return _postgresql_plan(await _explained(driver, statement, "FORMAT JSON"))


async def work_done(engine: AsyncEngine, statement: Statement) -> int:
    """Run a statement and return its cost: blocks on PostgreSQL, hundreds of steps on SQLite."""
    async with engine.connect() as connection:
        raw = await connection.get_raw_connection()
        driver: Any = raw.driver_connection
        if engine.dialect.name == "postgresql":
            explained = await _explained(driver, statement, "ANALYZE, BUFFERS, FORMAT JSON")
            plan = explained[0]["Plan"]
            return int(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])
        steps = itertools.count()
        await driver.set_progress_handler(lambda: next(steps) and None, 100)
        await driver.execute_fetchall(statement.text, statement.parameters)
        await driver.set_progress_handler(None, 100)
        return next(steps)


async def _explained(driver: Any, statement: Statement, options: str) -> Any:
    """Explain a statement as it runs: prepared, with a plan that its values have no part in."""
    values = ", ".join(map(_literal, statement.parameters))
    await driver.execute(f"PREPARE explained AS {statement.text}")
    try:
        given = f"({values})" if values else ""
        return await driver.fetchval(f"EXPLAIN ({options}) EXECUTE explained{given}")
    finally:
        await driver.execute("DEALLOCATE explained")


def _literal(value: Any) -> str:
    if isinstance(value, list):
        value = "{" + ",".join(f'"{each}"' for each in value) + "}"
    return "NULL" if value is None else "'" + str(value).replace("'", "''") + "'"


def _sqlite_plan(rows: Iterable[tuple[int, int, int, str]]) -> Plan:
    depths, lines, scans, sorts = {0: -1}, [], [], False
    for number, parent, _, detail in rows:
        depths[number] = depths[parent] + 1
        lines.append("  " * depths[number] + detail)
        # A page's own sort, at the top, is of the page alone.
        sorts |= detail.startswith("USE TEMP B-TREE") and depths[number] > 0
        match = _SQLITE_SCAN.match(detail)
        if match:
            way, table, index = match.groups()
            # A search of FTS5 is a scan by its index of words, number 0 with M.
            scans.append(Scan(table, index, sought=way == "SEARCH" or "INDEX 0:M" in detail))
    return Plan(scans, sorts, "\n".join(lines))


def _postgresql_plan(explained: list[dict[str, Any]]) -> Plan:
    scans: list[Scan] = []
    sorts = False

    def visit(node: dict[str, Any], *, limited: bool) -> None:
        nonlocal sorts
        kind = node["Node Type"]
        sorts |= limited and "Sort" in kind
        if kind == "Bitmap Heap Scan":
            # The index is named below, where the table is not.
            scans.extend(
                Scan(node["Relation Name"], index["Index Name"], sought="Index Cond" in index)
                for index in _below(node)
                if index["Node Type"] == "Bitmap Index Scan"
            )
        elif "Relation Name" in node:
            sought = "Index Cond" in node
            scans.append(Scan(node["Relation Name"], node.get("Index Name"), sought=sought))
        for child in node.get("Plans", ()):
            visit(child, limited=limited or kind == "Limit")

    visit(explained[0]["Plan"], limited=False)
    return Plan(scans, sorts, json.dumps(explained, indent=1))


def _below(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for child in node.get("Plans", ()):
        yield child
        yield from _below(child)
