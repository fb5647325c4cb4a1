"""Instants: UTC times as sources write them, to the microsecond.

The record prints two spellings of the same form, ``…Z`` and, for standing sources, ``…+00:00``;
both have six fractional digits, or none when they are zero. Anything else is refused, since it
could not be printed back as it came.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache

from pith_graph.errors import InputError, shorten

_FORM = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?(?:Z|\+00:00)")
_LOOSE = re.compile(
    r"\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:[Zz]|[+-]\d\d:?\d\d)?)?"
)


@lru_cache(maxsize=8192)  # many rows were observed at one time
def render_instant(at: datetime) -> str:
    """Print an aware UTC time with ``Z``: ``2026-08-10T10:32:00Z``."""
    return at.isoformat()[:-6] + "Z"


def render_offset_instant(at: datetime) -> str:
    """Print an aware UTC time with ``+00:00``, as the standing sources do."""
    return at.isoformat()


def parse_instant(text: str) -> datetime:
    """Read a time in exactly one of the record's two spellings.

    Raises:
        InputError: Another form, or no such day or hour.
    """
    if not _FORM.fullmatch(text) or (text[19] == "." and text[20:26] == "000000"):
        raise InputError(
            f"{shorten(text)} is not a UTC time of the form 2026-08-10T10:32:00Z, with six "
            "fractional digits or none"
        )
    return _read(text)


def parse_any_instant(text: str) -> datetime:
    """Read a time that a person or client wrote: ISO 8601, a bare day or no zone meaning UTC.

    Raises:
        InputError: No ISO 8601 time.
    """
    if not _LOOSE.fullmatch(text):
        raise InputError(
            f"{shorten(text)} is not an ISO 8601 time such as 2026-08-10T10:32:00Z or 2026-08-10"
        )
    at = _read(text.upper())
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def floor_to_minute(at: datetime) -> datetime:
    """Cut a time to its minute, the precision of a record's ``as_of``."""
    return at.replace(second=0, microsecond=0)


def _read(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
        return at.astimezone(UTC) if at.tzinfo is not None else at
    except (ValueError, OverflowError) as error:
        raise InputError(f"{shorten(text)} is not a time: {error}") from error
