"""The addresses that a paper's and a citation's record give, relative to this server."""

from __future__ import annotations

import strawberry


@strawberry.type(description="The addresses that a paper's record gives, as paths.")
class PaperLinks:
    """A paper's addresses."""

    paper: str = strawberry.field(description="The paper.")
    html: str = strawberry.field(description="The record as a page.")
    json: str = strawberry.field(description="The record as JSON: served here.")
    integrity: str = strawberry.field(description="The paper's integrity page.")
    evidence: str = strawberry.field(description="What the evidence means.")


@strawberry.type(description="The addresses that a citation's record gives, as paths.")
class CitationLinks:
    """A citation's addresses."""

    citing_paper: str = strawberry.field(description="The paper that cites.")
    cited_paper: str | None = strawberry.field(
        description="The held paper that is cited; null where none is."
    )
