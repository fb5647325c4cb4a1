"""The first schema: current rows, their history twins, commits, loads and search text."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from pith_graph.store.types import Instant, Key, PublicId

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "counters",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("last_value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_counters"),
    )
    op.create_table(
        "loads",
        sa.Column("id", Key, autoincrement=False, nullable=False),
        sa.Column("source", sa.SmallInteger(), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("started_at", Instant(), nullable=False),
        sa.Column("ended_at", Instant(), nullable=True),
        sa.Column("records_read", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("records_changed", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("records_refused", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_loads"),
    )
    op.create_table(
        "commits",
        sa.Column("number", Key, autoincrement=False, nullable=False),
        sa.Column("committed_at", Instant(), nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.ForeignKeyConstraint(["load_id"], ["loads.id"], name="fk_commits_load_id"),
        sa.PrimaryKeyConstraint("number", name="pk_commits"),
    )
    op.create_index("ix_commits_load_id", "commits", ["load_id"], unique=False)

    op.create_table(
        "bibliographies_history",
        sa.Column("version_id", Key, autoincrement=False, nullable=False),
        sa.Column("paper_id", Key, nullable=False),
        sa.Column("source", sa.SmallInteger(), nullable=False),
        sa.Column("version", sa.SmallInteger(), nullable=True),
        sa.Column("complete", sa.Boolean(), nullable=False),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.Column("superseded_at", Instant(), nullable=False),
        sa.Column("closed_commit", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["closed_commit"], ["commits.number"], name="fk_bibliographies_history_closed_commit"
        ),
        sa.PrimaryKeyConstraint("version_id", name="pk_bibliographies_history"),
    )
    op.create_index(
        "ix_bibliographies_history_closed_commit",
        "bibliographies_history",
        ["closed_commit", "paper_id", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_bibliographies_history_commit_number",
        "bibliographies_history",
        ["commit_number", "paper_id", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_bibliographies_history_period",
        "bibliographies_history",
        ["paper_id", "observed_at"],
        unique=False,
    )

    op.create_table(
        "cited_works",
        sa.Column("id", Key, autoincrement=False, nullable=False),
        sa.Column("work_id", PublicId(), nullable=False),
        sa.Column("year", sa.SmallInteger(), nullable=True),
        sa.Column("metadata_source", sa.SmallInteger(), nullable=True),
        sa.Column("metadata_source_raw", sa.Text(), nullable=True),
        sa.Column("snapshot_observed_at", Instant(), nullable=False),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.Column("doi", sa.Text(), nullable=True),
        sa.Column("arxiv_id", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("venue", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["commit_number"], ["commits.number"], name="fk_cited_works_commit_number"
        ),
        sa.ForeignKeyConstraint(["load_id"], ["loads.id"], name="fk_cited_works_load_id"),
        sa.PrimaryKeyConstraint("id", name="pk_cited_works"),
        sa.UniqueConstraint("work_id", name="uq_cited_works_work_id"),
    )
    op.create_index(
        "ix_cited_works_arxiv_id",
        "cited_works",
        ["arxiv_id"],
        unique=False,
        sqlite_where=sa.text("arxiv_id IS NOT NULL"),
        postgresql_where=sa.text("arxiv_id IS NOT NULL"),
    )
    op.create_index(
        "ix_cited_works_commit_number", "cited_works", ["commit_number", "id"], unique=False
    )

    op.create_table(
        "cited_works_history",
        sa.Column("version_id", Key, autoincrement=False, nullable=False),
        sa.Column("id", Key, nullable=False),
        sa.Column("work_id", PublicId(), nullable=False),
        sa.Column("year", sa.SmallInteger(), nullable=True),
        sa.Column("metadata_source", sa.SmallInteger(), nullable=True),
        sa.Column("metadata_source_raw", sa.Text(), nullable=True),
        sa.Column("snapshot_observed_at", Instant(), nullable=False),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.Column("doi", sa.Text(), nullable=True),
        sa.Column("arxiv_id", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("venue", sa.Text(), nullable=True),
        sa.Column("superseded_at", Instant(), nullable=False),
        sa.Column("closed_commit", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["closed_commit"], ["commits.number"], name="fk_cited_works_history_closed_commit"
        ),
        sa.PrimaryKeyConstraint("version_id", name="pk_cited_works_history"),
    )
    op.create_index(
        "ix_cited_works_history_closed_commit",
        "cited_works_history",
        ["closed_commit", "id", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_cited_works_history_commit_number",
        "cited_works_history",
        ["commit_number", "id", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_cited_works_history_period", "cited_works_history", ["id", "observed_at"], unique=False
    )

    op.create_table(
        "coverage_declarations_history",
        sa.Column("version_id", Key, autoincrement=False, nullable=False),
        sa.Column("paper_id", Key, nullable=False),
        sa.Column("outbound_total", sa.Integer(), nullable=False),
        sa.Column("inbound_total", sa.Integer(), nullable=False),
        sa.Column("reference_resolution", sa.SmallInteger(), nullable=False),
        sa.Column("standing_notices", sa.SmallInteger(), nullable=False),
        sa.Column("inbound_itemization", sa.SmallInteger(), nullable=False),
        sa.Column("external_citation_measurements", sa.SmallInteger(), nullable=False),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.Column("superseded_at", Instant(), nullable=False),
        sa.Column("closed_commit", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["closed_commit"],
            ["commits.number"],
            name="fk_coverage_declarations_history_closed_commit",
        ),
        sa.PrimaryKeyConstraint("version_id", name="pk_coverage_declarations_history"),
    )
    op.create_index(
        "ix_coverage_declarations_history_closed_commit",
        "coverage_declarations_history",
        ["closed_commit", "paper_id", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_coverage_declarations_history_commit_number",
        "coverage_declarations_history",
        ["commit_number", "paper_id", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_coverage_declarations_history_period",
        "coverage_declarations_history",
        ["paper_id", "observed_at"],
        unique=False,
    )

    op.create_table(
        "external_citation_measurements_history",
        sa.Column("version_id", Key, autoincrement=False, nullable=False),
        sa.Column("id", Key, nullable=False),
        sa.Column("paper_id", Key, nullable=True),
        sa.Column("cited_work_id", Key, nullable=True),
        sa.Column("source", sa.SmallInteger(), nullable=False),
        sa.Column("source_raw", sa.Text(), nullable=True),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.Column("superseded_at", Instant(), nullable=False),
        sa.Column("closed_commit", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["closed_commit"],
            ["commits.number"],
            name="fk_external_citation_measurements_history_closed_commit",
        ),
        sa.PrimaryKeyConstraint("version_id", name="pk_external_citation_measurements_history"),
    )
    op.create_index(
        "ix_external_citation_measurements_history_closed_commit",
        "external_citation_measurements_history",
        ["closed_commit", "id", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_external_citation_measurements_history_commit_number",
        "external_citation_measurements_history",
        ["commit_number", "id", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_external_citation_measurements_history_period",
        "external_citation_measurements_history",
        ["paper_id", "observed_at"],
        unique=False,
    )

    op.create_table(
        "paper_authors_history",
        sa.Column("version_id", Key, autoincrement=False, nullable=False),
        sa.Column("paper_id", Key, nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("family", sa.Text(), nullable=True),
        sa.Column("given", sa.Text(), nullable=True),
        sa.Column("orcid", sa.Text(), nullable=True),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.Column("superseded_at", Instant(), nullable=False),
        sa.Column("closed_commit", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["closed_commit"], ["commits.number"], name="fk_paper_authors_history_closed_commit"
        ),
        sa.PrimaryKeyConstraint("version_id", name="pk_paper_authors_history"),
    )
    op.create_index(
        "ix_paper_authors_history_closed_commit",
        "paper_authors_history",
        ["closed_commit", "paper_id", "position", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_paper_authors_history_commit_number",
        "paper_authors_history",
        ["commit_number", "paper_id", "position", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_paper_authors_history_period",
        "paper_authors_history",
        ["paper_id", "position", "observed_at"],
        unique=False,
    )

    op.create_table(
        "paper_reference_links_history",
        sa.Column("version_id", Key, autoincrement=False, nullable=False),
        sa.Column("reference_id", Key, nullable=False),
        sa.Column("cited_work_id", Key, nullable=True),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("resolver_source", sa.SmallInteger(), nullable=True),
        sa.Column("resolver_source_raw", sa.Text(), nullable=True),
        sa.Column("resolved_at", Instant(), nullable=False),
        sa.Column("source_observed_at", Instant(), nullable=False),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.Column("superseded_at", Instant(), nullable=False),
        sa.Column("closed_commit", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["closed_commit"],
            ["commits.number"],
            name="fk_paper_reference_links_history_closed_commit",
        ),
        sa.PrimaryKeyConstraint("version_id", name="pk_paper_reference_links_history"),
    )
    op.create_index(
        "ix_paper_reference_links_history_closed_commit",
        "paper_reference_links_history",
        ["closed_commit", "reference_id", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_paper_reference_links_history_commit_number",
        "paper_reference_links_history",
        ["commit_number", "reference_id", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_paper_reference_links_history_period",
        "paper_reference_links_history",
        ["reference_id", "observed_at"],
        unique=False,
    )

    op.create_table(
        "paper_references_history",
        sa.Column("version_id", Key, autoincrement=False, nullable=False),
        sa.Column("id", Key, nullable=False),
        sa.Column("observation_id", PublicId(), nullable=False),
        sa.Column("citing_paper_id", Key, nullable=False),
        sa.Column("reference_index", sa.Integer(), nullable=False),
        sa.Column("sub_index", sa.SmallInteger(), nullable=False),
        sa.Column("source", sa.SmallInteger(), nullable=False),
        sa.Column("source_raw", sa.Text(), nullable=True),
        sa.Column("source_observed_at", Instant(), nullable=False),
        sa.Column("cited_paper_id", Key, nullable=True),
        sa.Column("year", sa.SmallInteger(), nullable=True),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.Column("doi", sa.Text(), nullable=True),
        sa.Column("arxiv_id", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("venue", sa.Text(), nullable=True),
        sa.Column("authors", sa.Text(), nullable=True),
        sa.Column("raw_text", sa.Text(), nullable=True),
        sa.Column("superseded_at", Instant(), nullable=False),
        sa.Column("closed_commit", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["closed_commit"], ["commits.number"], name="fk_paper_references_history_closed_commit"
        ),
        sa.PrimaryKeyConstraint("version_id", name="pk_paper_references_history"),
    )
    op.create_index(
        "ix_paper_references_history_cited_paper_id",
        "paper_references_history",
        ["cited_paper_id"],
        unique=False,
    )
    op.create_index(
        "ix_paper_references_history_closed_commit",
        "paper_references_history",
        ["closed_commit", "id", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_paper_references_history_commit_number",
        "paper_references_history",
        ["commit_number", "id", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_paper_references_history_id", "paper_references_history", ["id"], unique=False
    )
    op.create_index(
        "ix_paper_references_history_observation_id",
        "paper_references_history",
        ["observation_id"],
        unique=False,
    )
    op.create_index(
        "ix_paper_references_history_period",
        "paper_references_history",
        ["citing_paper_id", "observed_at"],
        unique=False,
    )

    op.create_table(
        "papers",
        sa.Column("id", Key, autoincrement=False, nullable=False),
        sa.Column("arxiv_id", sa.Text(), nullable=False),
        sa.Column("latest_version", sa.SmallInteger(), nullable=True),
        sa.Column("submitted_at", Instant(), nullable=True),
        sa.Column("last_updated", Instant(), nullable=True),
        sa.Column("snapshot_observed_at", Instant(), nullable=True),
        sa.Column("observed_at", Instant(), nullable=True),
        sa.Column("commit_number", Key, nullable=True),
        sa.Column("load_id", Key, nullable=True),
        sa.Column("primary_category", sa.Text(), nullable=True),
        sa.Column("categories", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("doi", sa.Text(), nullable=True),
        sa.Column("license", sa.Text(), nullable=True),
        sa.Column("journal_ref", sa.Text(), nullable=True),
        sa.Column("comments", sa.Text(), nullable=True),
        sa.Column("abstract", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["commit_number"], ["commits.number"], name="fk_papers_commit_number"
        ),
        sa.ForeignKeyConstraint(["load_id"], ["loads.id"], name="fk_papers_load_id"),
        sa.PrimaryKeyConstraint("id", name="pk_papers"),
        sa.UniqueConstraint("arxiv_id", name="uq_papers_arxiv_id"),
    )
    op.create_index("ix_papers_commit_number", "papers", ["commit_number", "id"], unique=False)

    op.create_table(
        "papers_history",
        sa.Column("version_id", Key, autoincrement=False, nullable=False),
        sa.Column("id", Key, nullable=False),
        sa.Column("arxiv_id", sa.Text(), nullable=False),
        sa.Column("latest_version", sa.SmallInteger(), nullable=True),
        sa.Column("submitted_at", Instant(), nullable=True),
        sa.Column("last_updated", Instant(), nullable=True),
        sa.Column("snapshot_observed_at", Instant(), nullable=True),
        sa.Column("observed_at", Instant(), nullable=True),
        sa.Column("commit_number", Key, nullable=True),
        sa.Column("load_id", Key, nullable=True),
        sa.Column("primary_category", sa.Text(), nullable=True),
        sa.Column("categories", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("doi", sa.Text(), nullable=True),
        sa.Column("license", sa.Text(), nullable=True),
        sa.Column("journal_ref", sa.Text(), nullable=True),
        sa.Column("comments", sa.Text(), nullable=True),
        sa.Column("abstract", sa.Text(), nullable=True),
        sa.Column("superseded_at", Instant(), nullable=False),
        sa.Column("closed_commit", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["closed_commit"], ["commits.number"], name="fk_papers_history_closed_commit"
        ),
        sa.PrimaryKeyConstraint("version_id", name="pk_papers_history"),
    )
    op.create_index(
        "ix_papers_history_closed_commit",
        "papers_history",
        ["closed_commit", "id", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_papers_history_commit_number",
        "papers_history",
        ["commit_number", "id", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_papers_history_period", "papers_history", ["id", "observed_at"], unique=False
    )

    op.create_table(
        "retraction_status_cache_history",
        sa.Column("version_id", Key, autoincrement=False, nullable=False),
        sa.Column("id", Key, nullable=False),
        sa.Column("source", sa.SmallInteger(), nullable=False),
        sa.Column("source_raw", sa.Text(), nullable=True),
        sa.Column("cited_work_id", Key, nullable=True),
        sa.Column("paper_id", Key, nullable=True),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.Column("superseded_at", Instant(), nullable=False),
        sa.Column("closed_commit", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["closed_commit"],
            ["commits.number"],
            name="fk_retraction_status_cache_history_closed_commit",
        ),
        sa.PrimaryKeyConstraint("version_id", name="pk_retraction_status_cache_history"),
    )
    op.create_index(
        "ix_retraction_status_cache_history_closed_commit",
        "retraction_status_cache_history",
        ["closed_commit", "id", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_retraction_status_cache_history_commit_number",
        "retraction_status_cache_history",
        ["commit_number", "id", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_retraction_status_cache_history_paper",
        "retraction_status_cache_history",
        ["paper_id"],
        unique=False,
    )
    op.create_index(
        "ix_retraction_status_cache_history_period",
        "retraction_status_cache_history",
        ["cited_work_id", "observed_at"],
        unique=False,
    )

    op.create_table(
        "scholarly_work_events_history",
        sa.Column("version_id", Key, autoincrement=False, nullable=False),
        sa.Column("id", Key, nullable=False),
        sa.Column("event_id", PublicId(), nullable=False),
        sa.Column("cited_work_id", Key, nullable=True),
        sa.Column("doi", sa.Text(), nullable=True),
        sa.Column("arxiv_id", sa.Text(), nullable=True),
        sa.Column("pubmed_id", sa.Text(), nullable=True),
        sa.Column("kind", sa.SmallInteger(), nullable=False),
        sa.Column("kind_raw", sa.Text(), nullable=True),
        sa.Column("raw_type", sa.Text(), nullable=True),
        sa.Column("notice_doi", sa.Text(), nullable=True),
        sa.Column("occurred_on", sa.Text(), nullable=True),
        sa.Column("source", sa.SmallInteger(), nullable=False),
        sa.Column("source_raw", sa.Text(), nullable=True),
        sa.Column("source_record_id", sa.Text(), nullable=True),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.Column("superseded_at", Instant(), nullable=False),
        sa.Column("closed_commit", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["closed_commit"],
            ["commits.number"],
            name="fk_scholarly_work_events_history_closed_commit",
        ),
        sa.PrimaryKeyConstraint("version_id", name="pk_scholarly_work_events_history"),
    )
    op.create_index(
        "ix_scholarly_work_events_history_closed_commit",
        "scholarly_work_events_history",
        ["closed_commit", "id", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_scholarly_work_events_history_commit_number",
        "scholarly_work_events_history",
        ["commit_number", "id", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_scholarly_work_events_history_period",
        "scholarly_work_events_history",
        ["cited_work_id", "observed_at"],
        unique=False,
    )

    op.create_table(
        "work_authors_history",
        sa.Column("version_id", Key, autoincrement=False, nullable=False),
        sa.Column("work_id", Key, nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("family", sa.Text(), nullable=True),
        sa.Column("given", sa.Text(), nullable=True),
        sa.Column("orcid", sa.Text(), nullable=True),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.Column("superseded_at", Instant(), nullable=False),
        sa.Column("closed_commit", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["closed_commit"], ["commits.number"], name="fk_work_authors_history_closed_commit"
        ),
        sa.PrimaryKeyConstraint("version_id", name="pk_work_authors_history"),
    )
    op.create_index(
        "ix_work_authors_history_closed_commit",
        "work_authors_history",
        ["closed_commit", "work_id", "position", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_work_authors_history_commit_number",
        "work_authors_history",
        ["commit_number", "work_id", "position", "version_id"],
        unique=False,
    )
    op.create_index(
        "ix_work_authors_history_period",
        "work_authors_history",
        ["work_id", "position", "observed_at"],
        unique=False,
    )

    op.create_table(
        "bibliographies",
        sa.Column("paper_id", Key, autoincrement=False, nullable=False),
        sa.Column("source", sa.SmallInteger(), nullable=False),
        sa.Column("version", sa.SmallInteger(), nullable=True),
        sa.Column("complete", sa.Boolean(), nullable=False),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["commit_number"], ["commits.number"], name="fk_bibliographies_commit_number"
        ),
        sa.ForeignKeyConstraint(["load_id"], ["loads.id"], name="fk_bibliographies_load_id"),
        sa.ForeignKeyConstraint(["paper_id"], ["papers.id"], name="fk_bibliographies_paper_id"),
        sa.PrimaryKeyConstraint("paper_id", name="pk_bibliographies"),
    )
    op.create_index(
        "ix_bibliographies_commit_number",
        "bibliographies",
        ["commit_number", "paper_id"],
        unique=False,
    )

    op.create_table(
        "coverage_declarations",
        sa.Column("paper_id", Key, autoincrement=False, nullable=False),
        sa.Column("outbound_total", sa.Integer(), nullable=False),
        sa.Column("inbound_total", sa.Integer(), nullable=False),
        sa.Column("reference_resolution", sa.SmallInteger(), nullable=False),
        sa.Column("standing_notices", sa.SmallInteger(), nullable=False),
        sa.Column("inbound_itemization", sa.SmallInteger(), nullable=False),
        sa.Column("external_citation_measurements", sa.SmallInteger(), nullable=False),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["commit_number"], ["commits.number"], name="fk_coverage_declarations_commit_number"
        ),
        sa.ForeignKeyConstraint(["load_id"], ["loads.id"], name="fk_coverage_declarations_load_id"),
        sa.ForeignKeyConstraint(
            ["paper_id"], ["papers.id"], name="fk_coverage_declarations_paper_id"
        ),
        sa.PrimaryKeyConstraint("paper_id", name="pk_coverage_declarations"),
    )
    op.create_index(
        "ix_coverage_declarations_commit_number",
        "coverage_declarations",
        ["commit_number", "paper_id"],
        unique=False,
    )

    op.create_table(
        "external_citation_measurements",
        sa.Column("id", Key, autoincrement=False, nullable=False),
        sa.Column("paper_id", Key, nullable=True),
        sa.Column("cited_work_id", Key, nullable=True),
        sa.Column("source", sa.SmallInteger(), nullable=False),
        sa.Column("source_raw", sa.Text(), nullable=True),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.CheckConstraint(
            "(paper_id IS NULL) <> (cited_work_id IS NULL)",
            name="ck_external_citation_measurements_one_subject",
        ),
        sa.ForeignKeyConstraint(
            ["cited_work_id"],
            ["cited_works.id"],
            name="fk_external_citation_measurements_cited_work_id",
        ),
        sa.ForeignKeyConstraint(
            ["commit_number"],
            ["commits.number"],
            name="fk_external_citation_measurements_commit_number",
        ),
        sa.ForeignKeyConstraint(
            ["load_id"], ["loads.id"], name="fk_external_citation_measurements_load_id"
        ),
        sa.ForeignKeyConstraint(
            ["paper_id"], ["papers.id"], name="fk_external_citation_measurements_paper_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_external_citation_measurements"),
    )
    op.create_index(
        "ix_external_citation_measurements_commit_number",
        "external_citation_measurements",
        ["commit_number", "id"],
        unique=False,
    )
    op.create_index(
        "ix_external_citation_measurements_paper",
        "external_citation_measurements",
        ["paper_id"],
        unique=False,
        sqlite_where=sa.text("paper_id IS NOT NULL"),
        postgresql_where=sa.text("paper_id IS NOT NULL"),
    )
    op.create_index(
        "ix_external_citation_measurements_work",
        "external_citation_measurements",
        ["cited_work_id"],
        unique=False,
        sqlite_where=sa.text("cited_work_id IS NOT NULL"),
        postgresql_where=sa.text("cited_work_id IS NOT NULL"),
    )

    op.create_table(
        "paper_authors",
        sa.Column("paper_id", Key, nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("family", sa.Text(), nullable=True),
        sa.Column("given", sa.Text(), nullable=True),
        sa.Column("orcid", sa.Text(), nullable=True),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["commit_number"], ["commits.number"], name="fk_paper_authors_commit_number"
        ),
        sa.ForeignKeyConstraint(["load_id"], ["loads.id"], name="fk_paper_authors_load_id"),
        sa.ForeignKeyConstraint(["paper_id"], ["papers.id"], name="fk_paper_authors_paper_id"),
        sa.PrimaryKeyConstraint("paper_id", "position", name="pk_paper_authors"),
    )
    op.create_index(
        "ix_paper_authors_commit_number",
        "paper_authors",
        ["commit_number", "paper_id", "position"],
        unique=False,
    )

    op.create_table(
        "paper_citation_counts",
        sa.Column("paper_id", Key, autoincrement=False, nullable=False),
        sa.Column(
            "outbound_verified_exact", sa.Integer(), server_default=sa.text("0"), nullable=False
        ),
        sa.Column(
            "outbound_verified_fuzzy", sa.Integer(), server_default=sa.text("0"), nullable=False
        ),
        sa.Column(
            "outbound_metadata_mismatch", sa.Integer(), server_default=sa.text("0"), nullable=False
        ),
        sa.Column(
            "outbound_malformed_identifier",
            sa.Integer(),
            server_default=sa.text("0"),
            nullable=False,
        ),
        sa.Column(
            "outbound_parse_uncertain", sa.Integer(), server_default=sa.text("0"), nullable=False
        ),
        sa.Column("outbound_unresolved", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column(
            "inbound_verified_exact", sa.Integer(), server_default=sa.text("0"), nullable=False
        ),
        sa.Column(
            "inbound_verified_fuzzy", sa.Integer(), server_default=sa.text("0"), nullable=False
        ),
        sa.Column(
            "inbound_metadata_mismatch", sa.Integer(), server_default=sa.text("0"), nullable=False
        ),
        sa.Column(
            "inbound_malformed_identifier",
            sa.Integer(),
            server_default=sa.text("0"),
            nullable=False,
        ),
        sa.Column(
            "inbound_parse_uncertain", sa.Integer(), server_default=sa.text("0"), nullable=False
        ),
        sa.Column("inbound_unresolved", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.ForeignKeyConstraint(
            ["paper_id"], ["papers.id"], name="fk_paper_citation_counts_paper_id"
        ),
        sa.PrimaryKeyConstraint("paper_id", name="pk_paper_citation_counts"),
    )
    op.create_table(
        "paper_references",
        sa.Column("id", Key, autoincrement=False, nullable=False),
        sa.Column("observation_id", PublicId(), nullable=False),
        sa.Column("citing_paper_id", Key, nullable=False),
        sa.Column("reference_index", sa.Integer(), nullable=False),
        sa.Column("sub_index", sa.SmallInteger(), nullable=False),
        sa.Column("source", sa.SmallInteger(), nullable=False),
        sa.Column("source_raw", sa.Text(), nullable=True),
        sa.Column("source_observed_at", Instant(), nullable=False),
        sa.Column("cited_paper_id", Key, nullable=True),
        sa.Column("year", sa.SmallInteger(), nullable=True),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.Column("doi", sa.Text(), nullable=True),
        sa.Column("arxiv_id", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("venue", sa.Text(), nullable=True),
        sa.Column("authors", sa.Text(), nullable=True),
        sa.Column("raw_text", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["cited_paper_id"], ["papers.id"], name="fk_paper_references_cited_paper_id"
        ),
        sa.ForeignKeyConstraint(
            ["citing_paper_id"], ["papers.id"], name="fk_paper_references_citing_paper_id"
        ),
        sa.ForeignKeyConstraint(
            ["commit_number"], ["commits.number"], name="fk_paper_references_commit_number"
        ),
        sa.ForeignKeyConstraint(["load_id"], ["loads.id"], name="fk_paper_references_load_id"),
        sa.PrimaryKeyConstraint("id", name="pk_paper_references"),
        sa.UniqueConstraint("observation_id", name="uq_paper_references_observation_id"),
    )
    op.create_index(
        "ix_paper_references_commit_number",
        "paper_references",
        ["commit_number", "id"],
        unique=False,
    )
    op.create_index(
        "ix_paper_references_inbound",
        "paper_references",
        ["cited_paper_id", "source_observed_at", "id"],
        unique=False,
        sqlite_where=sa.text("cited_paper_id IS NOT NULL"),
        postgresql_where=sa.text("cited_paper_id IS NOT NULL"),
    )
    op.create_index(
        "ix_paper_references_outbound",
        "paper_references",
        ["citing_paper_id", "reference_index", "sub_index", "id"],
        unique=False,
    )

    op.create_table(
        "retraction_status_cache",
        sa.Column("id", Key, autoincrement=False, nullable=False),
        sa.Column("source", sa.SmallInteger(), nullable=False),
        sa.Column("source_raw", sa.Text(), nullable=True),
        sa.Column("cited_work_id", Key, nullable=True),
        sa.Column("paper_id", Key, nullable=True),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.CheckConstraint(
            "cited_work_id IS NULL OR paper_id IS NULL", name="ck_retraction_status_cache_one_scope"
        ),
        sa.ForeignKeyConstraint(
            ["cited_work_id"], ["cited_works.id"], name="fk_retraction_status_cache_cited_work_id"
        ),
        sa.ForeignKeyConstraint(
            ["commit_number"], ["commits.number"], name="fk_retraction_status_cache_commit_number"
        ),
        sa.ForeignKeyConstraint(
            ["load_id"], ["loads.id"], name="fk_retraction_status_cache_load_id"
        ),
        sa.ForeignKeyConstraint(
            ["paper_id"], ["papers.id"], name="fk_retraction_status_cache_paper_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_retraction_status_cache"),
    )
    op.create_index(
        "ix_retraction_status_cache_commit_number",
        "retraction_status_cache",
        ["commit_number", "id"],
        unique=False,
    )
    op.create_index(
        "ix_retraction_status_cache_paper",
        "retraction_status_cache",
        ["paper_id"],
        unique=False,
        sqlite_where=sa.text("paper_id IS NOT NULL"),
        postgresql_where=sa.text("paper_id IS NOT NULL"),
    )
    op.create_index(
        "ix_retraction_status_cache_work",
        "retraction_status_cache",
        ["cited_work_id"],
        unique=False,
        sqlite_where=sa.text("cited_work_id IS NOT NULL"),
        postgresql_where=sa.text("cited_work_id IS NOT NULL"),
    )
    op.create_index(
        "ix_retraction_status_cache_all",
        "retraction_status_cache",
        ["source"],
        unique=False,
        sqlite_where=sa.text("cited_work_id IS NULL AND paper_id IS NULL"),
        postgresql_where=sa.text("cited_work_id IS NULL AND paper_id IS NULL"),
    )

    op.create_table(
        "scholarly_work_events",
        sa.Column("id", Key, autoincrement=False, nullable=False),
        sa.Column("event_id", PublicId(), nullable=False),
        sa.Column("cited_work_id", Key, nullable=True),
        sa.Column("doi", sa.Text(), nullable=True),
        sa.Column("arxiv_id", sa.Text(), nullable=True),
        sa.Column("pubmed_id", sa.Text(), nullable=True),
        sa.Column("kind", sa.SmallInteger(), nullable=False),
        sa.Column("kind_raw", sa.Text(), nullable=True),
        sa.Column("raw_type", sa.Text(), nullable=True),
        sa.Column("notice_doi", sa.Text(), nullable=True),
        sa.Column("occurred_on", sa.Text(), nullable=True),
        sa.Column("source", sa.SmallInteger(), nullable=False),
        sa.Column("source_raw", sa.Text(), nullable=True),
        sa.Column("source_record_id", sa.Text(), nullable=True),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["cited_work_id"], ["cited_works.id"], name="fk_scholarly_work_events_cited_work_id"
        ),
        sa.ForeignKeyConstraint(
            ["commit_number"], ["commits.number"], name="fk_scholarly_work_events_commit_number"
        ),
        sa.ForeignKeyConstraint(["load_id"], ["loads.id"], name="fk_scholarly_work_events_load_id"),
        sa.PrimaryKeyConstraint("id", name="pk_scholarly_work_events"),
        sa.UniqueConstraint("event_id", name="uq_scholarly_work_events_event_id"),
    )
    op.create_index(
        "ix_scholarly_work_events_arxiv_id",
        "scholarly_work_events",
        ["arxiv_id"],
        unique=False,
        sqlite_where=sa.text("arxiv_id IS NOT NULL"),
        postgresql_where=sa.text("arxiv_id IS NOT NULL"),
    )
    op.create_index(
        "ix_scholarly_work_events_commit_number",
        "scholarly_work_events",
        ["commit_number", "id"],
        unique=False,
    )
    op.create_index(
        "ix_scholarly_work_events_work",
        "scholarly_work_events",
        ["cited_work_id", "id"],
        unique=False,
        sqlite_where=sa.text("cited_work_id IS NOT NULL"),
        postgresql_where=sa.text("cited_work_id IS NOT NULL"),
    )

    op.create_table(
        "work_authors",
        sa.Column("work_id", Key, nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("family", sa.Text(), nullable=True),
        sa.Column("given", sa.Text(), nullable=True),
        sa.Column("orcid", sa.Text(), nullable=True),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["commit_number"], ["commits.number"], name="fk_work_authors_commit_number"
        ),
        sa.ForeignKeyConstraint(["load_id"], ["loads.id"], name="fk_work_authors_load_id"),
        sa.ForeignKeyConstraint(["work_id"], ["cited_works.id"], name="fk_work_authors_work_id"),
        sa.PrimaryKeyConstraint("work_id", "position", name="pk_work_authors"),
    )
    op.create_index(
        "ix_work_authors_commit_number",
        "work_authors",
        ["commit_number", "work_id", "position"],
        unique=False,
    )

    op.create_table(
        "work_citation_counts",
        sa.Column("work_id", Key, autoincrement=False, nullable=False),
        sa.Column(
            "citations_verified_exact", sa.Integer(), server_default=sa.text("0"), nullable=False
        ),
        sa.Column(
            "citations_verified_fuzzy", sa.Integer(), server_default=sa.text("0"), nullable=False
        ),
        sa.Column(
            "citations_metadata_mismatch", sa.Integer(), server_default=sa.text("0"), nullable=False
        ),
        sa.Column(
            "citations_malformed_identifier",
            sa.Integer(),
            server_default=sa.text("0"),
            nullable=False,
        ),
        sa.Column(
            "citations_parse_uncertain", sa.Integer(), server_default=sa.text("0"), nullable=False
        ),
        sa.Column(
            "citations_unresolved", sa.Integer(), server_default=sa.text("0"), nullable=False
        ),
        sa.ForeignKeyConstraint(
            ["work_id"], ["cited_works.id"], name="fk_work_citation_counts_work_id"
        ),
        sa.PrimaryKeyConstraint("work_id", name="pk_work_citation_counts"),
    )
    op.create_table(
        "paper_reference_links",
        sa.Column("reference_id", Key, autoincrement=False, nullable=False),
        sa.Column("cited_work_id", Key, nullable=True),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("resolver_source", sa.SmallInteger(), nullable=True),
        sa.Column("resolver_source_raw", sa.Text(), nullable=True),
        sa.Column("resolved_at", Instant(), nullable=False),
        sa.Column("source_observed_at", Instant(), nullable=False),
        sa.Column("observed_at", Instant(), nullable=False),
        sa.Column("commit_number", Key, nullable=False),
        sa.Column("load_id", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["cited_work_id"], ["cited_works.id"], name="fk_paper_reference_links_cited_work_id"
        ),
        sa.ForeignKeyConstraint(
            ["commit_number"], ["commits.number"], name="fk_paper_reference_links_commit_number"
        ),
        sa.ForeignKeyConstraint(["load_id"], ["loads.id"], name="fk_paper_reference_links_load_id"),
        sa.ForeignKeyConstraint(
            ["reference_id"], ["paper_references.id"], name="fk_paper_reference_links_reference_id"
        ),
        sa.PrimaryKeyConstraint("reference_id", name="pk_paper_reference_links"),
    )
    op.create_index(
        "ix_paper_reference_links_commit_number",
        "paper_reference_links",
        ["commit_number", "reference_id"],
        unique=False,
    )
    op.create_index(
        "ix_paper_reference_links_work",
        "paper_reference_links",
        ["cited_work_id", "source_observed_at", "reference_id"],
        unique=False,
        sqlite_where=sa.text("cited_work_id IS NOT NULL"),
        postgresql_where=sa.text("cited_work_id IS NOT NULL"),
    )
    for table in ("papers", "cited_works", "scholarly_work_events"):
        op.create_index(f"ix_{table}_doi", table, [sa.text("lower(doi)")], unique=False)
    _create_search()


def _create_search() -> None:
    """Create the index of folded titles: FTS5 on SQLite, a GIN index on PostgreSQL."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE VIRTUAL TABLE paper_search USING fts5(folded, prefix='2 3', tokenize='ascii')"
        )
        return
    op.execute(
        "CREATE TABLE paper_search ("
        " paper_id bigint PRIMARY KEY REFERENCES papers (id),"
        " folded text NOT NULL,"
        " lexemes tsvector NOT NULL GENERATED ALWAYS AS"
        " (array_to_tsvector(string_to_array(folded, ' '))) STORED)"
    )
    op.execute("CREATE INDEX ix_paper_search_lexemes ON paper_search USING gin (lexemes)")


def downgrade() -> None:
    op.execute("DROP TABLE paper_search")
    for table in (
        "paper_reference_links",
        "work_citation_counts",
        "work_authors",
        "scholarly_work_events",
        "retraction_status_cache",
        "paper_references",
        "paper_citation_counts",
        "paper_authors",
        "external_citation_measurements",
        "coverage_declarations",
        "bibliographies",
        "work_authors_history",
        "scholarly_work_events_history",
        "retraction_status_cache_history",
        "papers_history",
        "papers",
        "paper_references_history",
        "paper_reference_links_history",
        "paper_authors_history",
        "external_citation_measurements_history",
        "coverage_declarations_history",
        "cited_works_history",
        "cited_works",
        "bibliographies_history",
        "commits",
        "loads",
        "counters",
    ):
        op.drop_table(table)
