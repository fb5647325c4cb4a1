"""The newest commit, which tells whether anything that commits write can have changed.

``web/app.py`` asks for it to validate what clients keep.
"""

from __future__ import annotations

from sqlalchemy import select

from pith_graph.read.snapshot import Snapshot
from pith_graph.store import tables


async def fetch_revision(snapshot: Snapshot) -> str:
    """Return a text that is another one after every commit, and in every other store."""
    commits = tables.commits
    statement = (
        select(commits.c.number, commits.c.committed_at).order_by(commits.c.number.desc()).limit(1)
    )
    rows = await snapshot.fetch(statement)
    # With the time: a store that is made anew counts its commits from 1 again.
    return f"{rows[0][0]} {rows[0][1].isoformat()}" if rows else "none"
