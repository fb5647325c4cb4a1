"""Paper: an arXiv e-print that the store holds, with its citations in both directions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import strawberry

from pith_graph.errors import InputError
from pith_graph.gql.connection import PageArguments
from pith_graph.gql.context import Info
from pith_graph.gql.execution import Asked, for_many
from pith_graph.gql.scalars import DOI, ArxivId
from pith_graph.gql.types.author import Author
from pith_graph.gql.types.citation_connection import (
    CitationConnection,
    CitationFilterInput,
    CitationOrder,
    ConnectionSource,
    build_request,
)
from pith_graph.gql.types.citation_record import (
    CitationRecord,
    RecordSource,
    build_paper_links,
    build_reference_resolution,
)
from pith_graph.gql.types.coverage import Coverage
from pith_graph.gql.types.links import PaperLinks
from pith_graph.gql.types.measurement import ExternalCitationMeasurement
from pith_graph.gql.types.node import Node
from pith_graph.gql.types.reference_resolution import ReferenceResolution
from pith_graph.instants import render_instant
from pith_graph.read.lists import CitationList
from pith_graph.read.rows import AuthorRow, MeasurementRow, PaperRow
from pith_graph.record.coverage import Lane, build_lanes
from pith_graph.record.facts import fetch_past_facts, load_facts
from pith_graph.vocabulary import BibliographyState, CoverageLane


@strawberry.type(
    description=(
        "An arXiv e-print that the store holds, known by its bare arXiv id; versions are "
        "attributes. A field is null where no source has said."
    )
)
class Paper(Node):
    """A paper; its source is a ``PaperRow``."""

    arxiv_id: ArxivId = strawberry.field(description="The bare arXiv id.")
    title: str = strawberry.field(description="Title as its source writes it.")
    latest_version: int = strawberry.field(description="The newest version's number, from 1.")
    primary_category: str | None = strawberry.field(description="arXiv's primary category.")
    abstract: str | None = strawberry.field(description="Abstract as its source writes it.")
    comments: str | None = strawberry.field(description="The authors' comments to arXiv.")
    journal_ref: str | None = strawberry.field(description="Journal reference given to arXiv.")
    doi: DOI | None = strawberry.field(description="DOI of the published version.")
    license: str | None = strawberry.field(description="URL of the licence.")
    submitted_at: datetime = strawberry.field(description="When the first version was submitted.")
    last_updated: datetime = strawberry.field(description="When the newest version was.")
    snapshot_observed_at: datetime = strawberry.field(
        description="When this metadata was observed."
    )

    @classmethod
    def is_type_of(cls, source: Any, _info: Any) -> bool:
        """Tell papers from other nodes."""
        return isinstance(source, PaperRow)

    @strawberry.field(description="All categories, the primary first; null where not known.")
    def categories(parent: strawberry.Parent[PaperRow]) -> list[str] | None:
        """Return the categories, separated by spaces in the store."""
        return None if parent.categories_text is None else parent.categories_text.split()

    @strawberry.field(description="The addresses that the paper's record gives.")
    def links(parent: strawberry.Parent[PaperRow]) -> PaperLinks:
        """Return the addresses."""
        return build_paper_links(parent.arxiv_id)

    @strawberry.field(
        description="Authors in order; null where they are not known.",
        graphql_type=list[Author] | None,
    )
    async def authors(
        parent: strawberry.Parent[PaperRow], info: Info
    ) -> Sequence[AuthorRow] | None:
        """Return the authors."""
        return await info.context.loaders.paper_authors.load(parent.key)

    @strawberry.field(description="How much of the paper's own bibliography is held.")
    async def bibliography_state(
        parent: strawberry.Parent[PaperRow], info: Info
    ) -> BibliographyState:
        """Return the state."""
        return (await info.context.loaders.holdings.load(parent.key)).state

    @strawberry.field(
        description=(
            "The citations that this paper makes: from it to what it cites. By default in the "
            "order of its bibliography."
        ),
        graphql_type=CitationConnection,
    )
    @for_many
    async def outbound(
        papers: Sequence[PaperRow],
        _info: Info,
        *,
        asked: Asked,
        first: int | None = None,
        last: int | None = None,
        after: str | None = None,
        before: str | None = None,
        filter: CitationFilterInput | None = None,  # noqa: A002  # the argument's name
        order_by: CitationOrder | None = None,
    ) -> list[ConnectionSource]:
        """Return the citations that the paper makes."""
        page = PageArguments(first, last, after, before)
        request = build_request(CitationList.OUTBOUND, page, filter, order_by, asked)
        return [ConnectionSource(paper, *request) for paper in papers]

    @strawberry.field(
        description=(
            "The citations of this paper by other held papers: from them to it. By default newest "
            "first."
        ),
        graphql_type=CitationConnection,
    )
    @for_many
    async def inbound(
        papers: Sequence[PaperRow],
        _info: Info,
        *,
        asked: Asked,
        first: int | None = None,
        last: int | None = None,
        after: str | None = None,
        before: str | None = None,
        filter: CitationFilterInput | None = None,  # noqa: A002  # the argument's name
        order_by: CitationOrder | None = None,
    ) -> list[ConnectionSource]:
        """Return the citations of the paper."""
        page = PageArguments(first, last, after, before)
        request = build_request(CitationList.INBOUND, page, filter, order_by, asked)
        return [ConnectionSource(paper, *request) for paper in papers]

    @strawberry.field(description="How the references that the paper's record displays resolve.")
    async def reference_resolution(
        parent: strawberry.Parent[PaperRow], info: Info
    ) -> ReferenceResolution:
        """Return the summary."""
        return build_reference_resolution(await load_facts(info.context.loaders, parent))

    @strawberry.field(
        description="How complete the answer is, lane by lane; without `lanes` all four.",
        graphql_type=list[Coverage],
    )
    async def coverage(
        parent: strawberry.Parent[PaperRow], info: Info, lanes: list[CoverageLane] | None = None
    ) -> Sequence[Lane]:
        """Return the lanes, in the record's order."""
        built = build_lanes(await load_facts(info.context.loaders, parent))
        return [lane for lane in built if lanes is None or lane.lane in lanes]

    @strawberry.field(
        description=(
            "Other sources' own counts of the paper's citations, never added up. Empty means that "
            "none is stored: see the coverage lane, not zero."
        ),
        graphql_type=list[ExternalCitationMeasurement],
    )
    async def external_citation_measurements(
        parent: strawberry.Parent[PaperRow], info: Info
    ) -> Sequence[MeasurementRow]:
        """Return the counts."""
        return (await info.context.loaders.paper_notes.load(parent.key)).measurements

    @strawberry.field(
        description="The Paper Citation Record, of now or as it was known at a time.",
        graphql_type=CitationRecord,
    )
    async def record(
        parent: strawberry.Parent[PaperRow], info: Info, as_of: datetime | None = None
    ) -> RecordSource:
        """Return the record."""
        context = info.context
        if as_of is None:
            return RecordSource(await load_facts(context.loaders, parent), context.now)
        if as_of > context.now:
            raise InputError(
                f"`asOf` is {render_instant(as_of)}, which is yet to come: expected a time up to "
                "now"
            )
        facts = await fetch_past_facts(context.snapshot, parent.arxiv_id, at=as_of)
        return RecordSource(facts, as_of)
