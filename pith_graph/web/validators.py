"""Entity tags and the conditions that name them (RFC 9110, sections 8.8.3 and 13.1.2).

All tags are weak: one stands for an answer in every content coding. ``web/endpoint.py``,
``web/records.py`` and ``web/sdl.py`` make and compare them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.responses import Response


def weak_tag(*parts: bytes) -> str:
    """Build a tag that is the same for the same parts, and for no others."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return f'W/"{digest.hexdigest()[:32]}"'


def read_condition(headers: Headers) -> str:
    """Return ``If-None-Match``, of several headers as one list; empty where there is none."""
    return ",".join(headers.getlist("if-none-match"))


def names_tag(condition: str, tag: str) -> bool:
    """Whether a condition lists this tag, compared weakly; ``*`` lists none."""
    listed = {part.strip().removeprefix("W/") for part in condition.split(",")}
    return tag.removeprefix("W/") in listed


def is_known(condition: str, tag: str) -> bool:
    """Whether a client that sends this condition has the answer with this tag."""
    return condition.strip() == "*" or names_tag(condition, tag)


def not_modified(headers: Mapping[str, str]) -> Response:
    """Build the answer that says so; the headers are those of the answer it stands for."""
    return Response(status_code=304, headers=dict(headers))
