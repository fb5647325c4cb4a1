"""Opening record files: one JSON document or JSON Lines, plain or gzipped, from disk or a pipe.

The whole file is read once for its SHA-256 (and a gzip is checked to its end), then streamed:
memory holds one record, however many the file has. ``pith_record`` parses what comes out; the
commands ``ingest record`` and ``verify`` open files here.
"""

from __future__ import annotations

import gzip
import hashlib
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, BinaryIO, cast

from pith_graph.errors import RecordRefusedError
from pith_graph.sources.record_json import WHOLE, parse_json

STANDARD_INPUT = "-"
MAX_RECORD_BYTES = 64 * 1024 * 1024
"""The largest record, decompressed."""

MAX_EXPANSION = 500
"""How many times its size a gzip may expand to; ``FREE_EXPANSION_BYTES`` are always allowed."""

FREE_EXPANSION_BYTES = 256 * 1024 * 1024

_GZIP_MAGIC = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_CHUNK = 1024 * 1024
_FILE = "file"


@dataclass(frozen=True, slots=True)
class RawRecord:
    """The bytes of one record. ``place`` is the file's name, with the line where it has several."""

    place: str
    data: bytes


@dataclass(frozen=True, slots=True)
class RefusedRecord:
    """A record, or a whole file, that is refused, with the place it has in its file."""

    place: str
    error: RecordRefusedError


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    data: bytes | None
    """None where the line is longer than a record may be."""

    @property
    def blank(self) -> bool:
        return self.data is not None and not self.data.strip()


@dataclass(frozen=True, slots=True)
class RecordFile:
    """An open record file.

    Attributes:
        name: The path as given, or ``standard input``.
        sha256: The hex SHA-256 of the file's bytes as they are, compressed or not.
        size: Their number.
    """

    name: str
    sha256: str
    size: int
    _stream: IO[bytes]

    def split(self) -> Iterator[RawRecord | RefusedRecord]:
        """Yield the file's records from the start, each as bytes.

        The file is JSON Lines where its first line that is not blank is a whole JSON value and
        others follow, or where a later line is a whole object with the key ``schema``; otherwise
        it is one document. So a pretty-printed document that is cut off is one cut-off document,
        and a broken first line does not hide the records after it.
        """
        self._stream.seek(0)
        lines = _read_lines(self._stream)
        head: list[_Line] = []
        held, first = 0, True
        for line in lines:
            head.append(line)
            held += len(line.data or b"")
            if held > MAX_RECORD_BYTES:
                break
            if line.blank:
                continue
            if _is_record_line(line, first=first):
                following = next((each for each in lines if not each.blank), None)
                if following is None and first:
                    break
                rest = chain(head, [following] if following else [], lines)
                yield from (self._on_its_line(each) for each in rest if not each.blank)
                return
            first = False
        yield self._one_document(head, held)

    def _on_its_line(self, line: _Line) -> RawRecord | RefusedRecord:
        place = f"{self.name}:{line.number}"
        return _too_large(place) if line.data is None else RawRecord(place, line.data)

    def _one_document(self, lines: list[_Line], size: int) -> RawRecord | RefusedRecord:
        if size > MAX_RECORD_BYTES or any(line.data is None for line in lines):
            return _too_large(self.name)
        # Joined as read, so that the parser's line numbers are the file's.
        return RawRecord(self.name, b"".join(line.data or b"" for line in lines))


@contextmanager
def open_record_file(path: str, *, stdin: BinaryIO | None = None) -> Iterator[RecordFile]:
    """Open a record file; ``-`` is standard input, which is kept in a temporary file.

    Raises:
        RecordRefusedError: It cannot be read, is empty, or is a gzip that is cut off, damaged or
            out of proportion. Nothing of such a file is taken in.
    """
    name = "standard input" if path == STANDARD_INPUT else path
    with ExitStack() as stack:
        try:
            raw = _open_seekable(path, stdin, stack)
            sha256, size, zipped = _survey(raw)
        except (OSError, ValueError) as error:
            reason = f"cannot be read: {getattr(error, 'strerror', None) or error}"
            raise RecordRefusedError(_FILE, reason) from error
        if size == 0:
            raise RecordRefusedError(_FILE, "empty, expected a record")
        if not zipped:
            yield RecordFile(name, sha256, size, raw)
            return
        stream = stack.enter_context(gzip.GzipFile(fileobj=raw, mode="rb"))
        _check_gzip(stream, size)
        yield RecordFile(name, sha256, size, cast("IO[bytes]", stream))


def _open_seekable(path: str, stdin: BinaryIO | None, stack: ExitStack) -> IO[bytes]:
    """Open a path, and copy what can be read only once."""
    if path == STANDARD_INPUT:
        source: IO[bytes] = stdin or sys.stdin.buffer
    else:
        source = stack.enter_context(Path(path).open("rb"))  # noqa: SIM115  # the stack closes it
        if source.seekable():
            return source
    spool = tempfile.SpooledTemporaryFile(max_size=MAX_RECORD_BYTES)  # noqa: SIM115  # likewise
    copy = stack.enter_context(spool)
    while chunk := source.read(_CHUNK):
        copy.write(chunk)
    return cast("IO[bytes]", copy)


def _survey(raw: IO[bytes]) -> tuple[str, int, bool]:
    """Read a file through: its SHA-256, its size, and whether it is a gzip by its first bytes."""
    raw.seek(0)
    sha256, size, start = hashlib.sha256(), 0, b""
    while chunk := raw.read(_CHUNK):
        start = start or chunk[: len(_GZIP_MAGIC)]
        sha256.update(chunk)
        size += len(chunk)
    raw.seek(0)
    return sha256.hexdigest(), size, start == _GZIP_MAGIC


def _check_gzip(stream: gzip.GzipFile, size: int) -> None:
    allowed = max(FREE_EXPANSION_BYTES, size * MAX_EXPANSION)
    expanded = 0
    try:
        while chunk := stream.read(_CHUNK):
            expanded += len(chunk)
            if expanded > allowed:
                reason = f"a gzip of {size} bytes that expands to more than {allowed}"
                raise RecordRefusedError(_FILE, reason)
    except EOFError as error:
        raise RecordRefusedError(_FILE, "a gzip that is cut off") from error
    except (OSError, zlib.error) as error:
        raise RecordRefusedError(_FILE, f"a damaged gzip: {error}") from error


def _read_lines(stream: IO[bytes]) -> Iterator[_Line]:
    number = 0
    while data := stream.readline(MAX_RECORD_BYTES + 1):
        number += 1
        if number == 1:
            data = data.removeprefix(_BYTE_ORDER_MARK)
        if len(data) <= MAX_RECORD_BYTES:
            yield _Line(number, data)
            continue
        while data and not data.endswith(b"\n"):
            data = stream.readline(MAX_RECORD_BYTES)
        yield _Line(number, None)


def _is_record_line(line: _Line, *, first: bool) -> bool:
    """Return whether a line is by itself a JSON value, or, after the first, surely a record."""
    if line.data is None:
        return False
    if not first and not (line.data.lstrip().startswith(b"{") and b'"schema"' in line.data):
        return False
    try:
        value = parse_json(line.data)
    except RecordRefusedError:
        return False
    return first or (isinstance(value, dict) and "schema" in value)


def _too_large(place: str) -> RefusedRecord:
    reason = f"larger than {MAX_RECORD_BYTES} bytes, the most that one record may have"
    return RefusedRecord(place, RecordRefusedError(WHOLE, reason))
