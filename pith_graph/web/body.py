"""The reading of request bodies, with a limit and flat memory.

A body over the limit is read and thrown away for a while, so that an ordinary client, which sends
all of it before it looks at the answer, gets to see the refusal. ``web/endpoint.py`` calls it.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import Receive

from pith_graph.gql.errors import ErrorCode
from pith_graph.web.refusal import RequestRefusedError

_CLOSE = {"connection": "close"}


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyLimits:
    """How much of a body is kept, and how much is read to be polite.

    Attributes:
        kept_bytes: The largest body that is taken.
        drained_bytes: A larger body is read up to here and thrown away.
        drained_seconds: How long that may take.
        seconds: How long a body that is taken may take to arrive.
    """

    kept_bytes: int
    drained_bytes: int = 32 * 1024 * 1024
    drained_seconds: float = 2.0
    seconds: float = 30.0


async def read_body(headers: Headers, receive: Receive, limits: BodyLimits) -> bytes:
    """Read a request's body.

    Raises:
        RequestRefusedError: ``PAYLOAD_TOO_LARGE`` for a body over the limit, after it was read and
            thrown away as far as the limits say, else with ``Connection: close``; ``TIMEOUT`` with
            status 408 for one that does not arrive in time.
        ClientDisconnect: The client went away.
    """
    announced = _announced_length(headers)
    if announced is not None and announced > limits.kept_bytes:
        raise await _refuse_announced(announced, headers, receive, limits)
    try:
        async with asyncio.timeout(limits.seconds):
            body, more = await _keep(receive, limits.kept_bytes)
    except TimeoutError:
        raise RequestRefusedError(
            ErrorCode.TIMEOUT,
            f"The body did not arrive within {limits.seconds:g} s",
            status=408,
            headers=_CLOSE,
        ) from None
    if len(body) <= limits.kept_bytes:
        return bytes(body)
    raise await _refuse_drained(len(body), receive, limits, more=more)


async def _keep(receive: Receive, most: int) -> tuple[bytearray, bool]:
    """Read until the end or past ``most`` bytes; also say whether more is to come."""
    body, more = bytearray(), True
    while more and len(body) <= most:
        chunk, more = await _next_chunk(receive)
        body += chunk
    return body, more


async def _next_chunk(receive: Receive) -> tuple[bytes, bool]:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message.get("body", b""), message.get("more_body", False)


def _announced_length(headers: Headers) -> int | None:
    text = headers.get("content-length", "")
    return int(text) if text.isascii() and text.isdigit() else None


async def _refuse_announced(
    announced: int, headers: Headers, receive: Receive, limits: BodyLimits
) -> RequestRefusedError:
    waits = headers.get("expect", "").lower() == "100-continue"
    if waits or announced > limits.drained_bytes:
        # A client that waits for our consent has sent nothing yet, and now need not.
        return _too_large(f"{announced} bytes", limits, closing=True)
    return await _refuse_drained(0, receive, limits, more=True)


async def _refuse_drained(
    length: int, receive: Receive, limits: BodyLimits, *, more: bool
) -> RequestRefusedError:
    try:
        async with asyncio.timeout(limits.drained_seconds):
            while more and length <= limits.drained_bytes:
                chunk, more = await _next_chunk(receive)
                length += len(chunk)
    except TimeoutError:
        pass
    return _too_large(f"over {length} bytes" if more else f"{length} bytes", limits, closing=more)


def _too_large(size: str, limits: BodyLimits, *, closing: bool) -> RequestRefusedError:
    return RequestRefusedError(
        ErrorCode.PAYLOAD_TOO_LARGE,
        f"The body has {size}; the limit is {limits.kept_bytes} bytes",
        headers=_CLOSE if closing else None,
    )
