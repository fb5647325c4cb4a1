"""PostgreSQL pads no column: it stores the columns of versioned tables without gaps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from pith_graph.store import tables
from tests.databases import Database, made_database

_WIDTHS = """
    SELECT relname, attname, attlen, attalign::text
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attnum > 0
       AND relname = ANY (:names)
     ORDER BY relname, attnum
"""
_ALIGNED = {"c": 1, "s": 2, "i": 4, "d": 8}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with made_database("postgresql", tmp_path) as database:
        yield database


async def test_no_column_begins_after_a_gap(database: Database) -> None:
    names = [table.name for pair in tables.VERSIONED for table in pair]
    engine = create_async_engine(database.url)
    async with engine.connect() as connection:
        columns = (await connection.execute(text(_WIDTHS), {"names": names})).all()
    await engine.dispose()
    gaps, seen = [], 0
    for table, own in groupby(columns, key=lambda column: column[0]):
        end: int | None = 0
        for _, name, width, align in own:
            seen += 1
            # Texts take what they need and, when short, need no alignment.
            if width < 0:
                end = None
            elif end is None or end % _ALIGNED[align]:
                gaps.append((table, name))
            else:
                end += width
    assert seen > 180
    assert not gaps
