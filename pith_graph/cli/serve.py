"""``pith-graph serve``: run the web server."""

from __future__ import annotations

from typing import Annotated

import typer

APPLICATION = "pith_graph.web.app:create_app"


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=0, max=65535)] = 8000,
    workers: Annotated[int, typer.Option(help="Server processes.", min=1, max=64)] = 1,
) -> None:
    """Serve the graph over HTTP. Settings come from PITH_… environment variables.

    It refuses to start on a database that is not at this version's schema.
    """
    import asyncio

    import uvicorn

    from pith_graph.settings import Settings

    settings = Settings()
    asyncio.run(_check())
    typer.echo(f"Pith Graph on http://{host}:{port}/graphql (stop with Ctrl+C)")
    uvicorn.run(
        APPLICATION,
        factory=True,
        host=host,
        port=port,
        workers=workers,
        log_level=settings.log_level,
        # A line for each request would hold its variables: they are in the query string of a GET.
        access_log=False,
        server_header=False,
        # No subscription is served, so nothing is upgraded to a web socket.
        ws="none",
    )


async def _check() -> None:
    from pith_graph.cli.database import read_engine

    async with read_engine():
        pass
