"""PageInfo: what a page says of the list around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import strawberry

from pith_graph.read.keyset import Page


@strawberry.type(description="What a page says of the list around it. Exact in both directions.")
class PageInfo:
    """Relay's page information."""

    has_next_page: bool = strawberry.field(description="Whether the list goes on after the page.")
    has_previous_page: bool = strawberry.field(description="Whether it has more before the page.")
    start_cursor: str | None = strawberry.field(
        description="The first edge's cursor; null on an empty page."
    )
    end_cursor: str | None = strawberry.field(
        description="The last edge's cursor; null on an empty page."
    )


def build_page_info(page: Page[Any], cursors: Sequence[str]) -> PageInfo:
    """Build the information of a page from the cursors of its edges."""
    return PageInfo(
        has_next_page=page.has_next,
        has_previous_page=page.has_previous,
        start_cursor=cursors[0] if cursors else None,
        end_cursor=cursors[-1] if cursors else None,
    )
