"""Papers and works: finding or making their integer ids, and writing what is said of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Column, Table, select

from pith_graph.observations import PaperObservation, WorkObservation
from pith_graph.store import tables
from pith_graph.store.search_text import write_titles
from pith_graph.store.transaction import WriteTransaction
from pith_graph.store.versions import Assertion, Change, Subject, Version, write_versions
from pith_graph.vocabulary import OTHER_CODE, MetadataSource, OpenVocabulary

PAPERS = Subject(
    tables.papers,
    tables.papers_history,
    "id",
    "snapshot_observed_at",
    carried=("primary_category",),
)
WORKS = Subject(tables.cited_works, tables.cited_works_history, "id", "snapshot_observed_at")


def open_columns(name: str, vocabulary: type[OpenVocabulary], raw: str | None) -> dict[str, Any]:
    """Return the two columns of an open vocabulary for a source's spelling."""
    if raw is None:
        return {name: None, f"{name}_raw": None}
    member = vocabulary.read(raw)
    return {name: member, f"{name}_raw": raw if member.code == OTHER_CODE else None}


async def ensure_papers(tx: WriteTransaction, arxiv_ids: Iterable[str]) -> dict[str, int]:
    """Return the integer ids of papers, making a row that is not held for each unknown one."""
    wanted = sorted(set(arxiv_ids))
    known = await _known_ids(tx, tables.papers, tables.papers.c.arxiv_id, wanted)
    missing = [arxiv_id for arxiv_id in wanted if arxiv_id not in known]
    if missing:
        made = dict(zip(missing, await tx.allocate("papers", len(missing)), strict=True))
        rows = [{"id": key, "arxiv_id": arxiv_id} for arxiv_id, key in made.items()]
        await tx.insert_rows(tables.papers, rows)
        known |= made
    return known


async def write_papers(
    tx: WriteTransaction, seen: Sequence[PaperObservation], ids: Mapping[str, int], by: Assertion
) -> None:
    """Write what a record shows of papers, and the search text of changed titles.

    A paper that is shown twice is taken once, with its category where one of them has it.
    """
    distinct: dict[str, PaperObservation] = {}
    for paper in seen:
        if paper.arxiv_id not in distinct or paper.primary_category is not None:
            distinct[paper.arxiv_id] = paper
    versions = [
        Version(ids[paper.arxiv_id], _paper_facts(paper), paper.snapshot_observed_at)
        for paper in distinct.values()
    ]
    changes = await write_versions(tx, PAPERS, versions, by)
    current = {Change.NEW, Change.REPLACED}
    await write_titles(tx, {v.key: v.facts["title"] for v in versions if changes[v.key] in current})


async def write_works(
    tx: WriteTransaction, seen: Sequence[WorkObservation], by: Assertion
) -> dict[UUID, int]:
    """Write what a record shows of works and return their integer ids."""
    distinct = {work.work_id: work for work in seen}
    wanted = sorted(distinct)
    ids = await _known_ids(tx, tables.cited_works, tables.cited_works.c.work_id, wanted)
    missing = [work_id for work_id in wanted if work_id not in ids]
    if missing:
        ids |= dict(zip(missing, await tx.allocate("cited_works", len(missing)), strict=True))
    versions = [
        Version(ids[work.work_id], _work_facts(work), work.snapshot_observed_at)
        for work in distinct.values()
    ]
    await write_versions(tx, WORKS, versions, by)
    return ids


async def _known_ids(
    tx: WriteTransaction, table: Table, name: Column[Any], wanted: Sequence[Any]
) -> dict[Any, int]:
    known: dict[Any, int] = {}
    for start in range(0, len(wanted), 500):
        statement = select(name, table.c.id).where(name.in_(wanted[start : start + 500]))
        known |= {row[0]: row[1] for row in await tx.connection.execute(statement)}
    return known


def _paper_facts(paper: PaperObservation) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "arxiv_id": paper.arxiv_id,
        "title": paper.title,
        "latest_version": paper.version,
        "submitted_at": paper.submitted_at,
        "last_updated": paper.last_updated,
        "snapshot_observed_at": paper.snapshot_observed_at,
    }
    if paper.primary_category is not None:
        facts["primary_category"] = paper.primary_category
    return facts


def _work_facts(work: WorkObservation) -> dict[str, Any]:
    return {
        "work_id": work.work_id,
        "doi": work.doi,
        "arxiv_id": work.arxiv_id,
        "title": work.title,
        "venue": work.venue,
        "year": work.year,
        **open_columns("metadata_source", MetadataSource, work.metadata_source),
        "snapshot_observed_at": work.snapshot_observed_at,
    }
