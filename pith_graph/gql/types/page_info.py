"""PageInfo: what a page says of the list around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import strawberry

from pith_graph.read.keyset import Page


@strawberry.type(description="What a page says of the list around it. Exact in both directions.")
class PageInfo:
    """Relay's page information; its source is a ``PageInfoSource``."""

    has_next_page: bool = strawberry.field(description="Whether the list goes on after the page.")
    has_previous_page: bool = strawberry.field(description="Whether it has more before the page.")
    start_cursor: str | None = strawberry.field(
        description="The first edge's cursor; null on an empty page."
    )
    end_cursor: str | None = strawberry.field(
        description="The last edge's cursor; null on an empty page."
    )


@dataclass(frozen=True, slots=True)
class PageInfoSource:
    """A page's source object. Cursors are made when they are looked at, and only then read.

    Attributes:
        page: The page.
        cursor: Encodes the cursor of an item.
    """

    page: Page[Any]
    cursor: Callable[[Any], str]

    @property
    def has_next_page(self) -> bool:
        """Whether the list goes on after the page."""
        return self.page.has_next

    @property
    def has_previous_page(self) -> bool:
        """Whether it has more before the page."""
        return self.page.has_previous

    @property
    def start_cursor(self) -> str | None:
        """The first item's cursor."""
        return self.cursor(self.page.items[0]) if self.page.items else None

    @property
    def end_cursor(self) -> str | None:
        """The last item's cursor."""
        return self.cursor(self.page.items[-1]) if self.page.items else None
