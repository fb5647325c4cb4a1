"""GraphQL over HTTP: one ASGI endpoint from request to answer.

The steps are the file: negotiate, read, prepare, execute, encode. What each refuses is answered
with ``extensions.code`` like any other error. The rules are those of the GraphQL-over-HTTP draft
(https://graphql.github.io/graphql-over-http/draft/). ``web/app.py`` mounts it at ``/graphql``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import orjson
from graphql import GraphQLError, OperationType
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pith_graph.errors import shorten
from pith_graph.gql.errors import ErrorCode, build_error, format_errors, status_of
from pith_graph.gql.requests import Answer, GraphQLRequest, PreparedRequest
from pith_graph.settings import Settings
from pith_graph.web.body import BodyLimits, read_body
from pith_graph.web.disconnect import run_while_connected
from pith_graph.web.middleware import request_id_of
from pith_graph.web.negotiation import MediaType, choose_media_type, prefers_html
from pith_graph.web.parameters import (
    check_content_type,
    has_query,
    parse_json_body,
    parse_query_string,
)
from pith_graph.web.refusal import RequestRefusedError
from pith_graph.web.tags import AnswerTags
from pith_graph.web.validators import is_known, names_tag, not_modified, read_condition

_READING = ("GET", "HEAD")

_NOT_MODIFIED = 304

# nginx's status for a client that hung up; nobody receives it.
_CLIENT_GONE = 499

# With application/json a refused document is 200, as the draft asks: its clients cannot tell our
# 4xx from a proxy's. What is not the document's fault keeps its status, for proxies and retries.
_OK_IN_JSON = frozenset({400, 404})


class GraphQLService(Protocol):
    """What executes requests; ``gql.service.GraphQLService`` does."""

    def prepare(self, request: GraphQLRequest) -> PreparedRequest:
        """Say whether a request may be executed, and at what cost."""

    async def execute(self, prepared: PreparedRequest) -> Answer:
        """Execute a request that may be; every failure but a cancellation is in the answer."""


@dataclass(frozen=True, slots=True)
class _Reply:
    """An answer before it is encoded."""

    status: int
    errors: Sequence[GraphQLError] = ()
    answer: Answer | None = None
    cost: int | None = None
    tag: str | None = None
    headers: Mapping[str, str] | None = None


class GraphQLEndpoint:
    """The ASGI application behind ``/graphql``.

    Args:
        service: Prepares and executes.
        settings: The limits on body, cost and time.
        graphiql: Makes the page that a browser gets which asks for no query.
        tags: Makes the entity tags of answers to GET.
    """

    def __init__(
        self,
        service: GraphQLService,
        settings: Settings,
        *,
        graphiql: Callable[[], Response],
        tags: AnswerTags,
    ) -> None:
        self._service = service
        self._tags = tags
        self._settings = settings
        self._graphiql = graphiql
        self._body_limits = BodyLimits(
            kept_bytes=settings.max_body_bytes, seconds=settings.request_timeout_seconds
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        response = await self._respond(scope, receive)
        await response(scope, receive, send)

    async def _respond(self, scope: Scope, receive: Receive) -> Response:
        accept = ", ".join(Headers(scope=scope).getlist("accept"))
        reading = scope["method"] in _READING
        if reading and not has_query(scope["query_string"]) and prefers_html(accept):
            return self._graphiql()
        media_type = MediaType.JSON
        try:
            _check_method(scope)
            media_type = choose_media_type(accept)
            request = await self._read(scope, receive)
            reply = await self._answer(request, media_type, scope, receive)
        except RequestRefusedError as refusal:
            error = build_error(refusal.code, str(refusal))
            reply = _Reply(refusal.status, [error], headers=refusal.headers)
        except ClientDisconnect:
            return Response(status_code=_CLIENT_GONE)
        except Exception as error:  # noqa: BLE001 - masked and logged as it is encoded
            reply = _Reply(500, [GraphQLError(str(error), original_error=error)])
        return self._encode(reply, media_type, scope)

    async def _read(self, scope: Scope, receive: Receive) -> GraphQLRequest:
        headers = Headers(scope=scope)
        if scope["method"] in _READING:
            query_string: bytes = scope["query_string"]
            if len(query_string) > self._settings.max_body_bytes:
                raise RequestRefusedError(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    f"The URL's parameters have {len(query_string)} bytes; "
                    f"the limit is {self._settings.max_body_bytes} bytes",
                )
            return parse_query_string(query_string)
        check_content_type(headers)
        return parse_json_body(await read_body(headers, receive, self._body_limits))

    async def _answer(
        self, request: GraphQLRequest, media_type: MediaType, scope: Scope, receive: Receive
    ) -> _Reply:
        prepared = self._service.prepare(request)
        if scope["method"] in _READING and prepared.kind not in (OperationType.QUERY, None):
            # A GET may be repeated, prefetched or sent by another site's link.
            kind = str(prepared.kind.value) if prepared.kind else ""
            raise _refuse_method(
                f"A GET runs queries only; expected POST for a {kind}", allow="POST"
            )
        if prepared.errors:
            status = _status(prepared.errors, media_type)
            return _Reply(status, prepared.errors, cost=prepared.cost)
        return await run_while_connected(self._execute(prepared, media_type, scope), receive)

    async def _execute(
        self, prepared: PreparedRequest, media_type: MediaType, scope: Scope
    ) -> _Reply:
        tag = None
        if scope["method"] in _READING:
            tag = await self._tags.foretell(prepared.request, media_type)
            if tag and names_tag(read_condition(Headers(scope=scope)), tag):
                return _Reply(_NOT_MODIFIED, tag=tag)
        answer = await self._service.execute(prepared)
        status = 200 if answer.executed else _status(answer.errors, media_type)
        return _Reply(status, answer.errors, answer, prepared.cost, tag)

    def _encode(self, reply: _Reply, media_type: MediaType, scope: Scope) -> Response:
        reading = scope["method"] in _READING
        headers = {
            "cache-control": "no-cache" if reading else "no-store",
            "vary": "Accept",
            **(reply.headers or {}),
        }
        if reply.status == _NOT_MODIFIED:
            return not_modified({**headers, "etag": str(reply.tag)})
        request_id = request_id_of(scope)
        try:
            body = orjson.dumps(self._build_payload(reply, request_id))
        except TypeError as error:
            # A value that JSON cannot hold came out of a resolver; the answer is lost, not the 500.
            failure = GraphQLError(str(error), original_error=error)
            reply = _Reply(500, [failure], cost=reply.cost)
            body = orjson.dumps(self._build_payload(reply, request_id))
        if reading and reply.answer is not None and not reply.errors:
            headers["etag"] = reply.tag or self._tags.tag_of(body, media_type)
            if is_known(read_condition(Headers(scope=scope)), headers["etag"]):
                return not_modified(headers)
        content_type = f"{media_type}; charset=utf-8"
        return Response(body, reply.status, headers, media_type=content_type)

    def _build_payload(self, reply: _Reply, request_id: str) -> dict[str, Any]:
        payload: dict[str, Any] = {}
        if reply.errors:
            payload["errors"] = format_errors(reply.errors, request_id=request_id)
        if reply.answer is not None and reply.answer.executed:
            payload["data"] = reply.answer.data
        cost: dict[str, Any] = {
            "requested": reply.cost,
            "limit": self._settings.max_cost,
            "databaseStatements": reply.answer.statements if reply.answer else 0,
        }
        if reply.answer is not None and reply.answer.execution is not None:
            cost["execution"] = reply.answer.execution
        payload["extensions"] = {
            **(reply.answer.extensions if reply.answer else {}),
            "cost": cost,
        }
        return payload


def _check_method(scope: Scope) -> None:
    method = scope["method"]
    if method not in (*_READING, "POST"):
        raise _refuse_method(
            f"The method is {shorten(method)}; expected GET or POST", allow="GET, HEAD, POST"
        )


def _status(errors: Sequence[GraphQLError], media_type: MediaType) -> int:
    status = status_of(errors)
    return 200 if media_type is MediaType.JSON and status in _OK_IN_JSON else status


def _refuse_method(message: str, *, allow: str) -> RequestRefusedError:
    return RequestRefusedError(ErrorCode.BAD_REQUEST, message, status=405, headers={"allow": allow})
