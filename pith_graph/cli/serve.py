"""``pith-graph serve``: run the web server."""

from __future__ import annotations

from contextlib import suppress
from socket import socket
from typing import Annotated

import typer

APPLICATION = "pith_graph.cli.served:create_served_app"

NOT_STARTED = 3
"""Exit code where the application did not start."""


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=0, max=65535)] = 8000,
    workers: Annotated[int, typer.Option(help="Server processes.", min=1, max=64)] = 1,
) -> None:
    """Serve the graph over HTTP. Settings come from PITH_… environment variables.

    It refuses to start on a database that is not at this version's schema, and on an address that
    it cannot listen on: exit code 2.
    """
    import asyncio

    from pith_graph.cli.listening import open_sockets, render_address
    from pith_graph.settings import Settings

    settings = Settings()
    asyncio.run(_check())
    sockets = open_sockets(host, port)
    typer.echo(f"Pith Graph on {render_address(host, sockets)}/graphql (stop with Ctrl+C)")
    _run(sockets, workers=workers, log_level=settings.log_level)


def _run(sockets: list[socket], *, workers: int, log_level: str) -> None:
    """Serve on sockets that listen already, until a signal ends it."""
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    config = uvicorn.Config(
        APPLICATION,
        factory=True,
        workers=workers,
        log_level=log_level,
        # A line for each request would hold its variables: they are in the query string of a GET.
        access_log=False,
        server_header=False,
        # No subscription is served, so nothing is upgraded to a web socket.
        ws="none",
    )
    if workers > 1:
        Multiprocess(config, sockets=sockets).run()
        return
    server = uvicorn.Server(config)
    with suppress(KeyboardInterrupt):
        server.run(sockets=sockets)
    if not server.started:
        raise typer.Exit(NOT_STARTED)


async def _check() -> None:
    from pith_graph.cli.database import read_engine

    async with read_engine():
        pass
