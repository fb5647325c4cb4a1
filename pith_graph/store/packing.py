"""How densely PostgreSQL stores rows and indexes: no gaps in a row, no room in what only grows.

It stores columns in their order, each at a multiple of its width: a time after a two-byte code
costs six bytes of nothing. ``tables``, which lists columns by meaning, calls both functions.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    DDL,
    BigInteger,
    Boolean,
    Column,
    Integer,
    SmallInteger,
    Table,
    Text,
    event,
)
from sqlalchemy.types import NullType

from pith_graph.store.types import Code, Instant, PublicId

# The kinds of each place: subclasses of Integer before it. A foreign key has the type of its
# target, an id, only once it belongs to a table.
_PLACES: tuple[tuple[int, tuple[type[Any], ...]], ...] = (
    (0, (PublicId, Instant, BigInteger)),
    (2, (SmallInteger, Code)),
    (1, (Integer, NullType)),
    (3, (Boolean,)),
    (4, (Text,)),
)


def packed(*columns: Column[Any]) -> list[Column[Any]]:
    """Return columns in the order in which they are stored without gaps.

    Of one width those that are never null come first: their places in a row are always the same.
    """
    return sorted(columns, key=lambda column: (_place(column), column.nullable))


FULL = {"fillfactor": 100}
"""The option of an index whose new keys come at its end: elsewhere a page is split when needed."""


def fill_primary_key(table: Table) -> None:
    """Fill the pages of a primary key whose ids only grow: no room for later ones among them."""
    text = "ALTER INDEX pk_%(table)s SET (fillfactor = 100)"
    statement = DDL(text)  # type: ignore[no-untyped-call]  # SQLAlchemy's own
    event.listen(table, "after_create", statement.execute_if(dialect="postgresql"))


def _place(column: Column[Any]) -> int:
    return next(place for place, kinds in _PLACES if isinstance(column.type, kinds))
