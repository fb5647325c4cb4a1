"""The schema as text, under ``/schema.graphql``; ``web/app.py`` mounts it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pith_graph.gql.schema import print_sdl
from pith_graph.web.validators import is_known, not_modified, read_condition, weak_tag


def schema_route() -> Route:
    """Build the route."""
    return Route("/schema.graphql", _answer, name="schema")


async def _answer(request: Request) -> Response:
    body = print_sdl().encode()
    headers = {"etag": weak_tag(body), "cache-control": "no-cache"}
    if is_known(read_condition(request.headers), headers["etag"]):
        return not_modified(headers)
    return Response(body, headers=headers, media_type="text/plain")
