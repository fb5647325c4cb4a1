"""The real application over a test's database, asked in-process, with its statements counted."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx2

from pith_graph.settings import Settings
from pith_graph.web.app import create_app
from tests.databases import Database
from tests.read.statements import driven_statements

NOW = datetime(2026, 8, 10, 10, 32, 30, tzinfo=UTC)
"""The application's time: the minute in which the seed was asked for."""


@dataclass
class Asking:
    """A running application that can be asked.

    Attributes:
        client: Speaks HTTP to it.
        answer: The last GraphQL answer, whole.
        driven: What the driver was given by the last GraphQL request, without transaction control.
    """

    client: httpx2.AsyncClient
    answer: dict[str, Any] = field(default_factory=dict)
    driven: list[str] = field(default_factory=list)

    async def ask(self, query: str, **variables: Any) -> dict[str, Any]:
        """Return the answer to a query, whatever its errors; the status must be 200."""
        with statements() as driven:
            response = await self.client.post(
                "/graphql", json={"query": query, "variables": variables}
            )
        assert response.status_code == 200, response.text
        self.answer, self.driven = response.json(), driven
        return self.answer

    async def data(self, query: str, **variables: Any) -> Any:
        """Return the data of an answer without errors."""
        answer = await self.ask(query, **variables)
        assert "errors" not in answer, answer["errors"]
        return answer["data"]

    async def error(self, query: str, **variables: Any) -> dict[str, Any]:
        """Return the one error of an answer, with ``code`` beside its ``message``."""
        answer = await self.ask(query, **variables)
        assert len(answer.get("errors", ())) == 1, answer
        error: dict[str, Any] = answer["errors"][0]
        return error | {"code": error["extensions"]["code"]}


@asynccontextmanager
async def asking(
    database: Database, *, clock: Callable[[], datetime] = lambda: NOW, **settings: Any
) -> AsyncIterator[Asking]:
    """Start an application over a database, and stop it."""
    app = create_app(Settings(database_url=database.text, **settings), clock=clock)
    transport = httpx2.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://pith.test") as client,
    ):
        yield Asking(client)


@contextmanager
def statements() -> Iterator[list[str]]:
    """Collect the statements that the driver is given, transaction control left out."""
    seen: list[str] = []
    with driven_statements() as driven:
        yield seen
        seen += [statement.text for statement in driven]
