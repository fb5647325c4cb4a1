"""The web application: the composition root that joins settings, database, schema and routes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from pith_graph.gql.context import Clock, RequestContext, open_context
from pith_graph.gql.schema import LIST_HINTS, build_schema, print_sdl
from pith_graph.gql.service import GraphQLService
from pith_graph.settings import Settings
from pith_graph.store.engine import create_read_engine, parse_database_url
from pith_graph.store.revision import require_head
from pith_graph.web.endpoint import GraphQLEndpoint
from pith_graph.web.health import health_routes
from pith_graph.web.middleware import build_middleware
from pith_graph.web.pages import graphiql_response, home, starter_query, static_mount
from pith_graph.web.records import record_route


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

    def new_context() -> AbstractAsyncContextManager[RequestContext]:
        return open_context(engine, settings, clock=clock)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await engine.dispose()

    schema = build_schema(compiled=settings.compiled_execution)
    service = GraphQLService(schema, settings, new_context, list_hints=LIST_HINTS)
    endpoint = GraphQLEndpoint(service, settings, graphiql=_graphiql)
    return Starlette(
        routes=[
            Route("/", home, name="home"),
            Route("/graphql", endpoint, name="graphql"),
            Route("/schema.graphql", _schema, name="schema"),
            record_route(new_context),
            *health_routes(lambda: require_head(engine)),
            static_mount(),
        ],
        middleware=build_middleware(settings),
        lifespan=lifespan,
    )


def _graphiql() -> Response:
    return graphiql_response(starter=starter_query())


async def _schema(_request: Request) -> Response:
    return PlainTextResponse(print_sdl(), headers={"cache-control": "no-cache"})
