"""The parameters of a GraphQL-over-HTTP request, from a JSON body or a query string.

``web/endpoint.py`` calls it. Types are checked here, so that a client reads which parameter was
wrong; names and values are GraphQL's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

import orjson
from starlette.datastructures import Headers

from pith_graph.errors import shorten, shorten_text
from pith_graph.gql.errors import ErrorCode
from pith_graph.gql.requests import GraphQLRequest
from pith_graph.web.refusal import RequestRefusedError

_PARAMETERS = ("query", "operationName", "variables", "extensions")

_MOST_FIELDS = 100

_UTF8 = frozenset({"utf-8", "utf8"})


def check_content_type(headers: Headers) -> None:
    """Require an unencoded JSON body in UTF-8.

    A form or plain text, which another site's page could send unasked, is refused with them.

    Raises:
        RequestRefusedError: ``UNSUPPORTED_MEDIA_TYPE``.
    """
    content_type = headers.get("content-type", "")
    media_type, *parameters = (part.strip() for part in content_type.split(";"))
    if media_type.lower() != "application/json":
        received = shorten(content_type) if content_type else "none"
        raise _unsupported(f"The Content-Type is {received}; expected application/json")
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset" and value.strip(' "').lower() not in _UTF8:
            raise _unsupported(f"The charset is {shorten(value)}; expected utf-8")
    encoding = headers.get("content-encoding", "identity")
    if encoding.strip().lower() != "identity":
        raise _unsupported(f"The Content-Encoding is {shorten(encoding)}; expected none")


def parse_json_body(body: bytes) -> GraphQLRequest:
    """Parse a POST's body; other keys than the four parameters are ignored.

    Raises:
        RequestRefusedError: ``BAD_REQUEST``.
    """
    if not body.strip():
        raise _bad("The body is empty; expected a JSON object with `query`")
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise _bad(f"The body is not JSON: {error}; expected an object with `query`") from None
    if isinstance(value, list):
        raise _bad("The body is a list; expected one JSON object, as requests are not batched")
    if not isinstance(value, dict):
        raise _bad(f"The body is {_shown(value)}; expected a JSON object with `query`")
    return _build_request(value)


def parse_query_string(query_string: bytes) -> GraphQLRequest:
    """Parse a GET's parameters: ``variables`` and ``extensions`` are JSON text.

    An empty one but ``query`` counts as absent. Other names are ignored.

    Raises:
        RequestRefusedError: ``BAD_REQUEST``.
    """
    values: dict[str, Any] = {}
    for name, value in _read_fields(query_string):
        if name in values:
            raise _bad(f"The parameter `{name}` is given twice; expected it once")
        values[name] = value
    for name in ("variables", "extensions"):
        if values.get(name):
            values[name] = _parse_json_parameter(name, values[name])
    return _build_request({name: v for name, v in values.items() if v != "" or name == "query"})


def has_query(query_string: bytes) -> bool:
    """Whether a query string has the parameter ``query``."""
    return any(field.partition(b"=")[0] == b"query" for field in query_string.split(b"&"))


def _read_fields(query_string: bytes) -> list[tuple[str, str]]:
    try:
        fields = parse_qsl(
            query_string.decode("utf-8"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except UnicodeDecodeError:
        raise _bad("The URL's parameters are not UTF-8; expected percent-encoded UTF-8") from None
    except ValueError:
        raise _bad(f"The URL has more than {_MOST_FIELDS} parameters") from None
    return [(name, value) for name, value in fields if name in _PARAMETERS]


def _parse_json_parameter(name: str, text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise _bad(f"The parameter `{name}` is not JSON: {error}; expected an object") from None


def _build_request(values: Mapping[str, Any]) -> GraphQLRequest:
    query = values.get("query")
    if query is None:
        raise _bad("The parameter `query` is missing; expected the text of a GraphQL document")
    operation_name = values.get("operationName")
    variables = values.get("variables")
    _require(query, "query", kind=str, expected="a string")
    _require(operation_name, "operationName", kind=str, expected="a string")
    _require(variables, "variables", kind=dict, expected="an object")
    _require(values.get("extensions"), "extensions", kind=dict, expected="an object")
    return GraphQLRequest(query=query, operation_name=operation_name, variables=variables or {})


def _require(value: object, name: str, *, kind: type, expected: str) -> None:
    if value is not None and not isinstance(value, kind):
        raise _bad(f"The parameter `{name}` is {_shown(value)}; expected {expected}")


def _shown(value: object) -> str:
    """Render a JSON value for a message as the JSON that it is, and not as Python's."""
    return shorten_text(orjson.dumps(value).decode())


def _bad(message: str) -> RequestRefusedError:
    return RequestRefusedError(ErrorCode.BAD_REQUEST, message)


def _unsupported(message: str) -> RequestRefusedError:
    return RequestRefusedError(
        ErrorCode.UNSUPPORTED_MEDIA_TYPE, message, headers={"accept-post": "application/json"}
    )
