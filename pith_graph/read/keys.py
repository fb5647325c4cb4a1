"""Handing a batch of keys to a statement as one parameter, whatever their number."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    FromClause,
    Text,
    any_,
    bindparam,
    column,
    func,
    select,
)
from sqlalchemy.dialects.postgresql import ARRAY

_TYPES = {int: BigInteger, str: Text}


def key_table(dialect: str, keys: Sequence[int]) -> FromClause:
    """Return a relation with one column ``value``, a row for each integer key."""
    if dialect == "sqlite":
        return func.json_each(bindparam("keys", _as_json(keys), unique=True)).table_valued(
            column("value", BigInteger), name="wanted"
        )
    array = bindparam("keys", list(keys), ARRAY(BigInteger), unique=True)
    return (
        func.unnest(array).table_valued(column("value", BigInteger), name="wanted").render_derived()
    )


def among(
    dialect: str, name: ColumnElement[Any], keys: Sequence[int] | Sequence[str]
) -> ColumnElement[bool]:
    """Return the condition that a column is one of the keys."""
    if dialect == "sqlite":
        wanted = func.json_each(bindparam("keys", _as_json(keys), unique=True)).table_valued(
            "value"
        )
        return name.in_(select(wanted.c.value))
    kind = _TYPES[type(keys[0])] if keys else BigInteger
    return name == any_(bindparam("keys", list(keys), ARRAY(kind), unique=True))


def _as_json(keys: Sequence[Any]) -> str:
    return json.dumps(list(keys))
