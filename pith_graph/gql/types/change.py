"""ChangeConnection: a page of the feed of what commits added and superseded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import strawberry

from pith_graph.gql.connection import PageArguments, read_window
from pith_graph.gql.context import Info
from pith_graph.gql.cursors import CursorForm, render_cursor
from pith_graph.gql.types.node import Node, NodeRow, encode_global_id, find_node
from pith_graph.gql.types.page_info import PageInfo, PageInfoSource
from pith_graph.read.changes import ChangePage, ChangeRow
from pith_graph.read.keyset import Window
from pith_graph.vocabulary import ChangeAction, ChangeKind

_FORM = CursorForm("changes", (int, int, int, int, int))


@dataclass(frozen=True, slots=True)
class ChangesSource:
    """The feed's source object: a page that is yet to be loaded."""

    window: Window

    async def load(self, info: Info) -> ChangePage:
        """Load the page."""
        return await info.context.loaders.changes.load(self.window)


@dataclass(frozen=True, slots=True)
class ChangeEdgeSource:
    """An edge's source object."""

    cursor: str
    node: ChangeRow


def build_changes(page: PageArguments) -> ChangesSource:
    """Build the feed from its arguments.

    Raises:
        InputError: A paging argument out of bounds.
        CursorError: A cursor that is unreadable or from another list.
    """
    return ChangesSource(read_window(_FORM, page))


def _cursor(change: ChangeRow) -> str:
    return render_cursor(_FORM.name, change.sort_values)


def _subject(change: ChangeRow) -> tuple[str, str] | None:
    """Return the type's name and the public id of what a change is about."""
    if change.arxiv_id is not None:
        return "Paper", change.arxiv_id
    if change.observation_id is not None:
        return "Citation", change.observation_id
    return None if change.work_id is None else ("Work", change.work_id)


@strawberry.type(
    description=(
        "One row that a commit added or superseded. A new version of a row is two changes of one "
        "commit: the new one was added, the old one superseded. What comes in late, about a time "
        "before what is held, is both too: it was added, and was superseded already."
    )
)
class Change:
    """A change; its source is a ``ChangeRow``."""

    commit: int = strawberry.field(
        description=(
            "The number of the commit. The order of numbers is the order of commits, without gaps; "
            "each is whole or not there at all."
        )
    )
    committed_at: datetime = strawberry.field(description="When the commit was made.")
    kind: ChangeKind = strawberry.field(description="What sort of row.")
    action: ChangeAction = strawberry.field(description="What the commit did to it.")
    observed_at: datetime = strawberry.field(description="Since when the row is so.")
    superseded_at: datetime | None = strawberry.field(
        description="Until when a superseded row was so; null for an added one."
    )

    @strawberry.field(
        description=(
            "The global id of the paper, citation or work that the change is about. A resolution "
            "is about its citation; an event about its work; a receipt or a measurement about its "
            "work or paper. Null where it names none: a receipt for all that a source covers, or "
            "an event about a work that is not held."
        )
    )
    def node_id(parent: strawberry.Parent[ChangeRow]) -> strawberry.ID | None:
        """Return the subject's global id."""
        subject = _subject(parent)
        return None if subject is None else encode_global_id(*subject)

    @strawberry.field(
        description=(
            "What the change is about, as it is now and not as of the commit. Null where the store "
            "does not hold it now: a copy drops it."
        ),
        graphql_type=Node | None,
    )
    async def node(parent: strawberry.Parent[ChangeRow], info: Info) -> NodeRow | None:
        """Return the subject."""
        subject = _subject(parent)
        return None if subject is None else await find_node(info.context.loaders, *subject)


@strawberry.type(description="A change in the feed, with its cursor.")
class ChangeEdge:
    """An edge; its source is a ``ChangeEdgeSource``."""

    cursor: str = strawberry.field(
        description="Where in the feed it stands: opaque, and the same for ever."
    )
    node: Change = strawberry.field(description="The change.")


# There is no totalCount: to know it would be to read all of every table, and it grows meanwhile.
@strawberry.type(description="A page of the feed of changes, the oldest commit first.")
class ChangeConnection:
    """A connection; its source is a ``ChangesSource``."""

    @strawberry.field(
        description="What the page says of the feed around it.", graphql_type=PageInfo
    )
    async def page_info(parent: strawberry.Parent[ChangesSource], info: Info) -> PageInfoSource:
        """Return the page's information."""
        page = await parent.load(info)
        return PageInfoSource(page, _cursor)

    @strawberry.field(
        description="The page's changes. Empty means what `emptyMeans` says.",
        graphql_type=list[ChangeEdge],
    )
    async def edges(
        parent: strawberry.Parent[ChangesSource], info: Info
    ) -> Sequence[ChangeEdgeSource]:
        """Return the page's edges."""
        page = await parent.load(info)
        return [ChangeEdgeSource(_cursor(change), change) for change in page.items]

    @strawberry.field(description="What an empty page means here.")
    def empty_means(parent: strawberry.Parent[ChangesSource]) -> str:
        """Return a sentence for these arguments."""
        window = parent.window
        if window.size == 0:
            return "No change was asked for."
        if window.before is not None:
            return "No change stands there: the feed changes at its end alone."
        if window.after is not None:
            return "Nothing was committed since the change of the cursor: a copy is current."
        return "Nothing was ever committed: the store is empty."
