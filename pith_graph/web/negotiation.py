"""Which media type an answer has, and whether a browser wants a page (RFC 9110, section 12.5.1).

``web/endpoint.py`` asks before it does anything else; ``web/codings.py`` reads its header the same
way. Of parameters only ``q`` is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from pith_graph.errors import shorten
from pith_graph.gql.errors import ErrorCode
from pith_graph.web.refusal import RequestRefusedError


class MediaType(StrEnum):
    """The media types of answers, the one that says more first."""

    GRAPHQL_RESPONSE = "application/graphql-response+json"
    JSON = "application/json"


_HTML = "text/html"


@dataclass(frozen=True, slots=True, order=True)
class _Preference:
    """How much a media type is wanted: its weight, then how exactly it was named (0 to 2)."""

    weight: float = 0.0
    exactness: int = 0


@lru_cache(maxsize=64)  # clients are few and say the same each time
def choose_media_type(accept: str | None) -> MediaType:
    """Return the media type of the answer to this ``Accept`` header.

    The higher weight wins, then the type that is named rather than covered by a wildcard, then
    ``application/graphql-response+json``. Where nothing is named it is ``application/json``, which
    every client reads.

    Raises:
        RequestRefusedError: ``NOT_ACCEPTABLE`` if neither type is accepted.
    """
    if accept is None or not accept.strip():
        return MediaType.JSON
    ranges = parse_weights(accept)
    response, json = (_prefer(ranges, media_type) for media_type in MediaType)
    if not response.weight and not json.weight:
        raise RequestRefusedError(
            ErrorCode.NOT_ACCEPTABLE,
            f"The Accept header {shorten(accept)} allows no answer; expected it to allow "
            f"{MediaType.GRAPHQL_RESPONSE} or {MediaType.JSON}",
        )
    named = response.exactness == _exactness(MediaType.GRAPHQL_RESPONSE)
    if response > json or (response == json and named):
        return MediaType.GRAPHQL_RESPONSE
    return MediaType.JSON


def prefers_html(accept: str | None) -> bool:
    """Whether the header names HTML, and wants it as much as any GraphQL answer.

    Browsers name it; a client that sends ``*/*`` or nothing does not.
    """
    ranges = parse_weights(accept or "")
    html = _prefer(ranges, _HTML)
    others = [_prefer(ranges, media_type).weight for media_type in MediaType]
    return html.weight > 0 and html.exactness > 0 and html.weight >= max(others)


def parse_weights(header: str) -> dict[str, float]:
    """Parse a list of names with their weights, in lower case; a malformed weight is left out."""
    return dict(_read_weights(header))


def _read_weights(header: str) -> Iterator[tuple[str, float]]:
    for element in header.split(","):
        name, *parameters = (part.strip().lower() for part in element.split(";"))
        if not name:
            continue
        weights = [p[2:].strip() for p in parameters if p.startswith("q=")]
        weight = _parse_weight(weights[0]) if weights else 1.0
        if weight is not None:
            yield name, weight


def _parse_weight(text: str) -> float | None:
    """Parse a ``q`` value; None if it is none, and the range is then as if not there."""
    try:
        weight = float(text)
    except ValueError:
        return None
    return weight if 0.0 <= weight <= 1.0 else None


def _exactness(media_range: str) -> int:
    return 2 - media_range.count("*")


def _prefer(ranges: dict[str, float], media_type: str) -> _Preference:
    """Return how much a type is wanted: the most exact range that covers it decides."""
    family, _, _ = media_type.partition("/")
    for media_range in (media_type, f"{family}/*", "*/*"):
        if media_range in ranges:
            return _Preference(ranges[media_range], _exactness(media_range))
    return _Preference()
