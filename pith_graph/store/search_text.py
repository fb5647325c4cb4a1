"""The search text of papers: folded titles, written in the transaction that changes the title.

SQLite keeps it in an FTS5 table whose row number is the paper's id, PostgreSQL in a table with a
``tsvector`` made of the same tokens.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import text

from pith_graph.folding import fold_text
from pith_graph.store.transaction import WriteTransaction


async def write_titles(tx: WriteTransaction, titles: Mapping[int, str]) -> None:
    """Store the folded titles of papers, by the paper's integer id."""
    if not titles:
        return
    rows = [{"id": paper_id, "folded": fold_text(title)} for paper_id, title in titles.items()]
    if tx.connection.dialect.name == "sqlite":
        await tx.connection.execute(
            text("DELETE FROM paper_search WHERE rowid = :id"), [{"id": row["id"]} for row in rows]
        )
        statement = "INSERT INTO paper_search (rowid, folded) VALUES (:id, :folded)"
    else:
        statement = (
            "INSERT INTO paper_search (paper_id, folded) VALUES (:id, :folded) "
            "ON CONFLICT (paper_id) DO UPDATE SET folded = excluded.folded"
        )
    await tx.connection.execute(text(statement), rows)
