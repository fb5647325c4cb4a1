"""The web application: the composition root that joins settings, database, schema and routes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from pith_graph import __version__
from pith_graph.gql.context import Clock, RequestContext, open_context
from pith_graph.gql.schema import LIST_HINTS, build_schema, print_sdl
from pith_graph.gql.service import GraphQLService
from pith_graph.read.newest import fetch_revision
from pith_graph.read.snapshot import Closing
from pith_graph.settings import Settings
from pith_graph.store.engine import create_read_engine, parse_database_url
from pith_graph.store.revision import HEAD, require_head
from pith_graph.web.endpoint import GraphQLEndpoint
from pith_graph.web.health import health_routes
from pith_graph.web.middleware import build_middleware
from pith_graph.web.pages import graphiql_response, home, starter_query, static_mount
from pith_graph.web.problems import answer_http_exception
from pith_graph.web.records import record_route
from pith_graph.web.sdl import schema_route
from pith_graph.web.tags import AnswerTags

# A record says the minute in which it was asked for; a load's end is written after its commits.
_CHANGING_FIELDS = ("record", "sources")


def utc_now() -> datetime:
    """Return the present time."""
    return datetime.now(UTC)


def create_app(settings: Settings | None = None, *, clock: Clock = utc_now) -> Starlette:
    """Build the application.

    Args:
        settings: The settings; read from the environment where left out, as in a worker.
        clock: The present time, UTC.
    """
    settings = settings or Settings()
    engine = create_read_engine(
        parse_database_url(settings.database_url), pool_size=settings.database_pool_size
    )

    closing = Closing()

    def new_context() -> AbstractAsyncContextManager[RequestContext]:
        return open_context(engine, settings, clock=clock, closing=closing)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await closing.finish()
            await engine.dispose()

    schema = build_schema(compiled=settings.compiled_execution)
    service = GraphQLService(schema, settings, new_context, list_hints=LIST_HINTS)
    tags = _build_tags(settings, new_context)
    endpoint = GraphQLEndpoint(service, settings, graphiql=_graphiql, tags=tags)
    return Starlette(
        routes=[
            Route("/", home, name="home"),
            Route("/graphql", endpoint, name="graphql"),
            schema_route(),
            record_route(new_context),
            *health_routes(lambda: require_head(engine), service.fallbacks.counts),
            static_mount(),
        ],
        middleware=build_middleware(settings),
        exception_handlers={HTTPException: answer_http_exception},
        lifespan=lifespan,
    )


def _build_tags(
    settings: Settings, new_context: Callable[[], AbstractAsyncContextManager[RequestContext]]
) -> AnswerTags:
    async def revision() -> str:
        async with new_context() as context:
            return await fetch_revision(context.snapshot)

    # `limits` and the cost show settings; the database's address is a secret and never shown.
    shown = settings.model_dump_json(exclude={"database_url"})
    server = f"{__version__}\n{HEAD}\n{shown}\n{print_sdl()}"
    return AnswerTags(
        revision,
        server=server,
        changing=_CHANGING_FIELDS,
        seconds=settings.request_timeout_seconds,
    )


def _graphiql() -> Response:
    return graphiql_response(starter=starter_query())
