"""Recomputing a record's digests from its JSON, as anybody who was handed one can.

``pith_record`` refuses a record with them; the command ``verify`` lists every one that differs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import rfc8785

from pith_graph.canonical import digest
from pith_graph.errors import RecordRefusedError, shorten
from pith_graph.sources.record_json import WHOLE, parse_json_object

OBSERVATION_DIGEST = "observation_digest"
CONTEXT_DIGEST = "context_digest"
NOT_IN_OBSERVATION_DIGEST = frozenset({OBSERVATION_DIGEST})
NOT_IN_CONTEXT_DIGEST = frozenset({"as_of", CONTEXT_DIGEST})
_DIRECTIONS = ("outbound", "inbound")
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_SHOWN = len("sha256:") + 12


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One digest that a record prints and its contents do not have.

    Attributes:
        place: Where it stands, such as ``outbound[3].observation_digest``.
        computed: What the contents have.
        found: What is printed; a rendering of the value where that is no string, None where the
            key is missing.
    """

    place: str
    computed: str
    found: str | None

    @property
    def reason(self) -> str:
        """One sentence: both digests, shortened."""
        found = "nothing" if self.found is None else _abbreviate(self.found)
        return f"the contents have {_abbreviate(self.computed)}, found {found}"


def verify_document(document: bytes | Mapping[str, Any]) -> list[Mismatch]:
    """Recompute every digest of a record and list all that differ, in the record's order.

    Nothing else of the record is checked.

    Raises:
        RecordRefusedError: The document cannot be read, or is not of a shape that has digests.
    """
    record = parse_json_object(document) if isinstance(document, bytes) else document
    return list(_find_mismatches(record))


def _find_mismatches(record: Mapping[str, Any]) -> Iterator[Mismatch]:
    for direction in _DIRECTIONS:
        observations = record.get(direction)
        if not isinstance(observations, list):
            raise RecordRefusedError(direction, f"expected a list, found {shorten(observations)}")
        for index, observation in enumerate(observations):
            place = f"{direction}[{index}]"
            if not isinstance(observation, dict):
                reason = f"expected an object, found {shorten(observation)}"
                raise RecordRefusedError(place, reason)
            computed = _compute(place, observation, NOT_IN_OBSERVATION_DIGEST)
            yield from _compare(f"{place}.", OBSERVATION_DIGEST, observation, computed)
    yield from _compare("", CONTEXT_DIGEST, record, _compute(WHOLE, record, NOT_IN_CONTEXT_DIGEST))


def _compute(place: str, value: Mapping[str, Any], without: frozenset[str]) -> str:
    try:
        return digest(value, without=without)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError, RecursionError) as error:
        reason = f"no canonical JSON can be made of it: {shorten(str(error))}"
        raise RecordRefusedError(place, reason) from error


def _compare(place: str, key: str, holder: Mapping[str, Any], computed: str) -> Iterator[Mismatch]:
    found = holder.get(key)
    if found != computed:
        printed = found if found is None or isinstance(found, str) else shorten(found)
        yield Mismatch(place + key, computed, printed)


def _abbreviate(text: str) -> str:
    """Show a digest's first twelve digits; anything else as a shortened value."""
    return f"{text[:_SHOWN]}…" if _DIGEST.fullmatch(text) else shorten(text)
