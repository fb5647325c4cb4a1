"""Writing a paper's one bibliography: its entries, and the link of each to a work.

What is observed of an entry never changes; it can only become better known. A whole record says of
every entry whether it is there, a partial one only of the positions it shows. What a record of
another paper shows adds an entry, and takes away only an older one at the same position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any
from uuid import UUID

from sqlalchemy import select, union_all, update

from pith_graph.errors import RecordRefusedError, shorten
from pith_graph.store import tables
from pith_graph.store.completeness import place_states
from pith_graph.store.counts import Counted, write_count_changes
from pith_graph.store.entries import Bibliography, Entry, Placing, Shown, place_entries
from pith_graph.store.links import place_links
from pith_graph.store.periods import (
    compare,
    fetch_rows,
    fetch_timelines,
    periods_of,
    write_removals,
    write_rest,
    write_timelines,
)
from pith_graph.store.subjects import open_columns
from pith_graph.store.transaction import WriteTransaction
from pith_graph.store.versions import Assertion, Row, Subject, Version, batches, write_versions
from pith_graph.vocabulary import CitationSource, ResolutionStatus

REFERENCES = Subject(
    tables.paper_references, tables.paper_references_history, "id", "source_observed_at"
)
LINKS = Subject(
    tables.paper_reference_links,
    tables.paper_reference_links_history,
    "reference_id",
    "resolved_at",
)
BIBLIOGRAPHIES = Subject(tables.bibliographies, tables.bibliographies_history, "paper_id")

_OBSERVED = ("reference_index", "source", "source_raw", "source_observed_at")
_OF_A_PERIOD = frozenset(
    {"observed_at", "commit_number", "version_id", "superseded_at", "closed_commit"}
)
_BECOMES_KNOWN = ("cited_paper_id", "title", "year", "venue", "doi", "arxiv_id")


async def write_bibliography(tx: WriteTransaction, shown: Shown) -> None:
    """Write the entries that a record shows of one paper, with their links and the counts.

    Raises:
        RecordRefusedError: An observation was recorded with other facts.
    """
    await _require_own(tx, shown)
    rows = await fetch_rows(tx, REFERENCES, "citing_paper_id", [shown.paper_id])
    before = await _fetch_counted(tx, shown.paper_id)
    placings = await _prepare(tx, shown, rows)
    held = Bibliography({key: periods_of(found) for key, found in rows.items()}, shown.declared)
    placed = place_entries(held, shown, placings)
    links = await fetch_timelines(tx, LINKS, "reference_id", list(rows))
    linked = place_links(links, held, placed, shown, placings)
    entry_changes = compare(REFERENCES, held.entries, placed)
    link_changes = compare(LINKS, links, linked)
    await write_removals(tx, LINKS, link_changes)
    await write_removals(tx, REFERENCES, entry_changes)
    await write_rest(tx, REFERENCES, entry_changes)
    await write_rest(tx, LINKS, link_changes)
    await write_count_changes(tx, before, await _fetch_counted(tx, shown.paper_id))
    states = await fetch_timelines(tx, BIBLIOGRAPHIES, "paper_id", [shown.paper_id])
    stored = states.get(shown.paper_id, [])
    known = replace(held, entries={**held.entries, **placed})
    after = {shown.paper_id: place_states(known, stored)}
    await write_timelines(tx, BIBLIOGRAPHIES, states, after)


async def _require_own(tx: WriteTransaction, shown: Shown) -> None:
    """Refuse an observation that was recorded of another paper."""
    observed = [entry.citation.observation_id for entry in shown.entries]
    for batch in batches(observed):
        statement = union_all(
            *(
                select(table.c.observation_id).where(
                    table.c.observation_id.in_(batch), table.c.citing_paper_id != shown.paper_id
                )
                for table in (REFERENCES.current, REFERENCES.history)
            )
        )
        other = (await tx.connection.execute(statement.limit(1))).scalar_one_or_none()
        if other is not None:
            raise RecordRefusedError(
                f"observation {other}",
                "it was recorded as a citation of another paper: an observation never changes",
            )


async def _fetch_counted(tx: WriteTransaction, paper_id: int) -> list[Counted]:
    references, links = tables.paper_references, tables.paper_reference_links
    statement = (
        select(
            references.c.citing_paper_id,
            references.c.cited_paper_id,
            links.c.cited_work_id,
            links.c.status,
        )
        .join_from(references, links, links.c.reference_id == references.c.id, isouter=True)
        .where(references.c.citing_paper_id == paper_id)
    )
    return [
        Counted(row[0], row[1], row[2], row[3] or ResolutionStatus.UNRESOLVED)
        for row in await tx.connection.execute(statement)
    ]


async def _prepare(
    tx: WriteTransaction, shown: Shown, rows: Mapping[int, Sequence[Row]]
) -> list[Placing]:
    """Find or take the integer id of each entry; add to held rows what is now known of it."""
    ids = {row["observation_id"]: key for key, found in rows.items() for row in found}
    entries = _placed_beside(shown, rows, ids)
    unknown = [e for e in entries if e.citation.observation_id not in ids]
    if unknown:
        made = await tx.allocate("paper_references", len(unknown))
        ids |= {e.citation.observation_id: key for e, key in zip(unknown, made, strict=True)}
    placings = []
    for entry in entries:
        key, facts = ids[entry.citation.observation_id], _entry_facts(entry, shown.paper_id)
        found = rows.get(key, ())
        for row in found:
            _require_same(row, facts)
        for row in found:
            await _fill(tx, row, facts, shown)
        placings.append(Placing(entry, key, _said(found[-1]) if found else facts))
    return placings


def _placed_beside(
    shown: Shown, rows: Mapping[int, Sequence[Row]], ids: Mapping[UUID, int]
) -> list[Entry]:
    """Give an entry that another paper's record shows its place among those of the same index.

    Such a record need not show all of them. What was observed at the same time does not replace.
    """
    if shown.own:
        return list(shown.entries)
    taken = {
        (row["reference_index"], row["sub_index"], row["source_observed_at"])
        for row in chain.from_iterable(rows.values())
    }
    entries = []
    for entry in shown.entries:
        key = ids.get(entry.citation.observation_id)
        sub_index = entry.sub_index if key is None else rows[key][-1]["sub_index"]
        while key is None and (entry.citation.reference_index, sub_index, entry.seen) in taken:
            sub_index += 1
        entries.append(replace(entry, sub_index=sub_index))
        taken.add((entry.citation.reference_index, sub_index, entry.seen))
    return entries


def _entry_facts(entry: Entry, paper_id: int) -> dict[str, Any]:
    citation, said = entry.citation, entry.citation.cited_as
    return {
        "observation_id": citation.observation_id,
        "citing_paper_id": paper_id,
        "reference_index": citation.reference_index,
        "sub_index": entry.sub_index,
        **open_columns("source", CitationSource, citation.source),
        "source_observed_at": citation.source_observed_at,
        "cited_paper_id": entry.cited_paper_id,
        "year": said.year,
        "doi": said.doi,
        "arxiv_id": said.arxiv_id,
        "title": said.title,
        "venue": said.venue,
    }


def _said(row: Row) -> dict[str, Any]:
    """Return what a row says of its entry, without when and by which commit."""
    return {name: value for name, value in row.items() if name not in _OF_A_PERIOD}


def _require_same(row: Row, facts: Mapping[str, Any]) -> None:
    said = [n for n in _BECOMES_KNOWN[1:] if facts[n] is not None and row[n] is not None]
    for name in (*_OBSERVED, *said):
        if row[name] != facts[name]:
            raise RecordRefusedError(
                f"observation {row['observation_id']}",
                f"{name} is {shorten(str(facts[name]))}, but was recorded as "
                f"{shorten(str(row[name]))}: an observation never changes",
            )


async def _fill(tx: WriteTransaction, row: Row, facts: Mapping[str, Any], shown: Shown) -> None:
    """Add to a row what is now known of its entry."""
    learnt = {n: facts[n] for n in _BECOMES_KNOWN if facts[n] is not None and row[n] is None}
    if "version_id" in row:
        if learnt and row["superseded_at"] > row["observed_at"]:
            history = REFERENCES.history
            statement = update(history).where(history.c.version_id == row["version_id"])
            await tx.stamp()
            await tx.connection.execute(statement.values(learnt))
            row.update(learnt)
        return
    newest = not shown.later
    if newest and facts["cited_paper_id"] not in {None, row["cited_paper_id"]}:
        learnt["cited_paper_id"] = facts["cited_paper_id"]
    if newest and shown.own and facts["sub_index"] != row["sub_index"]:
        learnt["sub_index"] = facts["sub_index"]
    if learnt:
        version = Version(row["id"], learnt, row["source_observed_at"])
        await write_versions(tx, REFERENCES, [version], Assertion(shown.at, following=None))
        row.update(learnt)
