"""The codes of refusals, their HTTP statuses, and the one way from an error to what a client sees.

Every error in an answer carries ``extensions.code``. ``gql/service.py`` and ``web/endpoint.py``
call ``format_errors``; nothing else turns an exception into an answer.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from graphql import FieldNode, GraphQLError
from strawberry.exceptions import StrawberryInputCoercionError

from pith_graph.errors import AmbiguousIdentifierError, InputError, NotHeldError, StoreError

_LOG = logging.getLogger(__name__)

_LONGEST_MESSAGE = 1000

MASKED_MESSAGE: Final = "Internal server error"
"""What a client reads of an unexpected failure; the log has the rest under the request's id."""


class ErrorCode(StrEnum):
    """``extensions.code`` of an error, a contract with clients."""

    BAD_REQUEST = "BAD_REQUEST"
    PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE"
    UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE"
    NOT_ACCEPTABLE = "NOT_ACCEPTABLE"
    GRAPHQL_PARSE_FAILED = "GRAPHQL_PARSE_FAILED"
    GRAPHQL_VALIDATION_FAILED = "GRAPHQL_VALIDATION_FAILED"
    OPERATION_RESOLUTION_FAILURE = "OPERATION_RESOLUTION_FAILURE"
    BAD_USER_INPUT = "BAD_USER_INPUT"
    DEPTH_LIMIT_EXCEEDED = "DEPTH_LIMIT_EXCEEDED"
    COST_LIMIT_EXCEEDED = "COST_LIMIT_EXCEEDED"
    PERSISTED_QUERY_NOT_FOUND = "PERSISTED_QUERY_NOT_FOUND"
    RATE_LIMITED = "RATE_LIMITED"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    FORBIDDEN = "FORBIDDEN"
    NOT_HELD = "NOT_HELD"
    TIMEOUT = "TIMEOUT"
    SERVICE_UNAVAILABLE = "SERVICE_UNAVAILABLE"
    INTERNAL_SERVER_ERROR = "INTERNAL_SERVER_ERROR"


HTTP_STATUS: Final[Mapping[ErrorCode, int]] = MappingProxyType(
    {
        ErrorCode.BAD_REQUEST: 400,
        ErrorCode.PAYLOAD_TOO_LARGE: 413,
        ErrorCode.UNSUPPORTED_MEDIA_TYPE: 415,
        ErrorCode.NOT_ACCEPTABLE: 406,
        ErrorCode.GRAPHQL_PARSE_FAILED: 400,
        ErrorCode.GRAPHQL_VALIDATION_FAILED: 400,
        ErrorCode.OPERATION_RESOLUTION_FAILURE: 400,
        ErrorCode.BAD_USER_INPUT: 400,
        ErrorCode.DEPTH_LIMIT_EXCEEDED: 400,
        ErrorCode.COST_LIMIT_EXCEEDED: 400,
        ErrorCode.PERSISTED_QUERY_NOT_FOUND: 404,
        ErrorCode.RATE_LIMITED: 429,
        ErrorCode.UNAUTHENTICATED: 401,
        ErrorCode.FORBIDDEN: 403,
        ErrorCode.NOT_HELD: 404,
        ErrorCode.TIMEOUT: 504,
        ErrorCode.SERVICE_UNAVAILABLE: 503,
        ErrorCode.INTERNAL_SERVER_ERROR: 500,
    }
)
"""The status of an answer that is an error of this code and has no data."""

_BY_EXCEPTION: tuple[tuple[type[Exception], ErrorCode], ...] = (
    (InputError, ErrorCode.BAD_USER_INPUT),
    (NotHeldError, ErrorCode.NOT_HELD),
    (AmbiguousIdentifierError, ErrorCode.BAD_USER_INPUT),
    (StoreError, ErrorCode.SERVICE_UNAVAILABLE),
    (TimeoutError, ErrorCode.TIMEOUT),
    # A variable of a @oneOf input that names none or several of its fields.
    (StrawberryInputCoercionError, ErrorCode.BAD_USER_INPUT),
)


def build_error(code: ErrorCode, message: str, **details: Any) -> GraphQLError:
    """Build a GraphQL error with a code; ``details`` go into its ``extensions`` beside it."""
    return GraphQLError(message, extensions={"code": code.value, **details})


def with_code(error: GraphQLError, code: ErrorCode) -> GraphQLError:
    """Rebuild an error of graphql-core with a code, and without the frames that it holds alive."""
    return GraphQLError(
        error.message,
        nodes=error.nodes,
        source=error.source,
        positions=error.positions,
        path=error.path,
        extensions={**(error.extensions or {}), "code": code.value},
    )


def code_of(error: GraphQLError) -> ErrorCode:
    """Return the code of an error of an execution.

    A code that the error carries already is kept. Otherwise the exception behind it decides; an
    argument or variable that graphql-core could not coerce is ``BAD_USER_INPUT``; whatever else
    went wrong is ``INTERNAL_SERVER_ERROR``.
    """
    explicit = (error.extensions or {}).get("code")
    if isinstance(explicit, str) and explicit in ErrorCode.__members__:
        return ErrorCode(explicit)
    chain = tuple(_causes(error))
    for kind, code in _BY_EXCEPTION:
        if isinstance(chain[-1], kind):
            return code
    if _is_coercion(error, chain):
        return ErrorCode.BAD_USER_INPUT
    return ErrorCode.INTERNAL_SERVER_ERROR


def format_errors(errors: Iterable[GraphQLError], *, request_id: str) -> list[dict[str, Any]]:
    """Render errors as the GraphQL response lists them, each with ``extensions.code``.

    An unexpected one is logged with its traceback and the request's id, and the client sees only
    that id. Variables and arguments are never logged.
    """
    return [_format_error(error, request_id=request_id) for error in errors]


def status_of(errors: Sequence[GraphQLError]) -> int:
    """Return the HTTP status of an answer without data: the highest one of its errors."""
    return max((HTTP_STATUS[code_of(error)] for error in errors), default=500)


def _format_error(error: GraphQLError, *, request_id: str) -> dict[str, Any]:
    code = code_of(error)
    formatted: dict[str, Any] = {"message": _shown_message(error, code)}
    if error.locations:
        formatted["locations"] = [location.formatted for location in error.locations]
    if error.path is not None:
        formatted["path"] = list(error.path)
    if code is ErrorCode.INTERNAL_SERVER_ERROR:
        _log_unexpected(error, request_id=request_id)
        formatted["extensions"] = {"code": code.value, "requestId": request_id}
    else:
        formatted["extensions"] = {**(error.extensions or {}), "code": code.value}
    return formatted


def _shown_message(error: GraphQLError, code: ErrorCode) -> str:
    if code is ErrorCode.INTERNAL_SERVER_ERROR:
        return MASKED_MESSAGE
    if code is ErrorCode.TIMEOUT and error.original_error is not None:
        # A driver's own words about its time-out may name hosts and statements.
        return "The answer took too long; expected less to be asked for, or ask again later"
    # A name in a document may be as long as the body: what is echoed is not.
    if len(error.message) > _LONGEST_MESSAGE:
        return f"{error.message[: _LONGEST_MESSAGE - 1]}…"
    return error.message


def _log_unexpected(error: GraphQLError, *, request_id: str) -> None:
    *_, cause = _causes(error)
    _LOG.error(
        "request %s: unexpected %s at %s",
        request_id,
        type(cause).__name__,
        ".".join(map(str, error.path or ())) or "the operation",
        exc_info=cause,
    )


def _causes(error: GraphQLError) -> Iterator[Exception]:
    """Yield an error and what it wraps, the innermost last."""
    current: Exception | None = error
    while current is not None:
        yield current
        current = current.original_error if isinstance(current, GraphQLError) else None


def _is_coercion(error: GraphQLError, chain: Sequence[Exception]) -> bool:
    """Whether graphql-core refused a variable or an argument.

    It then points at the variable's definition or the argument's value; a failing resolver or
    result is located at its field.
    """
    errors = [link for link in chain if isinstance(link, GraphQLError)]
    if error.path is None and len(errors) == len(chain) and error.nodes:
        return True
    return any(link.nodes and not isinstance(link.nodes[0], FieldNode) for link in errors)
