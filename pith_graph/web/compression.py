"""Compression of answers that are text and large enough to gain from it.

Answers hold no secret and nothing of another user, so that their compressed length gives nothing
away (the BREACH attack). ``web/middleware.py`` installs it innermost. Starlette's own middleware
knows gzip alone and looks for its name in the header; starlette-compress has no order of weights,
does not refuse, and leaves a strong ETag on what it changed.
"""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pith_graph.web.codings import (
    Coder,
    CodingChoice,
    ContentCoding,
    choose_coding,
    encode_whole,
    make_coder,
)
from pith_graph.web.problems import build_refusal
from pith_graph.web.refusal import RequestRefusedError

LEAST_BYTES: Final = 1400
"""Smaller answers fit into one packet as they are."""

# 128 KiB take gzip about a millisecond, for which the event loop need not stand still.
_THREADED_BYTES = 128 * 1024

_TEXT = frozenset(
    {"application/json", "application/graphql-response+json", "image/svg+xml", "font/ttf"}
)

_UNTOUCHED = frozenset({204, 206, 304})


class CompressionMiddleware:
    """Codes the bodies of answers as the client's ``Accept-Encoding`` allows."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        received = Headers(scope=scope).getlist("accept-encoding")
        try:
            choice = choose_coding(", ".join(received) if received else None)
        except RequestRefusedError as refusal:
            refused = build_refusal(refusal)
            refused.headers.add_vary_header("Accept-Encoding")
            await refused(scope, receive, send)
            return
        await self._app(scope, receive, _Sender(send, choice, method=scope["method"]))


class _Sender:
    """Sends one answer; its start is held back until the body shows how it is sent."""

    def __init__(self, send: Send, choice: CodingChoice, *, method: str) -> None:
        self._send = send
        self._choice = choice
        self._method = method
        self._start: Message | None = None
        self._coder: Coder | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
            return
        start, self._start = self._start, None
        if message["type"] != "http.response.body":
            # A file that the server sends by itself, say: what we cannot code, we leave alone.
            if start is not None:
                await self._send(start)
            await self._send(message)
        elif start is not None:
            await self._begin(start, message)
        else:
            await self._go_on(message)

    async def _begin(self, start: Message, first: Message) -> None:
        headers = MutableHeaders(scope=start)
        if _is_text(headers) or start["status"] == 304:  # noqa: PLR2004 - it stands for a 200
            headers.add_vary_header("Accept-Encoding")
        body, more = first.get("body", b""), first.get("more_body", False)
        coding = self._choose(start["status"], headers, body, more=more)
        if coding is None:
            await self._send(start)
            await self._send(first)
            return
        _declare(coding, headers)
        if more:
            self._coder = make_coder(coding)
        elif body:
            first["body"] = body = await _encode(coding, body)
            headers["content-length"] = str(len(body))
        await self._send(start)
        await (self._go_on(first) if more else self._send(first))

    async def _go_on(self, message: Message) -> None:
        if self._coder is None:
            await self._send(message)
            return
        more = message.get("more_body", False)
        coded = self._coder.compress(message.get("body", b""))
        if not more:
            coded += self._coder.flush()
        if coded or not more:
            await self._send({**message, "body": coded})

    def _choose(
        self, status: int, headers: Headers, body: bytes, *, more: bool
    ) -> ContentCoding | None:
        announced = headers.get("content-length", "")
        # The answer to a HEAD may leave its body out and still have the length of GET's.
        bodiless = self._method == "HEAD" and not body
        length = int(announced) if announced.isdigit() and (more or bodiless) else len(body)
        large = length >= LEAST_BYTES or (more and not announced)
        if status in _UNTOUCHED or "content-encoding" in headers or not (length or more):
            return None
        if "no-transform" in headers.get("cache-control", ""):
            return None
        needed = not self._choice.plain
        return self._choice.coding if needed or (large and _is_text(headers)) else None


def _is_text(headers: Headers) -> bool:
    media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    return media_type.startswith("text/") or media_type in _TEXT


def _declare(coding: ContentCoding, headers: MutableHeaders) -> None:
    """Say what was done: other bytes have another validator, and no ranges of their own."""
    headers["content-encoding"] = coding.value
    del headers["content-length"]
    del headers["accept-ranges"]
    tag = headers.get("etag", "")
    if tag.startswith('"'):
        headers["etag"] = f"W/{tag}"


async def _encode(coding: ContentCoding, body: bytes) -> bytes:
    if len(body) < _THREADED_BYTES:
        return encode_whole(coding, body)
    return await asyncio.to_thread(encode_whole, coding, body)
