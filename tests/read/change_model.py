"""A store of a few rows of every kind, changed commit by commit, and the feed that must come of it.

The feed is written down as the commits are made and never looked at again; the rows move between
the current tables and their history as the writer moves them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from hypothesis import strategies as st
from sqlalchemy import Table, insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from pith_graph.store import tables
from pith_graph.vocabulary import (
    BibliographySource,
    ChangeKind,
    CitationSource,
    EventKind,
    LoadSource,
    MeasurementSource,
    MeasurementState,
    ResolutionStatus,
    StandingSource,
)

Row = dict[str, Any]
Place = tuple[int, int, int, int, int]
Op = tuple[ChangeKind, int, str]

LASTING = 2**63 - 1
KEYS = (1, 2, 3)
START = datetime(2026, 1, 1, tzinfo=UTC)

_TABLES: dict[ChangeKind, Table] = {
    ChangeKind.PAPER: tables.papers,
    ChangeKind.WORK: tables.cited_works,
    ChangeKind.CITATION: tables.paper_references,
    ChangeKind.RESOLUTION: tables.paper_reference_links,
    ChangeKind.STANDING_EVENT: tables.scholarly_work_events,
    ChangeKind.STANDING_RECEIPT: tables.retraction_status_cache,
    ChangeKind.MEASUREMENT: tables.external_citation_measurements,
    ChangeKind.BIBLIOGRAPHY: tables.bibliographies,
    ChangeKind.COVERAGE: tables.coverage_declarations,
}
_TWINS = dict(tables.VERSIONED)
# Others point to these, so that they are replaced and never dropped.
_POINTED_TO = (ChangeKind.PAPER, ChangeKind.WORK, ChangeKind.CITATION)

operations = st.tuples(
    st.sampled_from(list(_TABLES)), st.sampled_from(KEYS), st.sampled_from(["put", "drop", "late"])
)
commits = st.lists(operations, min_size=1, max_size=12)


@dataclass(slots=True)
class Version:
    """One version of a row; ``closed`` and ``number`` once it is in history."""

    kind: ChangeKind
    key: int
    added: int
    closed: int | None = None
    number: int | None = None


@dataclass(slots=True)
class Model:
    """The versions of all rows, and the feed that the commits so far have made."""

    versions: list[Version] = field(default_factory=list)
    feed: list[Place] = field(default_factory=list)
    commit: int = 0

    def begin(self) -> None:
        """Make the first commit: what others point to."""
        self.make([(kind, key, "put") for kind in _POINTED_TO for key in KEYS])

    def make(self, operations_: list[Op]) -> None:
        """Make a commit."""
        self.commit += 1
        for kind, key, operation in operations_:
            held = next((v for v in self.versions if _names(v, kind, key) and not v.closed), None)
            made = Version(kind, key, self.commit)
            if operation == "late":
                self._close(made)
            elif held is not None and (operation == "put" or kind not in _POINTED_TO):
                self._close(held)
            if operation != "drop":
                self.versions.append(made)
        self.feed += sorted(self._changes())

    def _close(self, version: Version) -> None:
        past = [v.number for v in self.versions if v.kind is version.kind and v.number]
        version.number = max(past, default=0) + 1
        version.closed = self.commit

    def _changes(self) -> list[Place]:
        places = []
        for each in self.versions:
            number = each.number or 0
            if each.added == self.commit:
                own = number if each.closed == self.commit else LASTING
                places.append((self.commit, each.kind.code, 1, each.key, own))
            if each.closed == self.commit:
                places.append((self.commit, each.kind.code, 2, each.key, number))
        return places

    async def store(self, engine: AsyncEngine) -> None:
        """Make a database hold these versions and nothing else."""
        async with engine.begin() as connection:
            for table in reversed(tables.metadata.sorted_tables):
                await connection.execute(table.delete())
            await connection.execute(insert(tables.loads), [_LOAD])
            numbers = range(1, self.commit + 1)
            rows = [{"number": n, "committed_at": time_of(n), "load_id": 1} for n in numbers]
            await connection.execute(insert(tables.commits), rows)
            # A paper that is only cited has no commit, and no place in the feed.
            stub = {"id": 9, "arxiv_id": "2601.00009"}
            await connection.execute(insert(tables.papers), [stub])
            for kind in _TABLES:
                await self._insert(connection, kind)

    async def _insert(self, connection: AsyncConnection, kind: ChangeKind) -> None:
        table = _TABLES[kind]
        for version in (each for each in self.versions if each.kind is kind):
            row = _facts(kind, version.key) | {
                "commit_number": version.added,
                "observed_at": time_of(version.added),
            }
            if version.closed is None:
                await connection.execute(insert(table), [row])
            else:
                row |= {"version_id": version.number, "closed_commit": version.closed}
                row |= {"superseded_at": time_of(version.closed)}
                await connection.execute(insert(_TWINS[table]), [row])


def time_of(commit: int) -> datetime:
    """Return when a commit was made, and since when what it added is so."""
    return START + timedelta(days=commit)


def _names(version: Version, kind: ChangeKind, key: int) -> bool:
    return version.kind is kind and version.key == key


_LOAD = {
    "id": 1,
    "source": LoadSource.RECORD,
    "file_name": "made.json",
    "sha256": "0" * 64,
    "size_bytes": 1,
    "started_at": START,
}


def _facts(kind: ChangeKind, key: int) -> Row:
    # The third receipt is for all that a source covers, the third event about a work not held.
    work = key if key < max(KEYS) else None
    state = MeasurementState.MEASURED
    facts: dict[ChangeKind, Row] = {
        ChangeKind.PAPER: {
            "id": key,
            "arxiv_id": f"2601.{key:05}",
            "title": "A paper",
            "latest_version": 1,
            "submitted_at": START,
            "last_updated": START,
            "snapshot_observed_at": START,
        },
        ChangeKind.WORK: {"id": key, "work_id": UUID(int=key), "snapshot_observed_at": START},
        ChangeKind.CITATION: {
            "id": key,
            "observation_id": UUID(int=key),
            "citing_paper_id": 1,
            "reference_index": key,
            "sub_index": 0,
            "source": CitationSource.CROSSREF,
            "source_observed_at": START,
        },
        ChangeKind.RESOLUTION: {
            "reference_id": key,
            "status": ResolutionStatus.UNRESOLVED,
            "resolved_at": START,
            "source_observed_at": START,
        },
        ChangeKind.STANDING_EVENT: {
            "id": key,
            "event_id": UUID(int=key),
            "cited_work_id": work,
            "kind": EventKind.CORRECTION,
            "source": StandingSource.CROSSREF,
        },
        ChangeKind.STANDING_RECEIPT: {
            "id": key,
            "cited_work_id": 1 if key == 1 else None,
            "paper_id": 1 if key == KEYS[1] else None,
            "source": StandingSource.CROSSREF,
        },
        ChangeKind.MEASUREMENT: {
            "id": key,
            "cited_work_id": work,
            "paper_id": None if work else 1,
            "source": MeasurementSource.CROSSREF,
            "count": 1,
        },
        ChangeKind.BIBLIOGRAPHY: {
            "paper_id": key,
            "source": BibliographySource.RECORD,
            "complete": True,
        },
        ChangeKind.COVERAGE: {
            "paper_id": key,
            "outbound_total": 1,
            "inbound_total": 0,
            "reference_resolution": state,
            "standing_notices": state,
            "inbound_itemization": state,
            "external_citation_measurements": state,
        },
    }
    return facts[kind]
