"""Every table, as SQLAlchemy Core. What is current stands in the main tables; each has a twin.

A main row holds what is so since ``observed_at``. When a newer observation replaces it, it moves
to its ``…_history`` twin with the end of its period in ``superseded_at``; "as of t" reads both.
Rows name the commit that added them, which names its load; history rows also the commit that closed
them. Integer ids join and are never used again; UUIDs and arXiv ids are public. Ids and commit
numbers are 32 bits on PostgreSQL, for two billion citations, those of history rows 64. The search
text has its own definition in ``search_text``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    Table,
    Text,
    and_,
    func,
    text,
)

from pith_graph.store.packing import FULL, fill_primary_key, packed
from pith_graph.store.types import Code, Instant, Key, PublicId, VersionKey
from pith_graph.vocabulary import (
    BibliographySource,
    CitationSource,
    EventKind,
    LoadSource,
    MeasurementSource,
    MeasurementState,
    MetadataSource,
    OpenVocabulary,
    ResolutionStatus,
    ResolverSource,
    StandingSource,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _open(name: str, vocabulary: type[OpenVocabulary], *, nullable: bool = False) -> list[Any]:
    """Two columns of an open vocabulary: the code, and the raw text where the code is OTHER."""
    return [
        Column(name, Code(vocabulary), nullable=nullable),
        Column(f"{name}_raw", Text),
    ]


def _version(*, nullable: bool = False) -> list[Any]:
    """Since when a row is so, and the commit that brought it."""
    return [
        Column("observed_at", Instant, nullable=nullable),
        Column("commit_number", ForeignKey("commits.number"), nullable=nullable),
    ]


def _identity(name: str = "id") -> Any:
    return Column(name, Key, primary_key=True, autoincrement=False)


def _index_where_known(name: str, *columns: Column[Any]) -> None:
    """Index rows by columns, on both databases without those whose first column is null."""
    known = columns[0].is_not(None)
    Index(name, *columns, sqlite_where=known, postgresql_where=known)


def _history(current: Table, *keys: str) -> Table:
    """Build a table's twin: its columns, the end of the period, the commit that closed it.

    Both are indexed by commit, history there also by what names a row: `read.changes` walks them.
    """
    columns: list[Any] = [
        Column(column.name, column.type, nullable=column.nullable) for column in current.columns
    ]
    name = f"{current.name}_history"
    twin = Table(
        name,
        current.metadata,
        *packed(
            Column("version_id", VersionKey, primary_key=True, autoincrement=False),
            *columns,
            Column("superseded_at", Instant, nullable=False),
            Column("closed_commit", ForeignKey("commits.number"), nullable=False),
        ),
    )
    Index(f"ix_{name}_period", *(twin.c[key] for key in keys), twin.c.observed_at)
    identity = [column.name for column in current.primary_key]
    # Without the id, PostgreSQL stores a commit once for all its rows: a third of the size.
    Index(f"ix_{current.name}_commit_number", current.c.commit_number)
    version = [*(twin.c[key] for key in identity), twin.c.version_id]
    Index(f"ix_{name}_commit_number", twin.c.commit_number, *version)
    Index(f"ix_{name}_closed_commit", twin.c.closed_commit, *version)
    return twin


counters = Table(
    "counters",
    metadata,
    Column("name", Text, primary_key=True),
    Column("last_value", BigInteger, nullable=False),
)

loads = Table(
    "loads",
    metadata,
    _identity(),
    Column("source", Code(LoadSource), nullable=False),
    Column("file_name", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("size_bytes", BigInteger, nullable=False),
    Column("started_at", Instant, nullable=False),
    Column("ended_at", Instant),
    Column("records_read", BigInteger, nullable=False, server_default=text("0")),
    Column("records_changed", BigInteger, nullable=False, server_default=text("0")),
    Column("records_refused", BigInteger, nullable=False, server_default=text("0")),
)

commits = Table(
    "commits",
    metadata,
    _identity("number"),
    Column("committed_at", Instant, nullable=False),
    Column("load_id", ForeignKey("loads.id"), nullable=False, index=True),
)

# A row without observed_at is an arXiv id that something cites and no snapshot has shown yet: it
# is not held, and nothing shows it, but inbound citations are ready for the day it comes.
papers = Table(
    "papers",
    metadata,
    *packed(
        _identity(),
        Column("arxiv_id", Text, nullable=False, unique=True),
        Column("latest_version", SmallInteger),
        Column("submitted_at", Instant),
        Column("last_updated", Instant),
        Column("snapshot_observed_at", Instant),
        *_version(nullable=True),
        Column("primary_category", Text),
        Column("categories", Text),
        Column("title", Text),
        Column("doi", Text),
        Column("license", Text),
        Column("journal_ref", Text),
        Column("comments", Text),
        Column("abstract", Text),
    ),
)
Index("ix_papers_doi", func.lower(papers.c.doi))
papers_history = _history(papers, "id")


def _author_columns(name: str, owner: Table) -> list[Any]:
    return packed(
        Column(name, ForeignKey(owner.c.id), primary_key=True),
        Column("position", SmallInteger, primary_key=True),
        Column("name", Text, nullable=False),
        Column("family", Text),
        Column("given", Text),
        Column("orcid", Text),
        *_version(),
    )


paper_authors = Table("paper_authors", metadata, *_author_columns("paper_id", papers))
paper_authors_history = _history(paper_authors, "paper_id", "position")

# The one current bibliography of a paper: where it is from, and whether it is whole.
bibliographies = Table(
    "bibliographies",
    metadata,
    *packed(
        Column("paper_id", ForeignKey(papers.c.id), primary_key=True, autoincrement=False),
        Column("source", Code(BibliographySource), nullable=False),
        Column("version", SmallInteger),
        Column("complete", Boolean, nullable=False),
        *_version(),
    ),
)
bibliographies_history = _history(bibliographies, "paper_id")

# What the newest imported record of a paper declares beyond its rows: totals and lane states.
coverage_declarations = Table(
    "coverage_declarations",
    metadata,
    *packed(
        Column("paper_id", ForeignKey(papers.c.id), primary_key=True, autoincrement=False),
        Column("outbound_total", Integer),
        Column("inbound_total", Integer, nullable=False),
        Column("reference_resolution", Code(MeasurementState), nullable=False),
        Column("standing_notices", Code(MeasurementState), nullable=False),
        Column("inbound_itemization", Code(MeasurementState), nullable=False),
        Column("external_citation_measurements", Code(MeasurementState), nullable=False),
        *_version(),
    ),
)
coverage_declarations_history = _history(coverage_declarations, "paper_id")

# The entries of current bibliographies. Columns before the text are those that paging reads.
paper_references = Table(
    "paper_references",
    metadata,
    *packed(
        _identity(),
        Column("observation_id", PublicId, nullable=False, unique=True),
        Column("citing_paper_id", ForeignKey(papers.c.id), nullable=False),
        Column("reference_index", Integer, nullable=False),
        Column("sub_index", SmallInteger, nullable=False),
        *_open("source", CitationSource),
        Column("source_observed_at", Instant, nullable=False),
        Column("cited_paper_id", ForeignKey(papers.c.id)),
        Column("year", SmallInteger),
        *_version(),
        Column("doi", Text),
        Column("arxiv_id", Text),
        Column("title", Text),
        Column("venue", Text),
        Column("authors", Text),
        Column("raw_text", Text),
    ),
)
Index(
    "ix_paper_references_outbound",
    paper_references.c.citing_paper_id,
    paper_references.c.reference_index,
    paper_references.c.sub_index,
    paper_references.c.id,
    postgresql_with=FULL,
)
fill_primary_key(paper_references)
_index_where_known(
    "ix_paper_references_inbound",
    paper_references.c.cited_paper_id,
    paper_references.c.source_observed_at,
    paper_references.c.id,
)
paper_references_history = _history(paper_references, "citing_paper_id")
Index("ix_paper_references_history_id", paper_references_history.c.id)
Index("ix_paper_references_history_observation_id", paper_references_history.c.observation_id)
Index("ix_paper_references_history_cited_paper_id", paper_references_history.c.cited_paper_id)

cited_works = Table(
    "cited_works",
    metadata,
    *packed(
        _identity(),
        Column("work_id", PublicId, nullable=False, unique=True),
        Column("year", SmallInteger),
        *_open("metadata_source", MetadataSource, nullable=True),
        Column("snapshot_observed_at", Instant, nullable=False),
        *_version(),
        Column("doi", Text),
        Column("arxiv_id", Text),
        Column("title", Text),
        Column("venue", Text),
    ),
)
Index("ix_cited_works_doi", func.lower(cited_works.c.doi))
_index_where_known("ix_cited_works_arxiv_id", cited_works.c.arxiv_id)
cited_works_history = _history(cited_works, "id")

work_authors = Table("work_authors", metadata, *_author_columns("work_id", cited_works))
work_authors_history = _history(work_authors, "work_id", "position")

# An entry without a row here is unresolved since it was observed. source_observed_at is the
# entry's own, which never changes: here it gives a work's citations newest first from one index.
paper_reference_links = Table(
    "paper_reference_links",
    metadata,
    *packed(
        Column(
            "reference_id", ForeignKey(paper_references.c.id), primary_key=True, autoincrement=False
        ),
        Column("cited_work_id", ForeignKey(cited_works.c.id)),
        Column("status", Code(ResolutionStatus), nullable=False),
        *_open("resolver_source", ResolverSource, nullable=True),
        Column("resolved_at", Instant, nullable=False),
        Column("source_observed_at", Instant, nullable=False),
        *_version(),
    ),
)
_index_where_known(
    "ix_paper_reference_links_work",
    paper_reference_links.c.cited_work_id,
    paper_reference_links.c.source_observed_at,
    paper_reference_links.c.reference_id,
)
fill_primary_key(paper_reference_links)
paper_reference_links_history = _history(paper_reference_links, "reference_id")

# Events are kept by identifier whether or not the work is held.
scholarly_work_events = Table(
    "scholarly_work_events",
    metadata,
    *packed(
        _identity(),
        Column("event_id", PublicId, nullable=False, unique=True),
        Column("cited_work_id", ForeignKey(cited_works.c.id)),
        Column("doi", Text),
        Column("arxiv_id", Text),
        Column("pubmed_id", Text),
        *_open("kind", EventKind),
        Column("raw_type", Text),
        Column("notice_doi", Text),
        Column("occurred_on", Text),
        *_open("source", StandingSource),
        Column("source_record_id", Text),
        *_version(),
    ),
)
_index_where_known(
    "ix_scholarly_work_events_work",
    scholarly_work_events.c.cited_work_id,
    scholarly_work_events.c.id,
)
Index("ix_scholarly_work_events_doi", func.lower(scholarly_work_events.c.doi))
_index_where_known("ix_scholarly_work_events_arxiv_id", scholarly_work_events.c.arxiv_id)
scholarly_work_events_history = _history(scholarly_work_events, "cited_work_id")

# That a standing source was consulted: about one work, about the references of one paper's record,
# or, with neither, about everything it covers.
retraction_status_cache = Table(
    "retraction_status_cache",
    metadata,
    *packed(
        _identity(),
        *_open("source", StandingSource),
        Column("cited_work_id", ForeignKey(cited_works.c.id)),
        Column("paper_id", ForeignKey(papers.c.id)),
        *_version(),
    ),
    CheckConstraint("cited_work_id IS NULL OR paper_id IS NULL", name="one_scope"),
)
_index_where_known("ix_retraction_status_cache_work", retraction_status_cache.c.cited_work_id)
_index_where_known("ix_retraction_status_cache_paper", retraction_status_cache.c.paper_id)
# The few receipts of whole sources, which every standing notice asks for.
_whole_source = and_(
    retraction_status_cache.c.cited_work_id.is_(None), retraction_status_cache.c.paper_id.is_(None)
)
Index(
    "ix_retraction_status_cache_all",
    retraction_status_cache.c.source,
    sqlite_where=_whole_source,
    postgresql_where=_whole_source,
)
retraction_status_cache_history = _history(retraction_status_cache, "cited_work_id")
Index("ix_retraction_status_cache_history_paper", retraction_status_cache_history.c.paper_id)

external_citation_measurements = Table(
    "external_citation_measurements",
    metadata,
    *packed(
        _identity(),
        Column("paper_id", ForeignKey(papers.c.id)),
        Column("cited_work_id", ForeignKey(cited_works.c.id)),
        *_open("source", MeasurementSource),
        Column("count", BigInteger, nullable=False),
        Column("url", Text),
        *_version(),
    ),
    CheckConstraint("(paper_id IS NULL) <> (cited_work_id IS NULL)", name="one_subject"),
)
_index_where_known(
    "ix_external_citation_measurements_paper", external_citation_measurements.c.paper_id
)
_index_where_known(
    "ix_external_citation_measurements_work", external_citation_measurements.c.cited_work_id
)
external_citation_measurements_history = _history(external_citation_measurements, "paper_id")


def _counts(direction: str) -> list[Any]:
    """One count for each resolution status: the statuses add up to the whole list."""
    return [
        Column(f"{direction}_{status.value}", Integer, nullable=False, server_default=text("0"))
        for status in ResolutionStatus
    ]


# Kept by the writer, checked by ``pith-graph verify --store``.
paper_citation_counts = Table(
    "paper_citation_counts",
    metadata,
    Column("paper_id", ForeignKey(papers.c.id), primary_key=True, autoincrement=False),
    *_counts("outbound"),
    *_counts("inbound"),
)
work_citation_counts = Table(
    "work_citation_counts",
    metadata,
    Column("work_id", ForeignKey(cited_works.c.id), primary_key=True, autoincrement=False),
    *_counts("citations"),
)

VERSIONED: Sequence[tuple[Table, Table]] = (
    (papers, papers_history),
    (paper_authors, paper_authors_history),
    (bibliographies, bibliographies_history),
    (coverage_declarations, coverage_declarations_history),
    (paper_references, paper_references_history),
    (paper_reference_links, paper_reference_links_history),
    (cited_works, cited_works_history),
    (work_authors, work_authors_history),
    (scholarly_work_events, scholarly_work_events_history),
    (retraction_status_cache, retraction_status_cache_history),
    (external_citation_measurements, external_citation_measurements_history),
)
"""Each table of current rows with its history twin."""
