"""The counts that pages show, kept up to date by the difference that a transaction makes.

A citation is counted in its paper's outbound list, in the inbound list of the held paper that it
points to, and in the citations of the work that it is linked to, each by its resolution status.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Table, insert, update

from pith_graph.store.tables import paper_citation_counts, work_citation_counts
from pith_graph.store.transaction import WriteTransaction
from pith_graph.vocabulary import ResolutionStatus


@dataclass(frozen=True, slots=True)
class Counted:
    """What of a current citation decides where it is counted."""

    citing_paper_id: int
    cited_paper_id: int | None
    work_id: int | None
    status: ResolutionStatus


async def write_count_changes(
    tx: WriteTransaction, before: Iterable[Counted], after: Iterable[Counted]
) -> None:
    """Add to the kept counts what a transaction changed."""
    papers: Counter[tuple[int, str]] = Counter()
    works: Counter[tuple[int, str]] = Counter()
    for sign, citations in ((1, after), (-1, before)):
        for citation in citations:
            status = citation.status.value
            papers[citation.citing_paper_id, f"outbound_{status}"] += sign
            cited = citation.cited_paper_id
            if cited is not None and cited != citation.citing_paper_id:
                papers[cited, f"inbound_{status}"] += sign
            if citation.work_id is not None:
                works[citation.work_id, f"citations_{status}"] += sign
    await _add(tx, paper_citation_counts, "paper_id", papers)
    await _add(tx, work_citation_counts, "work_id", works)


async def _add(
    tx: WriteTransaction, table: Table, key: str, changes: Counter[tuple[int, str]]
) -> None:
    owners: dict[int, dict[str, int]] = {}
    for (owner, name), change in changes.items():
        if change:
            owners.setdefault(owner, {})[name] = change
    for owner, differences in owners.items():
        added = {name: table.c[name] + change for name, change in differences.items()}
        result = await tx.connection.execute(
            update(table).where(table.c[key] == owner).values(added)
        )
        if result.rowcount == 0:
            await tx.connection.execute(insert(table).values({key: owner, **differences}))
