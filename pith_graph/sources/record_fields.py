"""The forms of single values in a Paper Citation Record: times, UUIDs, identifiers, bounds.

Each is an annotated type that refuses any other spelling, since it could not be printed back as it
came. Only ``record_model`` uses them.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field

from pith_graph.errors import shorten
from pith_graph.identifiers import is_arxiv_id, normalize_doi
from pith_graph.instants import floor_to_minute, parse_instant
from pith_graph.vocabulary import MeasurementState, Vocabulary

MAX_INTEGER = 2**31 - 1


def _read_string(value: object, expected: str) -> str:
    if isinstance(value, str):
        return value
    raise ValueError(f"expected {expected}, found {shorten(value)}")


def _read_z(value: object) -> datetime:
    text = _read_string(value, "a UTC time ending in Z")
    if not text.endswith("Z"):
        raise ValueError(f"{shorten(text)} is not spelled as here, with Z at its end")
    return parse_instant(text)


def _read_offset(value: object) -> datetime:
    text = _read_string(value, "a UTC time ending in +00:00")
    if not text.endswith("+00:00"):
        raise ValueError(f"{shorten(text)} is not spelled as here, with +00:00 at its end")
    return parse_instant(text)


def _check_instant(value: str) -> str:
    parse_instant(value)
    return value


def _read_uuid(value: object) -> UUID:
    text = _read_string(value, "a UUID")
    try:
        parsed = UUID(text)
    except ValueError:
        parsed = None
    if parsed is None or str(parsed) != text:
        raise ValueError(f"{shorten(text)} is not a UUID in lower case with hyphens")
    return parsed


def member_of(vocabulary: type[Vocabulary]) -> BeforeValidator:
    """Make a validator that reads a value of a closed vocabulary."""

    def read(value: object) -> Vocabulary:
        for member in vocabulary:
            if member.value == value:
                return member
        known = ", ".join(member.value for member in vocabulary)
        raise ValueError(f"{shorten(value)} is none of {known}")

    return BeforeValidator(read)


def exactly(expected: str) -> AfterValidator:
    """Make a validator that takes one text only."""

    def check(value: str) -> str:
        if value != expected:
            raise ValueError(f"expected {expected!r}, found {shorten(value)}")
        return value

    return AfterValidator(check)


def _when(holds: Callable[[str], bool], expected: str) -> AfterValidator:
    def check(value: str) -> str:
        if not holds(value):
            raise ValueError(f"expected {expected}, found {shorten(value)}")
        return value

    return AfterValidator(check)


def _check_doi(value: str) -> str:
    normalize_doi(value)
    return value


def _check_minute(value: datetime) -> datetime:
    if value != floor_to_minute(value):
        raise ValueError("as_of is printed to the minute, found seconds that are not zero")
    return value


ZInstant = Annotated[datetime, BeforeValidator(_read_z)]
Minute = Annotated[ZInstant, AfterValidator(_check_minute)]
OffsetInstant = Annotated[datetime, BeforeValidator(_read_offset)]
# As text where the spelling depends on another field.
InstantText = Annotated[str, Field(max_length=40), AfterValidator(_check_instant)]
LowerUuid = Annotated[UUID, BeforeValidator(_read_uuid)]
# PostgreSQL's text holds every character but NUL.
Text = Annotated[
    str, Field(max_length=10_000), _when(lambda text: "\0" not in text, "no NUL character")
]
Name = Annotated[Text, Field(min_length=1, max_length=200), _when(str.strip, "a name")]
BareArxivId = Annotated[str, _when(is_arxiv_id, "a bare arXiv id such as 2509.00217")]
WrittenDoi = Annotated[Text, AfterValidator(_check_doi)]
Digest = Annotated[str, Field(max_length=100)]
Count = Annotated[int, Field(ge=0, le=MAX_INTEGER)]
Version = Annotated[int, Field(ge=1, le=100_000)]
Year = Annotated[int, Field(ge=1000, le=2100)]
State = Annotated[MeasurementState, member_of(MeasurementState)]
