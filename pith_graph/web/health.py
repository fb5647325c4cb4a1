"""Whether the server is alive, and whether it is ready to be asked.

``web/app.py`` mounts both. A supervisor restarts a server that is not alive; a load balancer
leaves out one that is not ready.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pith_graph.errors import StoreError
from pith_graph.gql.errors import HTTP_STATUS, ErrorCode


async def healthz(_request: Request) -> Response:
    """Answer 200 as long as the process answers at all."""
    return _build_response({"status": "alive"}, status=200)


def readiness_endpoint(
    check: Callable[[], Awaitable[None]], not_compiled: Mapping[str, int] | None = None
) -> Callable[[Request], Awaitable[Response]]:
    """Build an endpoint that answers 200 when ``check`` returns, and 503 when it raises.

    Args:
        check: Raises ``StoreError``, whose text the answer shows, if the database cannot be used.
        not_compiled: How many operations graphql-core executed since the start, by reason.
    """

    async def readyz(_request: Request) -> Response:
        try:
            await check()
        except StoreError as error:
            code = ErrorCode.SERVICE_UNAVAILABLE
            body = {"status": "unavailable", "code": code, "reason": str(error)}
            return _build_response(body, status=HTTP_STATUS[code])
        counted = {} if not_compiled is None else {"notCompiled": dict(not_compiled)}
        return _build_response({"status": "ready", **counted}, status=200)

    return readyz


def health_routes(
    check: Callable[[], Awaitable[None]], not_compiled: Mapping[str, int] | None = None
) -> list[Route]:
    """Build the routes ``/healthz`` and ``/readyz``."""
    return [
        Route("/healthz", healthz, name="healthz"),
        Route("/readyz", readiness_endpoint(check, not_compiled), name="readyz"),
    ]


def _build_response(body: Mapping[str, object], *, status: int) -> Response:
    return Response(
        orjson.dumps(body),
        status_code=status,
        media_type="application/json",
        headers={"cache-control": "no-store"},
    )
