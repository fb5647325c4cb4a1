"""A small schema behind the real endpoint, as an ASGI application and as a live server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import strawberry
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from strawberry.types import Info

from pith_graph.errors import InputError, NotHeldError, StoreError
from pith_graph.gql.service import GraphQLService, ServedSchema
from pith_graph.settings import Settings
from pith_graph.web.app import create_app
from pith_graph.web.endpoint import GraphQLEndpoint
from pith_graph.web.health import health_routes
from pith_graph.web.middleware import build_middleware
from pith_graph.web.tags import AnswerTags
from tests.databases import Database
from tests.serving import serving


@dataclass
class ToyContext:
    statements: int = 0
    identifiers: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Releases:
    """Counts of the contexts that were opened and released, and the store's revision."""

    opened: int = 0
    released: int = 0
    revision: str = "1"


@strawberry.type
class Item:
    number: int

    @strawberry.field
    def again(self) -> list[Item]:
        return [Item(number=self.number)]


@strawberry.type
class ItemEdge:
    node: Item


@strawberry.type
class ItemConnection:
    edges: list[ItemEdge]


@strawberry.type
class Query:
    @strawberry.field
    def hello(self) -> str:
        return "world"

    @strawberry.field
    def echo(self, text: str) -> str:
        return text

    @strawberry.field
    def count(self, info: Info) -> int:
        info.context.statements += 1
        return int(info.context.statements)

    @strawberry.field
    def paper(self, info: Info, id: str) -> Item | None:  # noqa: A002
        info.context.identifiers.append({"input": id})
        raise NotHeldError("paper", id)

    @strawberry.field
    def malformed(self) -> int | None:
        raise InputError("`first` is -1; expected 0 to 100")

    @strawberry.field
    def broken(self) -> int | None:
        raise ZeroDivisionError("secret")

    @strawberry.field
    def broken_root(self) -> int:
        raise ZeroDivisionError("secret")

    @strawberry.field
    def unreachable(self) -> int | None:
        raise StoreError("the database is away")

    @strawberry.field
    async def slow(self) -> int:
        await asyncio.sleep(60)
        return 1

    @strawberry.field
    async def cancelled(self) -> int:
        raise asyncio.CancelledError

    @strawberry.field
    def surrogate(self) -> str:
        return "\ud800"

    @strawberry.field
    def items(self, first: int | None = None) -> ItemConnection:
        return ItemConnection(edges=[ItemEdge(node=Item(number=n)) for n in range(first or 20)])


@strawberry.type
class Mutation:
    @strawberry.mutation
    def change(self) -> str:
        return "changed"


def graphiql() -> HTMLResponse:
    return HTMLResponse("<!doctype html><title>GraphiQL</title>")


def build_app(settings: Settings, releases: Releases, *, store_is_away: bool = False) -> Starlette:
    @asynccontextmanager
    async def open_context() -> AsyncIterator[ToyContext]:
        if store_is_away:
            raise StoreError("the database is away")
        releases.opened += 1
        try:
            yield ToyContext()
        finally:
            # As a driver would, it needs the loop once more to let go of its connection.
            await asyncio.sleep(0)
            releases.released += 1

    async def ready() -> None:
        if store_is_away:
            raise StoreError("the database is away")

    async def revision() -> str:
        if store_is_away:
            raise StoreError("the database is away")
        return releases.revision

    tags = AnswerTags(revision, server="toy", changing=("count",), seconds=0.5)
    service = GraphQLService(ServedSchema(Query, mutation=Mutation), settings, open_context)
    endpoint = GraphQLEndpoint(service, settings, graphiql=graphiql, tags=tags)
    routes = [Route("/graphql", endpoint), *health_routes(ready)]
    return Starlette(routes=routes, middleware=build_middleware(settings))


@pytest.fixture
def releases() -> Releases:
    return Releases()


@pytest.fixture
def settings() -> Settings:
    return Settings(request_timeout_seconds=0.5)


@pytest.fixture
def app(settings: Settings, releases: Releases) -> Starlette:
    return build_app(settings, releases)


@pytest.fixture
def client(app: Starlette) -> Iterator[TestClient]:
    with TestClient(app) as client:
        yield client


@pytest.fixture
def make_client(releases: Releases) -> Callable[[Settings], TestClient]:
    """Makes a client of an application with other settings."""
    return lambda settings: TestClient(build_app(settings, releases))


@pytest.fixture
def client_without_store(settings: Settings, releases: Releases) -> Iterator[TestClient]:
    with TestClient(build_app(settings, releases, store_is_away=True)) as client:
        yield client


@pytest.fixture
def live_server(app: Starlette) -> Iterator[str]:
    """The base URL of the application behind a real HTTP server; no slash at its end."""
    with serving(app) as base_url:
        yield base_url


@pytest.fixture
def real_server(database: Database) -> Iterator[str]:
    """The base URL of the whole application over an empty database."""
    with serving(create_app(Settings(database_url=database.text))) as base_url:
        yield base_url
