"""CitationRecord: the Paper Citation Record, built from rows at the time of the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import strawberry

from pith_graph.gql.types.coverage import Coverage
from pith_graph.gql.types.links import PaperLinks
from pith_graph.gql.types.reference_resolution import ReferenceResolution, StateCount
from pith_graph.gql.types.standing import SourceReceipt
from pith_graph.instants import floor_to_minute
from pith_graph.read.rows import ReceiptRow
from pith_graph.record.build import (
    build_record,
    build_thesis,
    count_states,
    covered_bytes,
    record_bytes,
)
from pith_graph.record.coverage import Lane, build_lanes, standing_sources
from pith_graph.record.facts import RecordFacts
from pith_graph.record.observation import Json
from pith_graph.record_text import CAPS, REFUSAL, SCHEMA_NAME, paper_links


@dataclass(frozen=True)
class RecordSource:
    """A record's source object: its facts and the time of the question."""

    facts: RecordFacts
    as_of: datetime

    @cached_property
    def json(self) -> Json:
        """The record, built once an answer."""
        return build_record(self.facts, as_of=self.as_of)


@strawberry.type(description="What a record is allowed to show and to spend.")
class RecordCaps:
    """The caps."""

    outbound: int = strawberry.field(description="Outbound citations displayed at the most.")
    inbound: int = strawberry.field(description="Inbound citations displayed at the most.")
    database_statements: int = strawberry.field(
        description="Database statements spent at the most."
    )


def build_paper_links(arxiv_id: str) -> PaperLinks:
    """Build the addresses of a paper."""
    return PaperLinks(**paper_links(arxiv_id))


def build_reference_resolution(facts: RecordFacts) -> ReferenceResolution:
    """Build the summary of the displayed references."""
    counts = sorted(count_states(facts).items())
    return ReferenceResolution(
        displayed=len(facts.outbound),
        total_outbound_references=facts.total_outbound,
        state_counts=[StateCount(status=status, count=count) for status, count in counts],
    )


@strawberry.type(
    description=(
        "The Paper Citation Record: everything that is known of one paper's citations, with where "
        "each statement came from, and a digest to verify it. Its parts are also fields of Paper."
    )
)
class CitationRecord:
    """A record; its source is a ``RecordSource``."""

    as_of: datetime = strawberry.field(
        description="The time of the question, to the minute; not covered by the digest.",
        resolver=lambda root: floor_to_minute(root.as_of),
        graphql_type=datetime,
    )

    @strawberry.field(name="schema", description="The name of the record's form.")
    def schema_name() -> str:
        """Return the name."""
        return SCHEMA_NAME

    @strawberry.field(description="What a citation does not claim.")
    def refusal() -> str:
        """Return the sentence."""
        return REFUSAL

    @strawberry.field(description="The record in a sentence.")
    def thesis(parent: strawberry.Parent[RecordSource]) -> str:
        """Return the sentence."""
        return build_thesis(parent.facts, as_of=parent.as_of)

    @strawberry.field(description="What it may show and spend.")
    def caps() -> RecordCaps:
        """Return the caps."""
        return RecordCaps(**CAPS)

    @strawberry.field(description="The addresses that it gives.")
    def links(parent: strawberry.Parent[RecordSource]) -> PaperLinks:
        """Return the addresses."""
        return build_paper_links(parent.facts.paper.arxiv_id)

    @strawberry.field(
        description="The standing sources that were asked, newest receipt each. Empty: none was.",
        graphql_type=list[SourceReceipt],
    )
    def standing_sources(parent: strawberry.Parent[RecordSource]) -> Sequence[ReceiptRow]:
        """Return the receipts."""
        return standing_sources(parent.facts)

    @strawberry.field(description="How the displayed references resolve.")
    def reference_resolution(parent: strawberry.Parent[RecordSource]) -> ReferenceResolution:
        """Return the summary."""
        return build_reference_resolution(parent.facts)

    @strawberry.field(
        description="All four lanes of how complete the record is.", graphql_type=list[Coverage]
    )
    def coverage(parent: strawberry.Parent[RecordSource]) -> Sequence[Lane]:
        """Return the lanes."""
        return build_lanes(parent.facts)

    @strawberry.field(
        description=(
            "`sha256:` and the hex SHA-256 of `canonicalForm`. It changes with the facts and, "
            "through the thesis, with the day."
        )
    )
    def context_digest(parent: strawberry.Parent[RecordSource]) -> str:
        """Return the digest."""
        digest: str = parent.json["context_digest"]
        return digest

    @strawberry.field(
        description=(
            "The canonical JSON (RFC 8785) that `contextDigest` covers: the record without `as_of` "
            "and `context_digest`."
        )
    )
    def canonical_form(parent: strawberry.Parent[RecordSource]) -> str:
        """Return the covered bytes."""
        return covered_bytes(parent.json).decode()

    @strawberry.field(description="The whole record as canonical JSON.")
    def json(parent: strawberry.Parent[RecordSource]) -> str:
        """Return the record."""
        return record_bytes(parent.json).decode()
