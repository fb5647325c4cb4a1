"""What every request and every answer has, whatever route it takes.

``web/app.py`` installs ``build_middleware``; endpoints read ``request_id_of``.
"""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Callable
from typing import Final

import orjson
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pith_graph.gql.errors import MASKED_MESSAGE, ErrorCode
from pith_graph.settings import Settings
from pith_graph.web.compression import CompressionMiddleware

_LOG = logging.getLogger(__name__)

REQUEST_ID_HEADER: Final = "x-request-id"

# Short and plain, so that it can be logged and sent back as it is.
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)

_CORS_MAX_AGE_SECONDS = 86_400


def request_id_of(scope: Scope) -> str:
    """Return the id of the request, which the answer carries as ``X-Request-Id``."""
    identifier: str = scope.get("state", {}).get("request_id", "unknown")
    return identifier


class EnvelopeMiddleware:
    """Gives a request its id, and every answer the headers that all answers carry.

    A well-formed ``X-Request-Id`` of the client is kept, so that its logs and ours can be joined.
    An exception that no endpoint answered becomes a masked 500 with that id.

    Args:
        app: The application inside.
        make_id: Makes the id of a request that brings none.
    """

    def __init__(self, app: ASGIApp, *, make_id: Callable[[], str]) -> None:
        self._app = app
        self._make_id = make_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        received = Headers(scope=scope).get(REQUEST_ID_HEADER, "")
        request_id = received if _WELL_FORMED.fullmatch(received) else self._make_id()
        scope.setdefault("state", {})["request_id"] = request_id
        started = False

        async def send_enveloped(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                headers[REQUEST_ID_HEADER] = request_id
                headers["x-content-type-options"] = "nosniff"
            await send(message)

        try:
            await self._app(scope, receive, send_enveloped)
        except Exception as error:
            if started:
                raise
            _LOG.exception("request %s: unexpected %s", request_id, type(error).__name__)
            await _build_internal_error(request_id)(scope, receive, send_enveloped)


def build_middleware(
    settings: Settings, *, make_id: Callable[[], str] = lambda: uuid.uuid4().hex
) -> list[Middleware]:
    """Build the application's middleware, the outermost first."""
    return [
        Middleware(EnvelopeMiddleware, make_id=make_id),
        Middleware(
            CORSMiddleware,
            allow_origins=settings.allowed_origins,
            allow_methods=("GET", "HEAD", "POST"),
            # Any header may be sent: none of them grants anything, as there are no credentials.
            allow_headers=("*",),
            expose_headers=("X-Request-Id", "ETag"),
            max_age=_CORS_MAX_AGE_SECONDS,
        ),
        Middleware(CompressionMiddleware),
    ]


def _build_internal_error(request_id: str) -> Response:
    error = {
        "message": MASKED_MESSAGE,
        "extensions": {"code": ErrorCode.INTERNAL_SERVER_ERROR, "requestId": request_id},
    }
    return Response(
        orjson.dumps({"errors": [error]}),
        status_code=500,
        media_type="application/json",
        headers={"cache-control": "no-store"},
    )
