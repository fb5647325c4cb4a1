"""ExternalCitationMeasurement: one source's own count, dated."""

from __future__ import annotations

from datetime import datetime

import strawberry

from pith_graph.read.rows import MeasurementRow
from pith_graph.vocabulary import MeasurementSource


@strawberry.type(
    description=(
        "One source's own count of citations, dated. Counts of different sources are never added."
    )
)
class ExternalCitationMeasurement:
    """A measurement; its source is a ``MeasurementRow``."""

    source: MeasurementSource = strawberry.field(description="Who counted.")
    count: int = strawberry.field(description="The count, in citations, by that source's rules.")
    observed_at: datetime = strawberry.field(description="When the source said so.")
    url: str | None = strawberry.field(description="Where it said so; null where not known.")

    @strawberry.field(description="The source as it spells itself.")
    def source_raw(parent: strawberry.Parent[MeasurementRow]) -> str:
        """Return the spelling."""
        return parent.source.spelling(parent.source_raw)
