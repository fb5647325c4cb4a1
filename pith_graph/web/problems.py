"""Refusals outside of GraphQL: one JSON form, that of GraphQL's errors.

``web/app.py`` answers with it whatever no route takes, ``web/records.py`` and
``web/compression.py`` what they refuse.
"""

from __future__ import annotations

from collections.abc import Mapping

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pith_graph.errors import shorten
from pith_graph.gql.errors import ErrorCode
from pith_graph.web.refusal import RequestRefusedError

_NOT_FOUND = 404
_NOT_ALLOWED = 405


def build_problem(
    code: ErrorCode, message: str, *, status: int, headers: Mapping[str, str] | None = None
) -> Response:
    """Build an answer that is one error with ``extensions.code``; nobody may keep it."""
    return Response(
        orjson.dumps({"errors": [{"message": message, "extensions": {"code": code}}]}),
        status_code=status,
        media_type="application/json",
        headers={"cache-control": "no-store", **(headers or {})},
    )


def build_refusal(refusal: RequestRefusedError) -> Response:
    """Build the answer to a request that was refused."""
    return build_problem(refusal.code, str(refusal), status=refusal.status, headers=refusal.headers)


async def answer_http_exception(request: Request, error: Exception) -> Response:
    """Answer what no route takes: an unknown path, or another method than a route's."""
    if not isinstance(error, HTTPException):  # pragma: no cover - registered for this class alone
        raise error
    message = error.detail
    if error.status_code == _NOT_FOUND:
        message = f"Nothing is at {shorten(request.url.path)}; expected /graphql, for one"
    elif error.status_code == _NOT_ALLOWED:
        allowed = (error.headers or {}).get("Allow", "GET, HEAD")
        message = f"The method is {shorten(request.method)}; expected {allowed}"
    return build_problem(
        ErrorCode.BAD_REQUEST, message, status=error.status_code, headers=error.headers
    )
