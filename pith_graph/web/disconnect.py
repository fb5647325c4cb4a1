"""Work that ends when nobody waits for it any more.

``web/endpoint.py`` runs executions so: a client that hangs up releases its connection and its
database transaction at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect
from starlette.types import Receive

T = TypeVar("T")


async def run_while_connected(work: Coroutine[Any, Any, T], receive: Receive) -> T:
    """Run ``work`` to its end, or cancel it when the client goes away.

    The request's body must have been read. ``work`` has ended when this returns or raises.

    Raises:
        ClientDisconnect: The client went away first.
        RuntimeError: The work was cancelled by something within it.
    """
    running = asyncio.create_task(work)
    watching = asyncio.create_task(_wait_for_disconnect(receive))
    try:
        await asyncio.wait((running, watching), return_when=asyncio.FIRST_COMPLETED)
        if not running.done():
            raise ClientDisconnect
        if running.cancelled():
            # Not our caller's cancellation, which would have been raised by the wait above.
            raise RuntimeError("the work was cancelled from inside")
        return running.result()
    finally:
        running.cancel()
        watching.cancel()
        await asyncio.gather(running, watching, return_exceptions=True)


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
