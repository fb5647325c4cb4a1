"""Cursors: opaque text that holds a list's name, sort, filter and the sort values at one row.

Both are checked when a cursor comes back, so that a cursor of another list is an error, never a
wrong page.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from pith_graph.errors import CursorError, shorten
from pith_graph.read.keyset import Values

_VERSION = 1
_LONGEST = 1024
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def render_cursor(name: str, values: Values) -> str:
    """Encode sort values under the name of their list, sort and filter."""
    plain = [_to_json(value) for value in values]
    return base64.urlsafe_b64encode(orjson.dumps([_VERSION, name, plain])).decode().rstrip("=")


@dataclass(frozen=True, slots=True)
class CursorForm:
    """What cursors of one list, sort and filter look like.

    Attributes:
        name: The list, sort and filter.
        kinds: The types of the sort values, each ``int`` or ``datetime``.
        nullable: Whether the first value may be null.
    """

    name: str
    kinds: tuple[type, ...]
    nullable: bool = False


def parse_cursor(text: str, form: CursorForm, *, argument: str) -> Values:
    """Decode a cursor of the list, sort and filter that ``name`` names.

    Args:
        text: The cursor.
        form: What it must look like.
        argument: ``after`` or ``before``, for the message.

    Raises:
        CursorError: Not a cursor, or one of another list, sort or filter.
    """
    document = _decode(text, argument)
    if not (isinstance(document, list) and len(document) == 3 and document[0] == _VERSION):  # noqa: PLR2004  # version, name, values
        raise _unreadable(text, argument)
    if document[1] != form.name:
        raise CursorError(
            f"`{argument}` is a cursor of another list, sort or filter ({shorten(document[1])}, "
            f"expected {shorten(form.name)}): use cursors with the arguments that they came with"
        )
    values = document[2]
    if not isinstance(values, list) or len(values) != len(form.kinds):
        raise _unreadable(text, argument)
    read = [_of_json(value, kind) for value, kind in zip(values, form.kinds, strict=True)]
    if form.nullable and values[0] is None:
        read[0] = None
    if any(value is _WRONG for value in read):
        raise _unreadable(text, argument)
    return tuple(read)


_WRONG = object()
_LARGEST = 2**63


def _decode(text: str, argument: str) -> Any:
    if len(text) > _LONGEST or not text.isascii():
        raise _unreadable(text, argument)
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        return orjson.loads(data)
    except (binascii.Error, ValueError) as error:
        raise _unreadable(text, argument) from error


def _unreadable(text: str, argument: str) -> CursorError:
    return CursorError(
        f"`{argument}` is not a cursor: {shorten(text)}; expected a `cursor`, `startCursor` or "
        "`endCursor` from an answer"
    )


def _to_json(value: Any) -> Any:
    return (value - _EPOCH) // _MICROSECOND if isinstance(value, datetime) else value


def _of_json(value: Any, kind: type) -> Any:
    if not isinstance(value, int) or isinstance(value, bool) or not -_LARGEST <= value < _LARGEST:
        return _WRONG
    if kind is datetime:
        try:
            return _EPOCH + timedelta(microseconds=value)
        except OverflowError:
            return _WRONG
    return value
