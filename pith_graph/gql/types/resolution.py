"""Resolution: the typed state of the link from a citation to a work."""

from __future__ import annotations

from datetime import datetime

import strawberry

from pith_graph.read.rows import ResolutionRow
from pith_graph.vocabulary import ResolutionStatus, ResolverSource


@strawberry.type(
    description=(
        "The typed state of the link from a citation to a canonical work, by a named resolver, at "
        "a time. It speaks of the work alone: a held paper may be cited and the link unresolved."
    )
)
class Resolution:
    """A resolution; its source is a ``ResolutionRow``."""

    status: ResolutionStatus = strawberry.field(description="The state.")
    resolver_source: ResolverSource | None = strawberry.field(
        description="What made the link; null where nothing did."
    )
    observed_at: datetime = strawberry.field(
        description="When the link was made; without one, when the citation was observed."
    )

    @strawberry.field(description="The resolver as it spells itself; null where there is none.")
    def resolver_source_raw(parent: strawberry.Parent[ResolutionRow]) -> str | None:
        """Return the spelling."""
        source = parent.resolver_source
        return None if source is None else source.spelling(parent.resolver_source_raw)

    @strawberry.field(
        description=(
            "Whether the work was made from this very reference, so that the link verifies nothing."
        )
    )
    def self_minted(parent: strawberry.Parent[ResolutionRow]) -> bool:
        """Say whether the resolver fell back on the raw reference."""
        return parent.resolver_source is ResolverSource.RAW_FALLBACK
