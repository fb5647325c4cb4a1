"""The refusal of an HTTP request before GraphQL sees it.

``web/body.py``, ``web/negotiation.py`` and ``web/parameters.py`` raise it; ``web/endpoint.py``
answers it.
"""

from __future__ import annotations

from collections.abc import Mapping

from pith_graph.errors import PithError
from pith_graph.gql.errors import HTTP_STATUS, ErrorCode


class RequestRefusedError(PithError):
    """A request that is no well-formed GraphQL-over-HTTP request.

    Attributes:
        code: ``extensions.code`` of the answer.
        status: The HTTP status; the code's own where none is given.
        headers: Headers of the answer.
    """

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = HTTP_STATUS[code] if status is None else status
        self.headers = dict(headers or {})
