"""Handing a batch of keys to a statement as one parameter, whatever their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    FromClause,
    Text,
    TypeDecorator,
    Uuid,
    any_,
    bindparam,
    column,
    func,
    select,
)
from sqlalchemy.dialects.postgresql import ARRAY

from pith_graph.store.types import PublicId

KEYS = "keys"
"""The parameter's name."""

_TYPES = {int: BigInteger, str: Text, UUID: Uuid}


class _JsonList(TypeDecorator[Sequence[Any]]):
    """A list as a JSON text, which SQLite reads as rows."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Sequence[Any] | None, dialect: Any) -> str | None:
        """Turn a list into JSON."""
        del dialect
        return None if value is None else orjson.dumps(value).decode()


def key_table(dialect: str) -> FromClause:
    """Return a relation with one column ``value``, a row for each of the integer `KEYS`."""
    if dialect == "sqlite":
        return func.json_each(bindparam(KEYS, type_=_JsonList)).table_valued(
            column("value", BigInteger), name="wanted"
        )
    array = bindparam(KEYS, type_=ARRAY(BigInteger))
    return (
        func.unnest(array).table_valued(column("value", BigInteger), name="wanted").render_derived()
    )


def among(dialect: str, name: ColumnElement[Any], kind: type[Any]) -> ColumnElement[bool]:
    """Return the condition that a column is one of the `KEYS`, all of one kind: int or str."""
    if dialect == "sqlite":
        wanted = func.json_each(bindparam(KEYS, type_=_JsonList)).table_valued("value")
        return name.in_(select(wanted.c.value))
    return name == any_(bindparam(KEYS, type_=ARRAY(_TYPES[kind])))


def among_ids(dialect: str, name: ColumnElement[Any], places: int) -> ColumnElement[bool]:
    """Return the condition that a column is one of the public ids of `id_values`.

    SQLite stores their bytes, which JSON does not hold: each of them is a parameter.
    """
    if dialect == "sqlite":
        return name.in_([bindparam(f"{KEYS}_{index}", type_=PublicId) for index in range(places)])
    return among(dialect, name, UUID)


def id_places(ids: Sequence[str]) -> int:
    """Return how many parameters public ids take: a power of two, so that few statements differ."""
    return 1 << max(len(ids) - 1, 0).bit_length()


def id_values(dialect: str, ids: Sequence[str]) -> Mapping[str, Any]:
    """Return the values of `among_ids`; the last id fills the places that are left."""
    keys = [UUID(each) for each in ids]
    if dialect != "sqlite":
        return {KEYS: keys}
    return {f"{KEYS}_{index}": keys[min(index, len(keys) - 1)] for index in range(id_places(ids))}
