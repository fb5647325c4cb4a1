"""Keyset paging: what to order by, what lies beyond a border, and cutting a page from n+1 rows.

Exact in both directions for any number of rows: a page is found from the sort values at its border,
never by counting. Nulls are last in both directions. Pure; `pages` and `search` build on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Integer,
    and_,
    bindparam,
    literal_column,
    not_,
    or_,
    tuple_,
)
from sqlalchemy.types import TypeEngine

Item = TypeVar("Item")
Values = tuple[Any, ...]
Nulls = tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """A total order of a list: expressions of which the last is unique.

    Attributes:
        keys: The expressions; all go the same way.
        descending: Whether they go down.
        nullable: Whether the first of two may be null; its nulls are last.
    """

    keys: tuple[ColumnElement[Any], ...]
    descending: bool = False
    nullable: bool = False


@dataclass(frozen=True, slots=True)
class Window:
    """Which page is wanted: from which end, and between which borders.

    Attributes:
        size: The most rows, 0 to 100.
        backward: Whether the page is the last before its border, not the first after it.
        after: The sort values of the row that it comes after; None for the list's start.
        before: The sort values of the row that it comes before; None for the list's end.
    """

    size: int
    backward: bool = False
    after: Values | None = None
    before: Values | None = None

    @property
    def shape(self) -> WindowShape:
        """What of it is part of a statement."""
        return WindowShape(self.size, self.backward, _nulls(self.after), _nulls(self.before))

    @property
    def values(self) -> Mapping[str, Any]:
        """The values at its borders, by the names of their parameters."""
        borders = (("after", self.after), ("before", self.before))
        return {
            f"{name}_{index}": value
            for name, border in borders
            for index, value in enumerate(border or ())
        }


@dataclass(frozen=True, slots=True)
class WindowShape:
    """A window without the values at its borders.

    Attributes:
        size: The most rows. Written out: from a parameter PostgreSQL would expect a tenth of all.
        after: Which of the border's values are null; None where there is no border.
        before: The same of the other border.
    """

    size: int
    backward: bool
    after: Nulls | None
    before: Nulls | None


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """Rows in list order, and whether the list has more on either side."""

    items: tuple[Item, ...]
    has_next: bool
    has_previous: bool


def order_by(order: Order, *, backward: bool = False) -> list[ColumnElement[Any]]:
    """Return the ORDER BY expressions, turned round for a page from the end."""
    down = order.descending is not backward
    sorted_keys: list[ColumnElement[Any]] = [
        key.desc() if down else key.asc() for key in order.keys
    ]
    if not order.nullable:
        return sorted_keys
    last = order.keys[0].is_(None)
    return [last.desc() if backward else last.asc(), *sorted_keys]


def within(order: Order, window: WindowShape) -> list[ColumnElement[bool]]:
    """Return the conditions that a row lies between a window's borders."""
    conditions = []
    if window.after is not None:
        conditions.append(_beyond(order, "after", window.after, forward=True))
    if window.before is not None:
        conditions.append(_beyond(order, "before", window.before, forward=False))
    return conditions


def rows_of(window: WindowShape) -> ColumnElement[int]:
    """Return the number of rows that tells whether there are more than a window's."""
    return literal_column(str(window.size + 1), Integer)


def outside_after(order: Order, window: WindowShape) -> ColumnElement[bool] | None:
    """Return the condition that a row lies at the ``after`` border or before it."""
    if window.after is None:
        return None
    return not_(_beyond(order, "after", window.after, forward=True))


def outside_before(order: Order, window: WindowShape) -> ColumnElement[bool] | None:
    """Return the condition that a row lies at the ``before`` border or after it."""
    if window.before is None:
        return None
    return not_(_beyond(order, "before", window.before, forward=False))


def cut(
    rows: Sequence[Item], window: Window, *, outside_after: bool, outside_before: bool
) -> Page[Item]:
    """Cut a page from up to ``size + 1`` rows in list order.

    Args:
        rows: What the statement returned, in list order.
        window: The window that was asked for.
        outside_after: Whether rows lie at or outside the ``after`` border.
        outside_before: The same of the ``before`` border.
    """
    overflow = len(rows) > window.size
    if not overflow:
        kept = rows
    elif window.backward:
        kept = rows[len(rows) - window.size :]
    else:
        kept = rows[: window.size]
    return Page(
        tuple(kept),
        has_next=outside_before or (overflow and not window.backward),
        has_previous=outside_after or (overflow and window.backward),
    )


def _nulls(border: Values | None) -> Nulls | None:
    return None if border is None else tuple(value is None for value in border)


def _beyond(order: Order, name: str, nulls: Nulls, *, forward: bool) -> ColumnElement[bool]:
    """Return the condition that a row comes strictly after (or before) a border's sort values."""
    up = order.descending is not forward
    bound = [
        bindparam(f"{name}_{index}", type_=_bound_type(key)) for index, key in enumerate(order.keys)
    ]
    if not order.nullable:
        row, border = tuple_(*order.keys), tuple_(*bound)
        return row > border if up else row < border
    first, last = order.keys
    tie = last > bound[1] if up else last < bound[1]
    if nulls[0]:
        among_nulls = and_(first.is_(None), tie)
        return among_nulls if forward else or_(first.is_not(None), among_nulls)
    step = first > bound[0] if up else first < bound[0]
    known = and_(first.is_not(None), or_(step, and_(first == bound[0], tie)))
    return or_(first.is_(None), known) if forward else known


def _bound_type(key: ColumnElement[Any]) -> TypeEngine[Any]:
    """Bind integers as 64 bits: a cursor may hold any, and a driver refuses those too large."""
    return BigInteger() if isinstance(key.type, Integer) else key.type
