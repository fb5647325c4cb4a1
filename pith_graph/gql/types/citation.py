"""Citation: one observation of one bibliography entry, with the papers and the work it joins."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import strawberry

from pith_graph.canonical import render_canonical
from pith_graph.gql.context import Info
from pith_graph.gql.execution import for_many
from pith_graph.gql.types.cited_reference import CitedReference
from pith_graph.gql.types.links import CitationLinks
from pith_graph.gql.types.node import Node
from pith_graph.gql.types.resolution import Resolution
from pith_graph.gql.types.standing import NoticeSource, StandingNotice
from pith_graph.read.rows import CitationRow, StandingRow
from pith_graph.record.observation import build_observation, build_undigested
from pith_graph.record_text import citation_links
from pith_graph.vocabulary import CitationSource

if TYPE_CHECKING:
    from pith_graph.gql.types.paper import Paper
    from pith_graph.gql.types.work import Work

LazyPaper = Annotated["Paper", strawberry.lazy("pith_graph.gql.types.paper")]
LazyWork = Annotated["Work", strawberry.lazy("pith_graph.gql.types.work")]


async def load_standing(citation: CitationRow, info: Info) -> StandingRow | None:
    """Load the standing of a citation's linked work; None without one."""
    work = citation.work_key
    return None if work is None else await info.context.loaders.standing.load(work)


@strawberry.type(
    description=(
        "One observation: an entry of one paper's bibliography, seen in one source at one time. "
        "It records a reference and transfers no finding."
    )
)
class Citation(Node):
    """A citation; its source is a ``CitationRow``."""

    observation_id: UUID = strawberry.field(description="The observation's own id; never changes.")
    reference_index: int = strawberry.field(
        description="The entry's place in the citing paper's bibliography, from 1."
    )
    sub_index: int = strawberry.field(
        description="Which work of an entry that names several, from 0."
    )
    source: CitationSource = strawberry.field(description="Where it was observed.")
    source_observed_at: datetime = strawberry.field(description="When it was observed there.")
    cited_as: CitedReference = strawberry.field(description="What the bibliography entry says.")
    resolution: Resolution = strawberry.field(description="The state of the link to a work.")
    citing_paper: LazyPaper = strawberry.field(
        description="The paper whose bibliography has the entry: the edge's start."
    )
    cited_paper: LazyPaper | None = strawberry.field(
        description=(
            "The held paper that the entry points to: the edge's end. Null where the entry points "
            "to none, or to one that this store does not hold."
        )
    )
    cited_work: LazyWork | None = strawberry.field(
        description="The canonical work that the entry is linked to; null where there is no link."
    )

    @classmethod
    def is_type_of(cls, source: Any, _info: Any) -> bool:
        """Tell citations from other nodes."""
        return isinstance(source, CitationRow)

    @strawberry.field(description="The source as it spells itself.")
    def source_raw(parent: strawberry.Parent[CitationRow]) -> str:
        """Return the spelling."""
        return parent.source.spelling(parent.source_raw)

    @strawberry.field(
        description=(
            "`sha256:` and the hex SHA-256 of `canonicalForm`: it changes with the link, the "
            "standing and the papers' metadata that it covers."
        )
    )
    async def observation_digest(parent: strawberry.Parent[CitationRow], info: Info) -> str:
        """Compute the digest."""
        digest: str = build_observation(parent, await load_standing(parent, info))[
            "observation_digest"
        ]
        return digest

    @strawberry.field(description="The canonical JSON (RFC 8785) that `observationDigest` covers.")
    async def canonical_form(parent: strawberry.Parent[CitationRow], info: Info) -> str:
        """Build the canonical form."""
        return render_canonical(
            build_undigested(parent, await load_standing(parent, info))
        ).decode()

    @strawberry.field(description="The addresses that the record gives.")
    def links(parent: strawberry.Parent[CitationRow]) -> CitationLinks:
        """Return the addresses."""
        cited = parent.cited_paper
        found = citation_links(
            parent.citing_paper.arxiv_id, None if cited is None else cited.arxiv_id
        )
        return CitationLinks(
            citing_paper=found["citing_paper"], cited_paper=found.get("cited_paper")
        )

    @strawberry.field(
        description="Whether anything says that the linked work is retracted or questioned.",
        graphql_type=StandingNotice,
    )
    @for_many
    async def standing_notice(
        citations: Sequence[CitationRow], info: Info
    ) -> list[NoticeSource | Exception]:
        """Return the notices of linked works, each work's loaded once."""
        works = [citation.work_key for citation in citations]
        standings = await info.context.loaders.standing.load_each(
            {work for work in works if work is not None}
        )
        # Most works share one standing: its notice is built once.
        different = {id(standing): standing for standing in standings.values()}
        notices: dict[int, NoticeSource | Exception] = {
            key: standing if isinstance(standing, Exception) else NoticeSource(standing)
            for key, standing in different.items()
        }
        none = NoticeSource(None)
        return [none if work is None else notices[id(standings[work])] for work in works]
