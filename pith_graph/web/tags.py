"""Entity tags of GraphQL answers, known before anything is executed where that can be.

An answer is the same for as long as no commit is made, the document, the variables and the server
being the same: one small statement then tells whether a client has it. Fields that can change
without a commit are excepted; their answers' tags are digests of the bytes. ``web/endpoint.py``
asks.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable

import orjson

from pith_graph.errors import PithError
from pith_graph.gql.requests import GraphQLRequest
from pith_graph.web.negotiation import MediaType
from pith_graph.web.validators import weak_tag


class AnswerTags:
    """Makes the tags of answers to GET.

    Args:
        fetch_revision: Reads what is another text after every commit, or raises ``PithError``.
        server: What else answers depend on, as text: this version, its schema, its settings.
        changing: Names of fields that can change without a commit.
        seconds: How long the revision may take.
    """

    def __init__(
        self,
        fetch_revision: Callable[[], Awaitable[str]],
        *,
        server: str,
        changing: Iterable[str],
        seconds: float,
    ) -> None:
        self._fetch_revision = fetch_revision
        self._server = server.encode()
        # By the text alone, which may name too much, in a comment say, and never too little.
        self._changing = re.compile(rf"\b(?:{'|'.join(changing)})\b", re.ASCII)
        self._seconds = seconds

    async def foretell(self, request: GraphQLRequest, media_type: MediaType) -> str | None:
        """Return the tag that the answer will have if it has no errors; None if that is unknown.

        The revision is read before the answer is: a commit between the two makes a tag that no
        longer matches, never one that matches too long.
        """
        if self._changing.search(request.query):
            return None
        try:
            async with asyncio.timeout(self._seconds):
                revision = await self._fetch_revision()
        except (PithError, TimeoutError):
            # The execution will meet the same, and say it.
            return None
        asked = (request.query, request.operation_name, request.variables)
        written = orjson.dumps(asked, option=orjson.OPT_SORT_KEYS)
        return weak_tag(self._server, media_type.encode(), revision.encode(), written)

    def tag_of(self, body: bytes, media_type: MediaType) -> str:
        """Return the tag of an answer by its bytes."""
        return weak_tag(media_type.encode(), body)
