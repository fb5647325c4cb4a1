"""The first schema: current rows, their history twins, commits, loads and search text.

It stands by itself and stays as it is, however the code's own tables change later.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, SmallInteger, Table, Text

from pith_graph.store.types import Instant, Key, PublicId, VersionKey

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
_STATUSES = (
    "verified_exact",
    "verified_fuzzy",
    "metadata_mismatch",
    "malformed_identifier",
    "parse_uncertain",
    "unresolved",
)


def upgrade() -> None:
    _schema().create_all(op.get_bind(), checkfirst=False)
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE VIRTUAL TABLE paper_search USING fts5(folded, prefix='2 3', tokenize='ascii')"
        )
        return
    op.execute(
        "CREATE TABLE paper_search ("
        " paper_id integer PRIMARY KEY REFERENCES papers (id),"
        " folded text NOT NULL,"
        " lexemes tsvector NOT NULL GENERATED ALWAYS AS"
        " (array_to_tsvector(string_to_array(folded, ' '))) STORED)"
    )
    op.execute("CREATE INDEX ix_paper_search_lexemes ON paper_search USING gin (lexemes)")
    # Their ids only grow.
    for name in ("paper_references", "paper_reference_links"):
        op.execute(f"ALTER INDEX pk_{name} SET (fillfactor = 100)")


def downgrade() -> None:
    op.execute("DROP TABLE paper_search")
    _schema().drop_all(op.get_bind(), checkfirst=False)


def _schema() -> sa.MetaData:
    schema = sa.MetaData(naming_convention=_NAMES)
    _add_commits(schema)
    _add_papers(schema)
    _add_works(schema)
    _add_references(schema)
    _add_standing(schema)
    _add_measurements(schema)
    _add_counts(schema)
    return schema


def _key(name: str = "id") -> Column[Any]:
    return Column(name, Key, primary_key=True, autoincrement=False)


def _to(name: str, target: str, *, null: bool = True) -> Column[Any]:
    return Column(name, Key, sa.ForeignKey(target), nullable=null)


def _owner(name: str, target: str) -> Column[Any]:
    return Column(name, Key, sa.ForeignKey(target), primary_key=True, autoincrement=False)


def _need(name: str, kind: Any) -> Column[Any]:
    return Column(name, kind, nullable=False)


def _open(name: str, *, null: bool = False) -> list[Column[Any]]:
    """A code, and the source's own spelling where the code is that of others."""
    return [Column(name, SmallInteger, nullable=null), Column(f"{name}_raw", Text)]


def _version(*, null: bool = False) -> list[Column[Any]]:
    return [
        Column("observed_at", Instant, nullable=null),
        _to("commit_number", "commits.number", null=null),
    ]


def _count(name: str, kind: Any = Integer) -> Column[Any]:
    return Column(name, kind, nullable=False, server_default=sa.text("0"))


def _packed(*columns: Column[Any]) -> list[Column[Any]]:
    """Put wide columns first and text last; where alike, those that are never null first."""
    return sorted(columns, key=lambda column: (_place(column), column.nullable))


def _place(column: Column[Any]) -> int:
    kind = column.type
    if isinstance(kind, (PublicId, Instant, BigInteger)):
        return 0
    if isinstance(kind, SmallInteger):
        return 2
    return {Integer: 1, Boolean: 3, Text: 4}[type(kind)]


def _index_known(name: str, *columns: Column[Any]) -> None:
    """Index the rows whose first column is not null."""
    known = columns[0].is_not(None)
    Index(name, *columns, sqlite_where=known, postgresql_where=known)


def _add_history(current: Table, *keys: str) -> Table:
    """Add a table's twin, with its period and the commit that closed it; index both by commit."""
    name = f"{current.name}_history"
    twin = Table(
        name,
        current.metadata,
        *_packed(
            Column("version_id", VersionKey, primary_key=True, autoincrement=False),
            *(Column(c.name, c.type, nullable=c.nullable) for c in current.columns),
            _need("superseded_at", Instant),
            _to("closed_commit", "commits.number", null=False),
        ),
    )
    Index(f"ix_{name}_period", *(twin.c[key] for key in keys), twin.c.observed_at)
    own = [column.name for column in current.primary_key]
    Index(f"ix_{current.name}_commit_number", current.c.commit_number)
    for commit in ("commit_number", "closed_commit"):
        version = [*(twin.c[key] for key in own), twin.c.version_id]
        Index(f"ix_{name}_{commit}", twin.c[commit], *version)
    return twin


def _add_commits(schema: sa.MetaData) -> None:
    Table(
        "counters",
        schema,
        Column("name", Text, primary_key=True),
        _need("last_value", BigInteger),
    )
    Table(
        "loads",
        schema,
        _key(),
        _need("source", SmallInteger),
        _need("file_name", Text),
        _need("sha256", Text),
        _need("size_bytes", BigInteger),
        _need("started_at", Instant),
        Column("ended_at", Instant),
        _count("records_read", BigInteger),
        _count("records_changed", BigInteger),
        _count("records_refused", BigInteger),
    )
    commits = Table(
        "commits",
        schema,
        _key("number"),
        _need("committed_at", Instant),
        _to("load_id", "loads.id", null=False),
    )
    Index("ix_commits_load_id", commits.c.load_id)


def _add_authors(name: str, owner: str, target: Table) -> None:
    authors = Table(
        name,
        target.metadata,
        *_packed(
            Column(owner, Key, sa.ForeignKey(target.c.id), primary_key=True),
            Column("position", SmallInteger, primary_key=True),
            _need("name", Text),
            *(Column(part, Text) for part in ("family", "given", "orcid")),
            *_version(),
        ),
    )
    _add_history(authors, owner, "position")


def _add_papers(schema: sa.MetaData) -> None:
    papers = Table(
        "papers",
        schema,
        *_packed(
            _key(),
            Column("arxiv_id", Text, nullable=False, unique=True),
            Column("latest_version", SmallInteger),
            Column("submitted_at", Instant),
            Column("last_updated", Instant),
            Column("snapshot_observed_at", Instant),
            *_version(null=True),
            *(Column(name, Text) for name in ("primary_category", "categories", "title", "doi")),
            *(Column(name, Text) for name in ("license", "journal_ref", "comments", "abstract")),
        ),
    )
    Index("ix_papers_doi", sa.func.lower(papers.c.doi))
    _add_history(papers, "id")
    _add_authors("paper_authors", "paper_id", papers)
    bibliographies = Table(
        "bibliographies",
        schema,
        *_packed(
            _owner("paper_id", "papers.id"),
            _need("source", SmallInteger),
            Column("version", SmallInteger),
            _need("complete", Boolean),
            *_version(),
        ),
    )
    _add_history(bibliographies, "paper_id")
    declarations = Table(
        "coverage_declarations",
        schema,
        *_packed(
            _owner("paper_id", "papers.id"),
            Column("outbound_total", Integer),
            _need("inbound_total", Integer),
            _need("reference_resolution", SmallInteger),
            _need("standing_notices", SmallInteger),
            _need("inbound_itemization", SmallInteger),
            _need("external_citation_measurements", SmallInteger),
            *_version(),
        ),
    )
    _add_history(declarations, "paper_id")


def _add_works(schema: sa.MetaData) -> None:
    works = Table(
        "cited_works",
        schema,
        *_packed(
            _key(),
            Column("work_id", PublicId, nullable=False, unique=True),
            Column("year", SmallInteger),
            *_open("metadata_source", null=True),
            _need("snapshot_observed_at", Instant),
            *_version(),
            *(Column(name, Text) for name in ("doi", "arxiv_id", "title", "venue")),
        ),
    )
    Index("ix_cited_works_doi", sa.func.lower(works.c.doi))
    _index_known("ix_cited_works_arxiv_id", works.c.arxiv_id)
    _add_history(works, "id")
    _add_authors("work_authors", "work_id", works)


def _add_references(schema: sa.MetaData) -> None:
    entries = Table(
        "paper_references",
        schema,
        *_packed(
            _key(),
            Column("observation_id", PublicId, nullable=False, unique=True),
            _to("citing_paper_id", "papers.id", null=False),
            _need("reference_index", Integer),
            _need("sub_index", SmallInteger),
            *_open("source"),
            _need("source_observed_at", Instant),
            _to("cited_paper_id", "papers.id"),
            Column("year", SmallInteger),
            *_version(),
            *(Column(name, Text) for name in ("doi", "arxiv_id", "title", "venue")),
            *(Column(name, Text) for name in ("authors", "raw_text")),
        ),
    )
    c = entries.c
    place = (c.citing_paper_id, c.reference_index, c.sub_index, c.id)
    Index("ix_paper_references_outbound", *place, postgresql_with={"fillfactor": 100})
    _index_known("ix_paper_references_inbound", c.cited_paper_id, c.source_observed_at, c.id)
    twin = _add_history(entries, "citing_paper_id")
    for name in ("id", "observation_id", "cited_paper_id"):
        Index(f"ix_paper_references_history_{name}", twin.c[name])
    links = Table(
        "paper_reference_links",
        schema,
        *_packed(
            _owner("reference_id", "paper_references.id"),
            _to("cited_work_id", "cited_works.id"),
            _need("status", SmallInteger),
            *_open("resolver_source", null=True),
            _need("resolved_at", Instant),
            _need("source_observed_at", Instant),
            *_version(),
        ),
    )
    c = links.c
    _index_known(
        "ix_paper_reference_links_work", c.cited_work_id, c.source_observed_at, c.reference_id
    )
    _add_history(links, "reference_id")


def _add_standing(schema: sa.MetaData) -> None:
    events = Table(
        "scholarly_work_events",
        schema,
        *_packed(
            _key(),
            Column("event_id", PublicId, nullable=False, unique=True),
            _to("cited_work_id", "cited_works.id"),
            *(Column(name, Text) for name in ("doi", "arxiv_id", "pubmed_id")),
            *_open("kind"),
            *(Column(name, Text) for name in ("raw_type", "notice_doi", "occurred_on")),
            *_open("source"),
            Column("source_record_id", Text),
            *_version(),
        ),
    )
    _index_known("ix_scholarly_work_events_work", events.c.cited_work_id, events.c.id)
    Index("ix_scholarly_work_events_doi", sa.func.lower(events.c.doi))
    _index_known("ix_scholarly_work_events_arxiv_id", events.c.arxiv_id)
    _add_history(events, "cited_work_id")
    receipts = Table(
        "retraction_status_cache",
        schema,
        *_packed(
            _key(),
            *_open("source"),
            _to("cited_work_id", "cited_works.id"),
            _to("paper_id", "papers.id"),
            *_version(),
        ),
        sa.CheckConstraint("cited_work_id IS NULL OR paper_id IS NULL", name="one_scope"),
    )
    c = receipts.c
    _index_known("ix_retraction_status_cache_work", c.cited_work_id)
    _index_known("ix_retraction_status_cache_paper", c.paper_id)
    of_all = sa.and_(c.cited_work_id.is_(None), c.paper_id.is_(None))
    Index("ix_retraction_status_cache_all", c.source, sqlite_where=of_all, postgresql_where=of_all)
    twin = _add_history(receipts, "cited_work_id")
    Index("ix_retraction_status_cache_history_paper", twin.c.paper_id)


def _add_measurements(schema: sa.MetaData) -> None:
    measurements = Table(
        "external_citation_measurements",
        schema,
        *_packed(
            _key(),
            _to("paper_id", "papers.id"),
            _to("cited_work_id", "cited_works.id"),
            *_open("source"),
            _need("count", BigInteger),
            Column("url", Text),
            *_version(),
        ),
        sa.CheckConstraint("(paper_id IS NULL) <> (cited_work_id IS NULL)", name="one_subject"),
    )
    _index_known("ix_external_citation_measurements_paper", measurements.c.paper_id)
    _index_known("ix_external_citation_measurements_work", measurements.c.cited_work_id)
    _add_history(measurements, "paper_id")


def _add_counts(schema: sa.MetaData) -> None:
    Table(
        "paper_citation_counts",
        schema,
        _owner("paper_id", "papers.id"),
        *(_count(f"outbound_{status}") for status in _STATUSES),
        *(_count(f"inbound_{status}") for status in _STATUSES),
    )
    Table(
        "work_citation_counts",
        schema,
        _owner("work_id", "cited_works.id"),
        *(_count(f"citations_{status}") for status in _STATUSES),
    )
