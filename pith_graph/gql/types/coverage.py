"""Coverage: one lane of how complete an answer is."""

from __future__ import annotations

from datetime import datetime

import strawberry

from pith_graph.vocabulary import CoverageLane, MeasurementState


@strawberry.type(
    description=(
        "One lane of how complete an answer is, over the citations that the paper's record "
        "displays: at most 100 in each direction."
    )
)
class Coverage:
    """A lane; its source is a ``Lane``."""

    lane: CoverageLane = strawberry.field(description="Which lane.")
    denominator: int = strawberry.field(description="How many things the lane speaks of.")
    records_observed: int = strawberry.field(description="How many of them have a record.")
    checked: int = strawberry.field(
        description="How many of them were really looked at: of the rest nothing is known."
    )
    state: MeasurementState = strawberry.field(description="Whether the lane was measured.")
    source: str = strawberry.field(description="The tables that it is computed from.")
    source_observed_at: datetime | None = strawberry.field(
        description="The newest time behind it; null where there is none."
    )
    note: str = strawberry.field(description="What the lane measures.")
    empty_means: str = strawberry.field(description="What an empty answer means in this lane, now.")
