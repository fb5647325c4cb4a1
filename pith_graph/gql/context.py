"""What resolvers share for one request: its snapshot, its loaders, and what is told of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy.ext.asyncio import AsyncEngine
from strawberry.types import Info as StrawberryInfo

from pith_graph.read.loaders import Loaders
from pith_graph.read.snapshot import Closing, Snapshot
from pith_graph.settings import Settings


@dataclass(slots=True)
class RequestContext:
    """One request's view of the graph.

    Attributes:
        now: The time of the question, UTC.
        identifiers: Each identifier as written and as understood, for ``extensions.identifiers``.
    """

    snapshot: Snapshot
    loaders: Loaders
    settings: Settings
    now: datetime
    identifiers: list[dict[str, Any]] = field(default_factory=list)

    @property
    def statements(self) -> int:
        """Database statements spent so far."""
        return self.snapshot.statements


Info: TypeAlias = StrawberryInfo[RequestContext, None]

Clock = Callable[[], datetime]


@asynccontextmanager
async def open_context(
    engine: AsyncEngine, settings: Settings, *, clock: Clock, closing: Closing | None = None
) -> AsyncIterator[RequestContext]:
    """Open a request's context over the read engine.

    Args:
        engine: The read engine.
        settings: Limits that resolvers know.
        clock: The present time, UTC.
        closing: Ends the transaction if no statement runs any more; else it ends with the context.
    """
    snapshot = Snapshot(engine)
    try:
        yield RequestContext(snapshot, Loaders(snapshot), settings, clock())
    finally:
        if closing is None or snapshot.is_running:
            await snapshot.close()
        else:
            closing.begin(snapshot)
