"""Work that ends when nobody waits for it any more.

``web/endpoint.py`` runs executions so: a client that hangs up releases its connection and its
database transaction at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar, cast

from starlette.requests import ClientDisconnect
from starlette.types import Receive

T = TypeVar("T")


async def run_while_connected(work: Coroutine[Any, Any, T], receive: Receive) -> T:
    """Run ``work`` to its end in this task, or cancel it when the client goes away.

    The request's body must have been read. ``work`` has ended when this returns or raises.

    Raises:
        ClientDisconnect: The client went away first.
        RuntimeError: The work was cancelled by something within it.
    """
    running = cast("asyncio.Task[Any]", asyncio.current_task())
    cancelled_before = running.cancelling()
    gone = False

    async def watch() -> None:
        nonlocal gone
        try:
            while (await receive())["type"] != "http.disconnect":
                pass
        except Exception:  # noqa: BLE001, S110 - a connection that cannot be read is gone
            pass
        if not over:
            gone = True
            running.cancel()

    over = False
    watching = asyncio.create_task(watch())
    try:
        return await work
    except asyncio.CancelledError:
        if not gone and running.cancelling() <= cancelled_before:
            # Not our caller's cancellation, which would have been counted.
            raise RuntimeError("the work was cancelled from inside") from None
        raise
    finally:
        over = True
        # It ends in the loop's next turn; to wait for that would cost one.
        watching.cancel()
        if gone and running.uncancel() <= cancelled_before:
            raise ClientDisconnect
