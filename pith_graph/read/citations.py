"""The columns and joins of a citation, and turning a flat result row into a `CitationRow`.

`pages` and `history` build their statements on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import FromClause

from pith_graph.read.rows import CitationRow, CitedReferenceRow, PaperRow, ResolutionRow, WorkRow
from pith_graph.store import tables
from pith_graph.vocabulary import ResolutionStatus

REFERENCES = tables.paper_references
LINKS = tables.paper_reference_links
WORKS = tables.cited_works
CITING = tables.papers.alias("citing")
CITED = tables.papers.alias("cited")

PAPER_COLUMNS = (
    "id",
    "arxiv_id",
    "title",
    "latest_version",
    "submitted_at",
    "last_updated",
    "snapshot_observed_at",
    "primary_category",
    "categories",
    "abstract",
    "comments",
    "journal_ref",
    "doi",
    "license",
)
WORK_COLUMNS = (
    "id",
    "work_id",
    "doi",
    "arxiv_id",
    "title",
    "venue",
    "year",
    "metadata_source",
    "metadata_source_raw",
    "snapshot_observed_at",
)
LINK_COLUMNS = ("reference_id", "status", "resolver_source", "resolver_source_raw", "resolved_at")
REFERENCE_COLUMNS = (
    "id",
    "observation_id",
    "reference_index",
    "sub_index",
    "source",
    "source_raw",
    "source_observed_at",
)
CITED_AS_COLUMNS = ("title", "year", "venue", "doi", "arxiv_id", "authors", "raw_text")


def columns_of(relation: FromClause, names: Sequence[str]) -> list[Any]:
    """Return a relation's columns by name, in that order."""
    return [relation.c[name] for name in names]


def joined(entries: FromClause) -> FromClause:
    """Join what holds `REFERENCES` to their link, work and papers: all to-one, by primary key."""
    return (
        entries.outerjoin(LINKS, LINKS.c.reference_id == REFERENCES.c.id)
        .outerjoin(WORKS, WORKS.c.id == LINKS.c.cited_work_id)
        .outerjoin(CITING, CITING.c.id == REFERENCES.c.citing_paper_id)
        .outerjoin(CITED, CITED.c.id == REFERENCES.c.cited_paper_id)
    )


CITATION_COLUMNS = (
    *columns_of(REFERENCES, REFERENCE_COLUMNS),
    *columns_of(REFERENCES, CITED_AS_COLUMNS),
    *columns_of(LINKS, LINK_COLUMNS),
    *columns_of(WORKS, WORK_COLUMNS),
    *columns_of(CITING, PAPER_COLUMNS),
    *columns_of(CITED, PAPER_COLUMNS),
)


def build_citation(values: Sequence[Any]) -> CitationRow:
    """Build a citation from the values of `CITATION_COLUMNS`, in that order."""
    own, rest = values[:7], values[7:]
    said, rest = rest[:7], rest[7:]
    link, rest = rest[:5], rest[5:]
    work, rest = rest[:10], rest[10:]
    citing, cited = rest[:14], rest[14:]
    return CitationRow(
        key=own[0],
        observation_id=own[1],
        reference_index=own[2],
        sub_index=own[3],
        source=own[4],
        source_raw=own[5],
        source_observed_at=own[6],
        cited_as=CitedReferenceRow(*said),
        resolution=build_resolution(link, source_observed_at=own[6]),
        citing_paper=PaperRow(*citing),
        cited_paper=build_paper(cited),
        cited_work=None if work[0] is None else WorkRow(*work),
    )


def build_resolution(link: Sequence[Any], *, source_observed_at: Any) -> ResolutionRow:
    """Build a resolution from `LINK_COLUMNS`: without a link, unresolved since it was observed."""
    if link[0] is None:
        return ResolutionRow(ResolutionStatus.UNRESOLVED, None, None, source_observed_at)
    return ResolutionRow(*link[1:])


def build_paper(values: Sequence[Any]) -> PaperRow | None:
    """Build a paper from `PAPER_COLUMNS`; None where there is none, or it is not held."""
    return None if values[6] is None else PaperRow(*values)
