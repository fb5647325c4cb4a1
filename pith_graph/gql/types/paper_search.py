"""PaperSearchConnection: a page of the papers whose titles match, loaded when it is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import strawberry

from pith_graph.folding import fold_text
from pith_graph.gql.connection import PageArguments, read_window
from pith_graph.gql.context import Info
from pith_graph.gql.cursors import CursorForm, render_cursor
from pith_graph.gql.types.page_info import PageInfo, PageInfoSource
from pith_graph.gql.types.paper import Paper
from pith_graph.read.keyset import Window
from pith_graph.read.rows import PaperRow
from pith_graph.read.search import SearchHit, SearchPage, parse_words


@dataclass(frozen=True, slots=True)
class SearchSource:
    """A search's source object: a page that is yet to be loaded."""

    query: str
    window: Window
    form: CursorForm

    async def load(self, info: Info) -> SearchPage:
        """Load the page."""
        return await info.context.loaders.searches.load((self.query, self.window))

    def cursor(self, hit: SearchHit) -> str:
        """Encode a hit's cursor."""
        return render_cursor(self.form.name, hit.sort_values)


@dataclass(frozen=True, slots=True)
class HitSource:
    """An edge's source object."""

    cursor: str
    node: PaperRow
    rank: int


def build_search(query: str, page: PageArguments) -> SearchSource:
    """Build a search from its arguments.

    Raises:
        InputError: A query without a word, or a paging argument out of bounds.
        CursorError: A cursor that is unreadable or from another search.
    """
    parse_words(query)
    form = CursorForm(f"search/{fold_text(query)}", (int, int))
    return SearchSource(query, read_window(form, page), form)


@strawberry.type(description="A paper that was found, with its cursor.")
class PaperSearchEdge:
    """An edge; its source is a ``HitSource``."""

    cursor: str = strawberry.field(description="Where in the list it stands: opaque.")
    node: Paper = strawberry.field(description="The paper.")
    rank: int = strawberry.field(
        description=(
            "How well the title matches, higher is better: the words as a phrase, then how many "
            "are whole words of it, then its shortness. It compares answers to one query alone."
        )
    )


@strawberry.type(description="A page of the held papers whose titles match, the best first.")
class PaperSearchConnection:
    """A connection; its source is a ``SearchSource``."""

    @strawberry.field(description="How many held papers match.")
    async def total_count(parent: strawberry.Parent[SearchSource], info: Info) -> int:
        """Count the matches."""
        return await info.context.loaders.search_counts.load(parent.query)

    @strawberry.field(
        description="What the page says of the list around it.", graphql_type=PageInfo
    )
    async def page_info(parent: strawberry.Parent[SearchSource], info: Info) -> PageInfoSource:
        """Return the page's information."""
        page = await parent.load(info)
        return PageInfoSource(page, parent.cursor)

    @strawberry.field(
        description="The papers found. Empty means what `emptyMeans` says.",
        graphql_type=list[PaperSearchEdge],
    )
    async def edges(parent: strawberry.Parent[SearchSource], info: Info) -> Sequence[HitSource]:
        """Return the page's edges."""
        page = await parent.load(info)
        return [HitSource(parent.cursor(hit), hit.paper, hit.rank) for hit in page.items]

    @strawberry.field(description="What an empty list means here.")
    def empty_means() -> str:
        """Return the sentence."""
        return (
            "No paper that this store holds has all the words in its title; papers that it does "
            "not hold may."
        )
