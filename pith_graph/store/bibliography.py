"""Writing a paper's one bibliography: its entries, and the link of each to a work.

What is observed of an entry never changes; it can only become better known. A whole record replaces
the bibliography, a partial one only the positions it shows, an older one goes to history.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any
from uuid import UUID

from sqlalchemy import func, or_, select

from pith_graph.errors import RecordRefusedError, shorten
from pith_graph.observations import CitationObservation
from pith_graph.store import tables
from pith_graph.store.counts import Counted, write_count_changes
from pith_graph.store.subjects import open_columns
from pith_graph.store.transaction import WriteTransaction
from pith_graph.store.versions import (
    Assertion,
    Row,
    Subject,
    Version,
    close_rows,
    fetch_current,
    write_late,
    write_versions,
)
from pith_graph.vocabulary import (
    BibliographySource,
    CitationSource,
    ResolutionStatus,
    ResolverSource,
)

REFERENCES = Subject(
    tables.paper_references, tables.paper_references_history, "id", "source_observed_at", owned=True
)
LINKS = Subject(
    tables.paper_reference_links,
    tables.paper_reference_links_history,
    "reference_id",
    "resolved_at",
    owned=True,
)
BIBLIOGRAPHIES = Subject(
    tables.bibliographies, tables.bibliographies_history, "paper_id", owned=True
)

_OBSERVED = ("reference_index", "source", "source_raw", "source_observed_at")
_BECOMES_KNOWN = ("cited_paper_id", "title", "year", "venue", "doi", "arxiv_id")


@dataclass(frozen=True, slots=True)
class Entry:
    """A bibliography entry to write, its paper and work already known by integer id."""

    citation: CitationObservation
    sub_index: int
    cited_paper_id: int | None
    work_id: int | None

    @property
    def position(self) -> tuple[int, int]:
        """Where in the bibliography it stands."""
        return (self.citation.reference_index, self.sub_index)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a record shows of one paper's bibliography.

    Attributes:
        complete: All entries of the bibliography are shown.
        total: How many it has by the newest declaration, None where none was made.
        known_until: When a newer record was asserted, for entries that only an older one shows.
    """

    paper_id: int
    entries: Sequence[Entry]
    complete: bool
    total: int | None
    known_until: datetime


@dataclass(slots=True)
class _Held:
    """What is held of a paper's bibliography, and what is to be added.

    Attributes:
        past: The periods of shown observations that are not current.
        added: The rows to insert.
    """

    by_observation: dict[UUID, Row]
    by_position: dict[tuple[int, int], Row]
    bibliography: Row | None
    past: dict[UUID, list[Row]]
    added: list[Row]


async def write_bibliography(tx: WriteTransaction, shown: Shown, by: Assertion) -> None:
    """Write the entries that a record shows of one paper, with their links and the counts.

    Raises:
        RecordRefusedError: An observation was recorded with other facts.
    """
    before = await _fetch_counted(tx, shown.paper_id)
    held = await _fetch_held(tx, shown)
    current: dict[int, Entry] = {}
    inserted: set[int] = set()
    for entry in shown.entries:
        row = held.by_observation.get(entry.citation.observation_id)
        if row is not None:
            await _fill_entry(tx, row, entry, by)
            current[row["id"]] = entry
        else:
            reference_id = await _add_entry(tx, held, shown, entry, by)
            if reference_id is not None:
                current[reference_id] = entry
                inserted.add(reference_id)
    if shown.complete and not by.older:
        await _close_unshown(tx, held, shown, by)
    await tx.insert_rows(tables.paper_references, held.added)
    await _write_links(tx, current, inserted, shown, by)
    after = await _fetch_counted(tx, shown.paper_id)
    await write_count_changes(tx, before, after)
    await _write_state(tx, held, shown, len(after), by)


async def _fetch_held(tx: WriteTransaction, shown: Shown) -> _Held:
    table, past_table = tables.paper_references, tables.paper_references_history
    observed = [entry.citation.observation_id for entry in shown.entries]
    statement = select(table).where(
        or_(table.c.citing_paper_id == shown.paper_id, table.c.observation_id.in_(observed))
    )
    rows = [dict(row) for row in (await tx.connection.execute(statement)).mappings()]
    past_statement = select(past_table).where(past_table.c.observation_id.in_(observed))
    past: dict[UUID, list[Row]] = {}
    for found in (await tx.connection.execute(past_statement)).mappings():
        past.setdefault(found["observation_id"], []).append(dict(found))
    states = await fetch_current(tx, BIBLIOGRAPHIES, [shown.paper_id])
    for row in (*rows, *chain.from_iterable(past.values())):
        if row["citing_paper_id"] != shown.paper_id:
            raise RecordRefusedError(
                f"observation {row['observation_id']}",
                "it was recorded as a citation of another paper: an observation never changes",
            )
    return _Held(
        by_observation={row["observation_id"]: row for row in rows},
        by_position={(row["reference_index"], row["sub_index"]): row for row in rows},
        bibliography=states.get(shown.paper_id),
        past=past,
        added=[],
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


async def _fill_entry(tx: WriteTransaction, row: Row, entry: Entry, by: Assertion) -> None:
    """Add what is now known of a held entry; refuse what contradicts it."""
    facts = _entry_facts(entry, row["citing_paper_id"])
    _require_same(row, facts)
    learnt = {n: facts[n] for n in _BECOMES_KNOWN if facts[n] is not None and row[n] is None}
    moved = facts["cited_paper_id"] not in {None, row["cited_paper_id"]}
    if moved and not by.older:
        learnt["cited_paper_id"] = facts["cited_paper_id"]
    if learnt:
        version = Version(row["id"], learnt, row["source_observed_at"])
        await write_versions(tx, REFERENCES, [version], replace(by, older=False))


def _require_same(row: Row, facts: dict[str, Any]) -> None:
    said = [n for n in _BECOMES_KNOWN[1:] if facts[n] is not None and row[n] is not None]
    for name in (*_OBSERVED, *said):
        if row[name] != facts[name]:
            raise RecordRefusedError(
                f"observation {row['observation_id']}",
                f"{name} is {shorten(str(facts[name]))}, but was recorded as "
                f"{shorten(str(row[name]))}: an observation never changes",
            )


async def _add_entry(
    tx: WriteTransaction, held: _Held, shown: Shown, entry: Entry, by: Assertion
) -> int | None:
    """Add an entry that is not current; return its id, None where it went to history."""
    past = held.past.get(entry.citation.observation_id, [])
    reference_id = past[0]["id"] if past else None
    occupant = held.by_position.get(entry.position)
    whole = held.bibliography is not None and held.bibliography["complete"]
    if by.older and (occupant is not None or whole or past):
        if past:
            return None
        await _write_past_entry(tx, shown, entry, occupant)
        return None
    since = max(
        [entry.citation.source_observed_at, *(min(row["superseded_at"], by.at) for row in past)]
    )
    if occupant is not None:
        since = _end_of(occupant, since, by)
        await _close_entries(tx, [(occupant, since)])
        del held.by_observation[occupant["observation_id"]]
    if reference_id is None:
        reference_id = (await tx.allocate("paper_references", 1))[0]
    facts = _entry_facts(entry, shown.paper_id)
    row = {"id": reference_id, **facts, **await tx.stamp(), "observed_at": since}
    held.added.append(row)
    held.by_position[entry.position] = row
    return reference_id


async def _write_past_entry(
    tx: WriteTransaction, shown: Shown, entry: Entry, occupant: Row | None
) -> None:
    """Put an entry that only an older record shows into history, with its link."""
    own = entry.citation.source_observed_at
    ends = [shown.known_until] + ([occupant["observed_at"]] if occupant else [])
    end = min((at for at in ends if at > own), default=own)
    reference_id = (await tx.allocate("paper_references", 1))[0]
    facts = _entry_facts(entry, shown.paper_id)
    await write_late(tx, REFERENCES, Version(reference_id, facts, own), end)
    link = _link_version(reference_id, entry)
    if link is not None:
        await write_late(tx, LINKS, link, max(end, link.own))


async def _close_unshown(tx: WriteTransaction, held: _Held, shown: Shown, by: Assertion) -> None:
    """Close the entries that a whole newer record no longer has."""
    listed = {entry.citation.observation_id for entry in shown.entries}
    seen = max((entry.citation.source_observed_at for entry in shown.entries), default=by.at)
    gone = [row for key, row in held.by_observation.items() if key not in listed]
    await _close_entries(tx, [(row, _end_of(row, seen, by)) for row in gone])


def _end_of(row: Row, seen: datetime, by: Assertion) -> datetime:
    """When a row's period ends that something seen at ``seen`` replaces."""
    since: datetime = row["observed_at"]
    return seen if seen > since else max(by.at, since)


async def _close_entries(tx: WriteTransaction, closings: Sequence[tuple[Row, datetime]]) -> None:
    links = await fetch_current(tx, LINKS, [row["id"] for row, _ in closings])
    ends = {row["id"]: end for row, end in closings}
    await close_rows(
        tx, LINKS, [(row, max(ends[key], row["observed_at"])) for key, row in links.items()]
    )
    await close_rows(tx, REFERENCES, closings)


def _link_version(reference_id: int, entry: Entry) -> Version | None:
    """Return the link that an entry has; None for one that is plainly unresolved."""
    citation, resolution = entry.citation, entry.citation.resolution
    plain = (
        resolution.status is ResolutionStatus.UNRESOLVED
        and resolution.resolver_source is None
        and entry.work_id is None
        and resolution.observed_at == citation.source_observed_at
    )
    if plain:
        return None
    facts = {
        "cited_work_id": entry.work_id,
        "status": resolution.status,
        **open_columns("resolver_source", ResolverSource, resolution.resolver_source),
        "resolved_at": resolution.observed_at,
        "source_observed_at": citation.source_observed_at,
    }
    return Version(reference_id, facts, resolution.observed_at)


async def _write_links(
    tx: WriteTransaction,
    current: dict[int, Entry],
    inserted: set[int],
    shown: Shown,
    by: Assertion,
) -> None:
    held = await fetch_current(tx, LINKS, current)
    floors = await _fetch_floors(tx, current)
    fresh: list[Version] = []
    known: list[Version] = []
    for reference_id, entry in current.items():
        link = _link_version(reference_id, entry)
        if link is None:
            row = held.get(reference_id)
            if row is not None and not by.older:
                await close_rows(tx, LINKS, [(row, max(by.at, row["observed_at"]))])
        elif reference_id in inserted:
            fresh.append(replace(link, floor=floors.get(reference_id)))
        elif by.older and reference_id not in held:
            await write_late(tx, LINKS, link, shown.known_until)
        else:
            known.append(replace(link, floor=floors.get(reference_id)))
    await write_versions(tx, LINKS, known, by)
    await write_versions(tx, LINKS, fresh, replace(by, older=False))


async def _fetch_floors(tx: WriteTransaction, keys: dict[int, Entry]) -> dict[int, datetime]:
    """Return when each entry's newest past link ended."""
    table = tables.paper_reference_links_history
    statement = (
        select(table.c.reference_id, func.max(table.c.superseded_at))
        .where(table.c.reference_id.in_(list(keys)))
        .group_by(table.c.reference_id)
    )
    return {row[0]: row[1] for row in await tx.connection.execute(statement)}


async def _write_state(
    tx: WriteTransaction, held: _Held, shown: Shown, count: int, by: Assertion
) -> None:
    """Keep whether the bibliography is whole: shown whole, or all that was declared is held."""
    state = held.bibliography
    complete = (shown.complete and not by.older) or (
        shown.total is not None and count >= shown.total
    )
    if (state is not None and state["complete"] == complete) or (count == 0 and not complete):
        return
    seen = max((e.citation.source_observed_at for e in shown.entries), default=by.at)
    facts = {"source": BibliographySource.RECORD, "version": None, "complete": complete}
    version = Version(shown.paper_id, facts, seen)
    await write_versions(tx, BIBLIOGRAPHIES, [version], replace(by, older=False))
