"""Limits: what one request may ask for, from the server's settings."""

from __future__ import annotations

import strawberry

from pith_graph.settings import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE


@strawberry.type(description="What one request may ask for. A request beyond it is refused.")
class Limits:
    """The limits; their source is the ``Settings``."""

    max_body_bytes: int = strawberry.field(description="Largest request body, in bytes.")
    max_query_tokens: int = strawberry.field(description="Most lexical tokens of a document.")
    max_depth: int = strawberry.field(description="Deepest nesting of fields.")
    max_aliases: int = strawberry.field(description="Most aliases of an operation.")
    max_directives: int = strawberry.field(description="Most directives of an operation.")
    max_root_fields: int = strawberry.field(description="Most root fields of an operation.")
    max_cost: int = strawberry.field(
        description="Most objects that an answer may hold, pages counted at their full size."
    )
    request_timeout_seconds: float = strawberry.field(
        description="Longest execution of a request, in seconds."
    )

    @strawberry.field(description="Largest `first` or `last`.")
    def max_page_size() -> int:
        """Return the bound."""
        return MAX_PAGE_SIZE

    @strawberry.field(description="The page size without `first` or `last`.")
    def default_page_size() -> int:
        """Return the default."""
        return DEFAULT_PAGE_SIZE

    @strawberry.field(description="Most inputs of a plural look-up.")
    def max_keys() -> int:
        """Return the bound."""
        return MAX_KEYS


MAX_KEYS = 100
