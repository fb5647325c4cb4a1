"""Query: the roots of the graph. Read only: there is no mutation."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Awaitable, Sequence
from typing import Annotated, Any, TypeVar
from uuid import UUID

import strawberry

from pith_graph.errors import (
    AmbiguousIdentifierError,
    InputError,
    MalformedIdentifierError,
    NotHeldError,
)
from pith_graph.gql.connection import PageArguments
from pith_graph.gql.context import Info
from pith_graph.gql.identify import load_paper, load_work
from pith_graph.gql.scalars import ArxivId
from pith_graph.gql.types.change import ChangeConnection, ChangesSource, build_changes
from pith_graph.gql.types.citation import Citation
from pith_graph.gql.types.limits import MAX_KEYS, Limits
from pith_graph.gql.types.node import Node, NodeRow, find_node, parse_global_id
from pith_graph.gql.types.paper import Paper
from pith_graph.gql.types.paper_search import (
    PaperSearchConnection,
    SearchSource,
    build_search,
)
from pith_graph.gql.types.results import (
    AmbiguousIdentifier,
    MalformedIdentifier,
    NotHeld,
    PaperResult,
)
from pith_graph.gql.types.source import Source
from pith_graph.gql.types.work import Work
from pith_graph.read.rows import CitationRow, PaperRow, SourceRow, WorkRow
from pith_graph.settings import Settings

Held = TypeVar("Held")

PaperId = Annotated[
    str,
    strawberry.argument(
        description=(
            "An arXiv id or a DOI in any written form: `2509.00217`, `arXiv:2509.00217v1`, an abs "
            "or pdf URL, `hep-th/9901001`, `10.48550/arXiv.2509.00217`, a DOI bare or as a URL."
        )
    ),
]


@strawberry.input(one_of=True, description="Exactly one identifier of a work.")
class WorkBy:
    """How to name a work."""

    work_id: UUID | None = strawberry.field(
        default=strawberry.UNSET, description="The work's own id."
    )
    doi: str | None = strawberry.field(
        default=strawberry.UNSET, description="A DOI in any written form."
    )
    arxiv_id: str | None = strawberry.field(
        default=strawberry.UNSET, description="An arXiv id in any written form."
    )


@strawberry.type(description="The roots of the graph. Read only.")
class Query:
    """The query root."""

    @strawberry.field(
        description=(
            "The node with a global id. Null with an error of code `NOT_HELD` where the store does "
            "not hold it."
        ),
        graphql_type=Node | None,
    )
    async def node(self, info: Info, id: strawberry.ID) -> NodeRow:  # noqa: A002  # Relay's name
        """Return a node."""
        return await _load_node(info, id)

    @strawberry.field(
        description="The nodes with these global ids, in order; at most 100.",
        graphql_type=list[Node | None],
    )
    async def nodes(self, info: Info, ids: list[strawberry.ID]) -> Sequence[Any]:
        """Return nodes; a failed one is its error, the others stand."""
        _check_number("ids", ids)
        found: list[Any] = await gather(
            *(_load_node(info, one) for one in ids), return_exceptions=True
        )
        return found

    @strawberry.field(
        description=(
            "The held paper with an identifier in any written form. Null with an error of code "
            "`NOT_HELD` where it is not held, `BAD_USER_INPUT` where it is malformed."
        ),
        graphql_type=Paper | None,
    )
    async def paper(self, info: Info, id: PaperId) -> PaperRow:  # noqa: A002  # the domain's name
        """Return a paper."""
        return await load_paper(info.context, id)

    @strawberry.field(
        description="One answer for each identifier, in order; at most 100.",
        graphql_type=list[PaperResult],
    )
    async def papers(self, info: Info, ids: list[str]) -> Sequence[Any]:
        """Return papers, or why there is none."""
        _check_number("ids", ids)
        return await gather(*(_paper_result(info, text) for text in ids))

    @strawberry.field(
        description=(
            "The work with an identifier. Null with an error of code `NOT_HELD` where none is held."
        ),
        graphql_type=Work | None,
    )
    async def work(self, info: Info, by: WorkBy) -> WorkRow:
        """Return a work."""
        return await load_work(
            info.context,
            work_id=by.work_id or None,
            doi=_given(by.doi),
            arxiv_id=_given(by.arxiv_id),
        )

    @strawberry.field(
        description=(
            "The citation with an observation id. Null with an error of code `NOT_HELD` where the "
            "store does not hold it in a current bibliography."
        ),
        graphql_type=Citation | None,
    )
    async def citation(self, info: Info, observation_id: UUID) -> CitationRow:
        """Return a citation."""
        return await _held(
            info.context.loaders.citations.load(str(observation_id)),
            "citation",
            str(observation_id),
        )

    @strawberry.field(
        description=(
            "The held papers whose titles have all the words of the query, the best match first. A "
            "word matches where a word of the title begins with it; case and diacritics do not "
            "count."
        ),
        graphql_type=PaperSearchConnection,
    )
    def search_papers(
        self,
        query: str,
        first: int | None = None,
        last: int | None = None,
        after: str | None = None,
        before: str | None = None,
    ) -> SearchSource:
        """Return the papers found."""
        return build_search(query, PageArguments(first, last, after, before))

    @strawberry.field(
        description=(
            "What every commit to the store added and superseded, the oldest first. The feed only "
            "grows at its end: to keep a copy current, ask for what comes after the last cursor "
            "that you have, until there is no next page, and again later."
        ),
        graphql_type=ChangeConnection,
    )
    def changes(
        self,
        first: int | None = None,
        last: int | None = None,
        after: str | None = None,
        before: str | None = None,
    ) -> ChangesSource:
        """Return the feed of changes."""
        return build_changes(PageArguments(first, last, after, before))

    @strawberry.field(
        description="What was loaded, a line for each kind of file. Empty: nothing ever was.",
        graphql_type=list[Source],
    )
    async def sources(self, info: Info) -> Sequence[SourceRow]:
        """Return the sources."""
        return await info.context.loaders.load_sources()

    @strawberry.field(description="What one request may ask for.", graphql_type=Limits)
    def limits(self, info: Info) -> Settings:
        """Return the settings."""
        return info.context.settings


def _given(value: str | None) -> str | None:
    return value if isinstance(value, str) else None


def _check_number(argument: str, keys: Sequence[Any]) -> None:
    if len(keys) > MAX_KEYS:
        raise InputError(f"`{argument}` has {len(keys)} entries: expected at most {MAX_KEYS}")


async def _held(loading: Awaitable[Held | None], kind: str, public_id: str) -> Held:
    found = await loading
    if found is None:
        raise NotHeldError(kind, public_id)
    return found


async def _load_node(info: Info, global_id: str) -> NodeRow:
    kind, public_id = parse_global_id(global_id)
    return await _held(find_node(info.context.loaders, kind, public_id), kind.lower(), public_id)


async def _paper_result(info: Info, text: str) -> Any:
    try:
        return await load_paper(info.context, text)
    except MalformedIdentifierError as error:
        return MalformedIdentifier(input=text, message=str(error))
    except NotHeldError as error:
        return NotHeld(input=text, identifier=error.value, message=str(error))
    except AmbiguousIdentifierError as error:
        return AmbiguousIdentifier(
            input=text, candidates=[ArxivId(each) for each in error.candidates], message=str(error)
        )
