"""Statements made ready for the driver once: their text, their parameters, how to read their rows.

SQLAlchemy builds and compiles a statement in milliseconds, the database answers it in less. So each
shape of a statement is prepared once and given its values anew each time. `snapshot` runs them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, Boolean, CompoundSelect, Select
from sqlalchemy.engine import Dialect, make_url
from sqlalchemy.types import TypeEngine

from pith_graph.store.types import Code, Instant, PublicId, in_utc, instant_of

SQLITE = "sqlite"

Rows = Sequence[Sequence[Any]]
Selection = Select[Any] | CompoundSelect[Any]
Convert = Callable[[Any], Any]

# After so many runs apart a statement is tried at once again.
_RUNS_APART = 32


class Pace:
    """For how many keys a statement is short enough to be run at once; learned while it runs."""

    def __init__(self) -> None:
        self._too_many = sys.maxsize
        self._apart = 0

    def allows(self, keys: int) -> bool:
        """Whether to try with so many keys; now and then also with those that were too many.

        What a statement read from the disk when it took too long is in memory now.
        """
        if keys < self._too_many:
            return True
        self._apart += 1
        if self._apart < _RUNS_APART:
            return False
        self._too_many, self._apart = sys.maxsize, 0
        return True

    def slow_from(self, keys: int) -> None:
        """Note that it took too long."""
        self._too_many = min(self._too_many, keys)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A statement in the driver's own form.

    Attributes:
        text: The statement.
        parameters: The name of each place's parameter, in order.
        values: The values that are part of the statement, by name, as the driver takes them.
        writers: How to turn a value into what the driver takes, where it needs turning.
        readers: How to turn each column's raw value, None where it is as it should be.
        pace: Whether it is worth running at once, as SQLite can.
    """

    text: str
    parameters: tuple[str, ...]
    values: Mapping[str, Any]
    writers: Mapping[str, Convert]
    readers: tuple[Convert | None, ...]
    pace: Pace = field(default_factory=Pace, compare=False)

    def bind(self, values: Mapping[str, Any]) -> list[Any]:
        """Return the parameters of one run, in the order of their places."""
        bound: dict[str, Any] = {**self.values}
        for name, value in values.items():
            writer = self.writers.get(name)
            bound[name] = value if writer is None or value is None else writer(value)
        return [bound[name] for name in self.parameters]

    def read(self, rows: Rows) -> list[tuple[Any, ...]]:
        """Return rows with every value as the rest of the program knows it."""
        return row_reader(self.readers)(rows)


def prepare(statement: Selection, dialect: str) -> Prepared:
    """Compile a statement that selects; what differs from run to run has a named parameter."""
    target = _dialect(dialect)
    types = [column.type for column in statement.selected_columns]
    compiled: Any = statement.compile(dialect=target)
    binds = compiled.binds
    given = {name: None for name, parameter in binds.items() if parameter.required}
    state = compiled.construct_expanded_state(given)
    writers: dict[str, Convert] = {**state.processors}
    for name in state.positiontup:
        writer = _writer(binds[name], target) if name in binds else None
        if writer is not None:
            writers[name] = writer
    values = {
        name: writers[name](value) if name in writers and value is not None else value
        for name, value in state.parameters.items()
        if name not in given
    }
    return Prepared(
        text=state.statement,
        parameters=tuple(state.positiontup),
        values=values,
        writers=writers,
        readers=tuple(reader_of(type_, dialect) for type_ in types),
    )


@cache
def _dialect(name: str) -> Dialect:
    """Return what compiles statements for the driver of ``sqlite`` or ``postgresql``."""
    driver = "sqlite+aiosqlite" if name == SQLITE else "postgresql+asyncpg"
    dialect: Dialect = make_url(f"{driver}://").get_dialect()()
    return dialect


def _writer(parameter: BindParameter[Any], dialect: Dialect) -> Convert | None:
    return parameter.type.dialect_impl(dialect).bind_processor(dialect)


def reader_of(type_: TypeEngine[Any], dialect: str) -> Convert | None:
    """Return how to turn a raw value of a column that is not null; None where it is as it is."""
    if isinstance(type_, Instant):
        return instant_of if dialect == SQLITE else in_utc
    if isinstance(type_, PublicId):
        return id_of_bytes if dialect == SQLITE else str
    if isinstance(type_, Code):
        return type_.members.__getitem__
    if dialect == SQLITE and isinstance(type_, Boolean):
        return bool
    return None


def id_of_bytes(value: bytes) -> str:
    """Return a public id as it is shown, from its sixteen bytes: no object is made of it."""
    digits = value.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


@cache
def row_reader(readers: tuple[Convert | None, ...]) -> Callable[[Rows], list[tuple[Any, ...]]]:
    """Generate the function that turns raw rows into tuples, each column by its reader."""
    items = ", ".join(
        f"r[{index}]"
        if reader is None
        else f"(None if (v := r[{index}]) is None else readers[{index}](v))"
        for index, reader in enumerate(readers)
    )
    scope: dict[str, Any] = {"readers": readers}
    exec(f"def read(rows): return [({items},) for r in rows]", scope)  # noqa: S102  # numbers alone
    read: Callable[[Rows], list[tuple[Any, ...]]] = scope["read"]
    return read
