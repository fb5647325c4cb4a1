"""ReferenceResolution: how the displayed references resolve."""

from __future__ import annotations

import strawberry

from pith_graph.vocabulary import ResolutionStatus


@strawberry.type(description="How many displayed citations are in a state.")
class StateCount:
    """A count."""

    status: ResolutionStatus = strawberry.field(description="The state.")
    count: int = strawberry.field(description="The number of displayed outbound citations in it.")


@strawberry.type(description="How the outbound citations that the record displays resolve.")
class ReferenceResolution:
    """The summary of a paper's references."""

    displayed: int = strawberry.field(description="Citations displayed, at most 100.")
    total_outbound_references: int | None = strawberry.field(
        description="References the paper has; null where its bibliography is not loaded."
    )
    state_counts: list[StateCount] = strawberry.field(
        description="All six states, in alphabetical order; they add up to `displayed`."
    )
