"""Strict JSON: what a record may be written in, and nothing that two readers read differently.

A key twice in one object, NaN and Infinity are refused. Called for every document of a record file
and by ``verify_document``.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NoReturn

from pith_graph.errors import RecordRefusedError, shorten

WHOLE = "record"
"""The place of a fault that concerns a document as a whole."""


def parse_json(data: bytes) -> object:
    """Parse one JSON document in UTF-8, with or without a byte order mark.

    Raises:
        RecordRefusedError: It is not UTF-8, cut off, no JSON, or ambiguous JSON.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        reason = f"not UTF-8: byte {data[error.start]:#04x} at offset {error.start}"
        raise RecordRefusedError(WHOLE, reason) from error
    if not text.strip():
        raise RecordRefusedError(WHOLE, "empty, expected a JSON object")
    try:
        return json.loads(text, object_pairs_hook=_build_object, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise RecordRefusedError(WHOLE, _explain(error, text)) from error
    except RecursionError as error:
        raise RecordRefusedError(WHOLE, "nested too deeply for a record") from error
    except ValueError as error:
        if isinstance(error, RecordRefusedError):
            raise
        raise RecordRefusedError(WHOLE, f"a number that cannot be read: {error}") from error


def parse_json_object(data: bytes) -> dict[str, Any]:
    """Parse one JSON document that is an object.

    Raises:
        RecordRefusedError: As ``parse_json``, or it is another kind of value.
    """
    value = parse_json(data)
    if not isinstance(value, dict):
        raise RecordRefusedError(WHOLE, f"expected a JSON object, found {shorten(value)}")
    return value


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built = dict(pairs)
    if len(built) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, count in counts.items() if count > 1)
        raise RecordRefusedError(WHOLE, f"the key {shorten(twice)} stands twice in one object")
    return built


def _refuse_constant(name: str) -> NoReturn:
    raise RecordRefusedError(WHOLE, f"{name} is no JSON number")


def _explain(error: json.JSONDecodeError, text: str) -> str:
    place = f"line {error.lineno}, column {error.colno}"
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return f"cut off: the JSON ends unfinished ({place})"
    if error.msg == "Extra data":
        return f"text follows the end of the JSON document ({place}); one record a line, or one"
    return f"no JSON: {error.msg} ({place})"
