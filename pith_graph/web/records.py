"""The Paper Citation Record as JSON, under the address that the record itself gives.

``/paper/{id}/citation-record.json`` answers canonical JSON with a weak ETag made of the record's
digest: the bytes change with the minute, the digest with the facts or the day.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from graphql import GraphQLError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pith_graph.errors import InputError, PithError
from pith_graph.gql.context import RequestContext
from pith_graph.gql.errors import HTTP_STATUS, ErrorCode, code_of
from pith_graph.gql.identify import load_paper
from pith_graph.instants import parse_any_instant, render_instant
from pith_graph.record.build import build_record, record_bytes
from pith_graph.record.facts import fetch_past_facts, load_facts
from pith_graph.record.observation import Json
from pith_graph.record_text import paper_links
from pith_graph.web.problems import build_problem
from pith_graph.web.validators import is_known, not_modified, read_condition

_PATH = "/paper/{id:path}/citation-record.json"


def record_route(open_context: Callable[[], AbstractAsyncContextManager[RequestContext]]) -> Route:
    """Build the route; each request opens its own context."""

    async def citation_record(request: Request) -> Response:
        try:
            async with open_context() as context:
                async with asyncio.timeout(context.settings.request_timeout_seconds):
                    return await _answer(request, context)
        except (PithError, TimeoutError) as error:
            return _refuse(error)

    return Route(_PATH, citation_record, methods=["GET", "HEAD"], name="citation-record")


async def _answer(request: Request, context: RequestContext) -> Response:
    written = request.path_params["id"]
    paper = await load_paper(context, written)
    if written != paper.arxiv_id:
        address = paper_links(paper.arxiv_id)["json"]
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"{request.scope.get('root_path', '')}{address}{query}", 308)
    record = await _build(request.query_params.get("as_of"), paper.arxiv_id, context)
    etag = f'W/"{record["context_digest"]}"'
    headers = {"etag": etag, "cache-control": "no-cache"}
    if is_known(read_condition(request.headers), etag):
        return not_modified(headers)
    return Response(record_bytes(record), media_type="application/json", headers=headers)


async def _build(as_of: str | None, arxiv_id: str, context: RequestContext) -> Json:
    if as_of is None:
        paper = await load_paper(context, arxiv_id)
        return build_record(await load_facts(context.loaders, paper), as_of=context.now)
    at = parse_any_instant(as_of)
    if at > context.now:
        raise InputError(f"as_of is {render_instant(at)}, which is yet to come: expected up to now")
    return build_record(await fetch_past_facts(context.snapshot, arxiv_id, at=at), as_of=at)


def _refuse(error: Exception) -> Response:
    failure = GraphQLError(str(error), original_error=error)
    code = code_of(failure)
    if code is ErrorCode.INTERNAL_SERVER_ERROR:
        raise error
    message = str(error) or "the record took too long to build: ask again later"
    return build_problem(code, message, status=HTTP_STATUS[code])
