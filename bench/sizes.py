"""Bytes on disk a citation: all tables and indexes, without reference text and full-text index."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from sqlalchemy.engine import URL

from bench.cluster import on_server
from pith_graph.store.engine import SQLITE

_TEXT = ("title", "venue", "authors", "raw_text")
"""The text of references; identifiers count."""


def bytes_a_citation(url: URL) -> float:
    """Return the size of a graph's database by the number of its citations."""
    return _of_sqlite(str(url.database)) if url.drivername == SQLITE else _of_postgresql(url)


def _of_sqlite(file: str) -> float:
    text = " + ".join(f"coalesce(length(CAST({name} AS BLOB)), 0)" for name in _TEXT)
    with closing(sqlite3.connect(file)) as connection:
        (size,) = connection.execute(
            "SELECT sum(pgsize) FROM dbstat WHERE name NOT LIKE 'paper_search%'"
        ).fetchone()
        count, said = connection.execute(
            f"SELECT count(*), sum({text}) FROM paper_references"  # noqa: S608  # our own names
        ).fetchone()
    return float((size - said) / count)


def _of_postgresql(url: URL) -> float:
    text = " + ".join(f"coalesce(pg_column_size({name}), 0)" for name in _TEXT)
    size = on_server(
        url,
        "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r'"
        " AND relnamespace = 'public'::regnamespace AND relname <> 'paper_search'",
    )[0][0]
    count, said = on_server(
        url,
        f"SELECT count(*), sum({text}) FROM paper_references",  # noqa: S608  # our own names
    )[0]
    return float((size - said) / count)
