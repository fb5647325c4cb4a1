"""Author: one author of a paper or a work."""

from __future__ import annotations

import strawberry


@strawberry.type(description="One author of a paper or a work, in the order printed.")
class Author:
    """An author; its source is an ``AuthorRow``."""

    position: int = strawberry.field(description="Place in the list of authors, from 1.")
    name: str = strawberry.field(description="The name as its source prints it.")
    family: str | None = strawberry.field(description="Family name; null where not known.")
    given: str | None = strawberry.field(description="Given names; null where not known.")
    orcid: str | None = strawberry.field(description="ORCID iD; null where not known.")
