"""CitedReference: what a bibliography entry says."""

from __future__ import annotations

import strawberry

from pith_graph.gql.scalars import DOI, ArxivId
from pith_graph.read.rows import CitedReferenceRow


@strawberry.type(
    description=(
        "What the bibliography entry itself says. A field is null where the entry does not say it, "
        "and where that is not known: a record shows only the work of an entry that is linked."
    )
)
class CitedReference:
    """A cited reference; its source is a ``CitedReferenceRow``."""

    title: str | None = strawberry.field(description="Title as read from the entry.")
    year: int | None = strawberry.field(description="Year as read from the entry.")
    venue: str | None = strawberry.field(description="Journal, book or conference.")
    doi: DOI | None = strawberry.field(description="DOI that the entry carries.")
    arxiv_id: ArxivId | None = strawberry.field(description="arXiv id that the entry carries.")
    raw_text: str | None = strawberry.field(description="The entry's text, byte for byte.")

    @strawberry.field(description="Authors as read from the entry, in order.")
    def authors(parent: strawberry.Parent[CitedReferenceRow]) -> list[str] | None:
        """Return the names, one a line in the store."""
        return None if parent.authors_text is None else parent.authors_text.split("\n")
