"""CitationConnection: a page of one of the lists of citations, loaded when it is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeVar

import strawberry

from pith_graph.gql.connection import PageArguments, read_window
from pith_graph.gql.context import Info
from pith_graph.gql.cursors import CursorForm, render_cursor
from pith_graph.gql.execution import Asked
from pith_graph.gql.types.page_info import PageInfo, PageInfoSource
from pith_graph.gql.types.shapes import citation_shape
from pith_graph.read.keyset import Page
from pith_graph.read.lists import (
    DEFAULT_SORTS,
    CitationFilter,
    CitationList,
    CitationSort,
)
from pith_graph.read.pages import PageRequest
from pith_graph.read.rows import CitationRow, PaperRow, WorkRow
from pith_graph.vocabulary import (
    BibliographyState,
    CitationOrderField,
    OrderDirection,
    ResolutionStatus,
    StandingClass,
)

if TYPE_CHECKING:
    from pith_graph.gql.types.citation import Citation

Member = TypeVar("Member")


@strawberry.input(name="CitationFilter", description="Which citations of a list are wanted.")
class CitationFilterInput:
    """The conditions of a filter; all must hold."""

    resolution: list[ResolutionStatus] | None = strawberry.field(
        default=None, description="Only those in one of these states. An empty list is none."
    )
    standing: list[StandingClass] | None = strawberry.field(
        default=None,
        description="Only those whose linked work has one of these. An empty list is none.",
    )


@strawberry.input(description="How a list of citations is ordered; ties go by observation.")
class CitationOrder:
    """A sort."""

    field: CitationOrderField = strawberry.field(description="By what.")
    direction: OrderDirection = strawberry.field(
        default=OrderDirection.ASC, description="Which way."
    )


@dataclass(frozen=True, slots=True)
class ConnectionSource:
    """A connection's source object: a page of one parent's list that is yet to be loaded."""

    parent: PaperRow | WorkRow
    request: PageRequest
    form: CursorForm

    async def load(self, info: Info) -> Page[CitationRow]:
        """Load the page."""
        return await info.context.loaders.pages.load((self.request, self.parent.key))

    def cursor(self, citation: CitationRow) -> str:
        """Encode a citation's cursor."""
        return render_cursor(self.form.name, citation.sort_values)


class EdgeSource(NamedTuple):
    """An edge's source object: a named tuple, since there are hundreds."""

    connection: ConnectionSource
    node: CitationRow

    @property
    def cursor(self) -> str:
        """Where the citation stands in the list."""
        return self.connection.cursor(self.node)


def build_request(
    which: CitationList,
    page: PageArguments,
    wanted: CitationFilterInput | None,
    order: CitationOrder | None,
    asked: Asked,
) -> tuple[PageRequest, CursorForm]:
    """Build what is to be loaded for a connection from its arguments and what is asked below it.

    Raises:
        InputError: A paging argument out of bounds.
        CursorError: A cursor that is unreadable or from another list, sort or filter.
    """
    sort = DEFAULT_SORTS[which] if order is None else CitationSort(order.field, order.direction)
    only = CitationFilter(
        resolution=None if wanted is None else _some(wanted.resolution),
        standing=None if wanted is None else _some(wanted.standing),
    )
    form = _cursor_form(which, sort, only)
    window = read_window(form, page)
    return PageRequest(which, sort, window, only, citation_shape(asked)), form


def _some(members: list[Member] | None) -> frozenset[Member] | None:
    return None if members is None else frozenset(members)


def _cursor_form(which: CitationList, sort: CitationSort, only: CitationFilter) -> CursorForm:
    name = f"{which.value}/{sort.name}/{only.name}"
    if sort.field is CitationOrderField.REFERENCE_INDEX:
        return CursorForm(name, (int, int, int))
    if sort.field is CitationOrderField.OBSERVED_AT:
        return CursorForm(name, (datetime, int))
    if which is CitationList.OUTBOUND:
        return CursorForm(name, (int, int), nullable=True)
    return CursorForm(name, (datetime, int), nullable=True)


LazyCitation = Annotated["Citation", strawberry.lazy("pith_graph.gql.types.citation")]


@strawberry.type(description="A citation in a list, with its cursor.")
class CitationEdge:
    """An edge; its source is an ``EdgeSource``."""

    cursor: str = strawberry.field(description="Where in the list it stands: opaque.")
    node: LazyCitation = strawberry.field(description="The citation.")


@strawberry.type(description="A page of citations, and how many there are.")
class CitationConnection:
    """A connection; its source is a ``ConnectionSource``."""

    @strawberry.field(
        description=(
            "How many citations paging yields under the same filter. Null where it was not "
            "measured: for the outbound citations of a paper whose bibliography is not loaded."
        )
    )
    async def total_count(parent: strawberry.Parent[ConnectionSource], info: Info) -> int | None:
        """Count the list: from kept counts, by scanning it only under a standing filter."""
        request, key = parent.request, parent.parent.key
        which, only = request.which, request.filter
        loaders = info.context.loaders
        if which is CitationList.WORK:
            counts = await loaders.work_counts.load(key)
        else:
            holdings = await loaders.holdings.load(key)
            if which is CitationList.OUTBOUND and holdings.bibliography is None:
                return None
            counts = holdings.outbound if which is CitationList.OUTBOUND else holdings.inbound
        if only.standing is not None:
            return await loaders.filtered_counts.load((which, only, key))
        statuses = list(ResolutionStatus) if only.resolution is None else only.resolution
        return sum(counts.get(status, 0) for status in statuses)

    @strawberry.field(
        description="What the page says of the list around it.", graphql_type=PageInfo
    )
    async def page_info(parent: strawberry.Parent[ConnectionSource], info: Info) -> PageInfoSource:
        """Return the page's information."""
        page = await parent.load(info)
        return PageInfoSource(page, parent.cursor)

    @strawberry.field(
        description="The page's citations in the list's order. Empty means what `emptyMeans` says.",
        graphql_type=list[CitationEdge],
    )
    async def edges(
        parent: strawberry.Parent[ConnectionSource], info: Info
    ) -> Sequence[EdgeSource]:
        """Return the page's edges."""
        page = await parent.load(info)
        return [EdgeSource(parent, citation) for citation in page.items]

    @strawberry.field(description="What an empty list means here.")
    async def empty_means(parent: strawberry.Parent[ConnectionSource], info: Info) -> str:
        """Return a sentence for this list and what is loaded of it."""
        which, only = parent.request.which, parent.request.filter
        if which is CitationList.OUTBOUND:
            holdings = await info.context.loaders.holdings.load(parent.parent.key)
            if holdings.state is not BibliographyState.LOADED:
                return _NOT_WHOLE[holdings.state]
        if only.name:
            return "No citation in this list passes the filter; others may be in the list."
        return _EMPTY_MEANS[which]


_NOT_WHOLE = {
    BibliographyState.NOT_LOADED: (
        "No bibliography of this paper is loaded: what it cites is not known."
    ),
    BibliographyState.PARTIAL: (
        "Only a part of the bibliography is held: what it cites beyond that is not known."
    ),
}
_EMPTY_MEANS = {
    CitationList.OUTBOUND: "The whole bibliography was read and has no entries.",
    CitationList.INBOUND: (
        "No bibliography that this store holds cites the paper; papers that it does not hold may."
    ),
    CitationList.WORK: (
        "No citation that this store holds is linked to the work; unlinked ones may mean it."
    ),
}
