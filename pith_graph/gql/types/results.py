"""The answers of a plural look-up: one member for each input, so that one bad id nulls no other."""

from __future__ import annotations

from typing import Annotated, Any

import strawberry

from pith_graph.gql.scalars import ArxivId
from pith_graph.gql.types.paper import Paper


@strawberry.type(description="A well-formed identifier of a paper that this store does not hold.")
class NotHeld:
    """Nothing held."""

    input: str = strawberry.field(description="The identifier as it was given.")
    identifier: str = strawberry.field(description="The identifier in canonical form.")
    message: str = strawberry.field(description="A sentence for people.")


@strawberry.type(description="Text that is no identifier in any written form.")
class MalformedIdentifier:
    """Nothing readable."""

    input: str = strawberry.field(description="The text as it was given.")
    message: str = strawberry.field(description="What is wrong and what was expected.")


@strawberry.type(description="A DOI that several held papers carry.")
class AmbiguousIdentifier:
    """Too many held."""

    input: str = strawberry.field(description="The identifier as it was given.")
    candidates: list[ArxivId] = strawberry.field(description="The papers that carry it.")
    message: str = strawberry.field(description="A sentence for people.")


PaperResult = Annotated[
    Paper | NotHeld | MalformedIdentifier | AmbiguousIdentifier,
    strawberry.union("PaperResult", description="A paper, or why there is none."),
]

ResultSource = Any
"""A ``PaperRow``, or one of the three other types."""
