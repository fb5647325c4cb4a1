"""The newest commit, which tells whether anything that commits write can have changed.

``web/app.py`` asks for it to validate what clients keep.
"""

from __future__ import annotations

from functools import cache

from sqlalchemy import select

from pith_graph.read.prepared import Prepared, prepare
from pith_graph.read.snapshot import Snapshot
from pith_graph.store import tables


async def fetch_revision(snapshot: Snapshot) -> str:
    """Return a text that is another one after every commit, and in every other store."""
    rows = await snapshot.fetch(_newest_statement(snapshot.dialect))
    # With the time: a store that is made anew counts its commits from 1 again.
    return f"{rows[0][0]} {rows[0][1].isoformat()}" if rows else "none"


@cache
def _newest_statement(dialect: str) -> Prepared:
    commits = tables.commits
    newest = select(commits.c.number, commits.c.committed_at).order_by(commits.c.number.desc())
    return prepare(newest.limit(1), dialect)
