"""The error tree. Every error that Pith Graph raises on purpose is one of these.

PithError
├── InputError                 what was asked for cannot be read (BAD_USER_INPUT)
│   ├── MalformedIdentifierError   text that is no arXiv id and no DOI
│   └── CursorError                a cursor that is unreadable or from another list
├── NotHeldError               a well-formed identifier of something the store lacks
├── AmbiguousIdentifierError   one identifier, several holders
├── RecordRefusedError         a Paper Citation Record that is not taken in, and where it is wrong
└── StoreError                 the database cannot do what is asked
    ├── DatabaseNotReadyError      unreachable, absent, or not at the head revision
    └── WriterBusyError            another process is writing
"""

from __future__ import annotations

_SHOWN = 80


def shorten(value: object, limit: int = _SHOWN) -> str:
    """Render a value for a message: its ``repr``, cut to ``limit`` characters."""
    return shorten_text(repr(value), limit)


def shorten_text(text: str, limit: int = _SHOWN) -> str:
    """Cut what a message shows to ``limit`` characters, and say how many there were."""
    if len(text) <= limit:
        return text
    return f"{text[: limit - 1]}… ({len(text)} characters)"


class PithError(Exception):
    """Base of every error raised on purpose; its text is safe to show to a client."""


class InputError(PithError, ValueError):
    """An argument that cannot be read. The message names the argument and what was expected."""


class MalformedIdentifierError(InputError):
    """Text that is neither an arXiv id nor a DOI in any written form.

    Attributes:
        value: The text as received.
        reason: What is wrong with it and what was expected, in one sentence.
    """

    def __init__(self, value: str, reason: str) -> None:
        super().__init__(f"{shorten(value)} is not an identifier: {reason}")
        self.value = value
        self.reason = reason


class CursorError(InputError):
    """A cursor that cannot be decoded, or that belongs to another list, sort or filter."""


class NotHeldError(PithError, LookupError):
    """A well-formed identifier of something that the store does not hold.

    Attributes:
        value: The identifier in canonical form.
    """

    def __init__(self, kind: str, value: str) -> None:
        super().__init__(f"{kind} {value} is not held by this store")
        self.value = value


class AmbiguousIdentifierError(PithError, LookupError):
    """One identifier that several held things carry.

    Attributes:
        value: The identifier in canonical form.
        candidates: The public ids of all that carry it.
    """

    def __init__(self, value: str, candidates: tuple[str, ...]) -> None:
        super().__init__(f"{value} names {len(candidates)} things: {', '.join(candidates)}")
        self.value = value
        self.candidates = candidates


class RecordRefusedError(PithError, ValueError):
    """A Paper Citation Record that is refused whole.

    Attributes:
        place: Where in the record, as a path such as ``outbound[3].citation.source``; ``record``
            for the whole.
        reason: What was wrong and what was expected.
    """

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


class StoreError(PithError):
    """The database cannot do what is asked."""


class DatabaseNotReadyError(StoreError):
    """The database is absent, unreachable, or not at the head revision."""


class WriterBusyError(StoreError):
    """Another process holds the writer's lock."""
