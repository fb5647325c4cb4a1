"""Work: a canonical scholarly work that citations resolve to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import strawberry

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
from pith_graph.gql.types.measurement import ExternalCitationMeasurement
from pith_graph.gql.types.node import Node
from pith_graph.gql.types.standing import NoticeSource, StandingNotice
from pith_graph.read.lists import CitationList
from pith_graph.read.rows import AuthorRow, MeasurementRow, PaperRow, WorkRow
from pith_graph.vocabulary import MetadataSource

if TYPE_CHECKING:
    from pith_graph.gql.types.paper import Paper

LazyPaper = Annotated["Paper", strawberry.lazy("pith_graph.gql.types.paper")]


@strawberry.type(
    description=(
        "A canonical scholarly work that citations resolve to; it may have a DOI, an arXiv id, "
        "both or neither."
    )
)
class Work(Node):
    """A work; its source is a ``WorkRow``."""

    work_id: UUID = strawberry.field(description="The work's own id.")
    doi: DOI | None = strawberry.field(description="DOI; null where none is known.")
    arxiv_id: ArxivId | None = strawberry.field(description="arXiv id; null where none is known.")
    title: str | None = strawberry.field(description="Title as its source writes it.")
    venue: str | None = strawberry.field(description="Journal, book or conference.")
    year: int | None = strawberry.field(description="Year of publication.")
    metadata_source: MetadataSource | None = strawberry.field(
        description="Where this metadata comes from; null where not known."
    )
    snapshot_observed_at: datetime = strawberry.field(
        description="When this metadata was observed."
    )

    @classmethod
    def is_type_of(cls, source: Any, _info: Any) -> bool:
        """Tell works from other nodes."""
        return isinstance(source, WorkRow)

    @strawberry.field(description="The metadata's source as it spells itself; null where unknown.")
    def metadata_source_raw(parent: strawberry.Parent[WorkRow]) -> str | None:
        """Return the spelling."""
        source = parent.metadata_source
        return None if source is None else source.spelling(parent.metadata_source_raw)

    @strawberry.field(
        description="Authors in order; null where they are not known.",
        graphql_type=list[Author] | None,
    )
    async def authors(parent: strawberry.Parent[WorkRow], info: Info) -> Sequence[AuthorRow] | None:
        """Return the authors."""
        return await info.context.loaders.work_authors.load(parent.key)

    @strawberry.field(
        description="The held paper with the work's arXiv id; null where none is held.",
        graphql_type=LazyPaper | None,
    )
    async def paper(parent: strawberry.Parent[WorkRow], info: Info) -> PaperRow | None:
        """Return the paper."""
        if parent.arxiv_id is None:
            return None
        return await info.context.loaders.papers.load(parent.arxiv_id)

    @strawberry.field(
        description="The held citations that are linked to this work, newest first by default.",
        graphql_type=CitationConnection,
    )
    @for_many
    async def citations(
        works: Sequence[WorkRow],
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
        """Return the work's citations."""
        page = PageArguments(first, last, after, before)
        request = build_request(CitationList.WORK, page, filter, order_by, asked)
        return [ConnectionSource(work, *request) for work in works]

    @strawberry.field(
        description="Whether anything says that the work is retracted, corrected or questioned.",
        graphql_type=StandingNotice,
    )
    async def standing_notice(parent: strawberry.Parent[WorkRow], info: Info) -> NoticeSource:
        """Return the work's notice."""
        return NoticeSource(await info.context.loaders.standing.load(parent.key))

    @strawberry.field(
        description="Each source's own count of the work's citations. Empty: none is stored.",
        graphql_type=list[ExternalCitationMeasurement],
    )
    async def external_citation_measurements(
        parent: strawberry.Parent[WorkRow], info: Info
    ) -> Sequence[MeasurementRow]:
        """Return the counts."""
        return await info.context.loaders.work_measurements.load(parent.key)
