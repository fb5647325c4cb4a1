"""Paper Citation Records: bytes in, observations out, or a refusal that says where and why.

The importer reads files with ``read_record_file``; one bad record does not stop the others.
Shape, contradictions and digests refuse a record; derived values that differ are warnings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from pydantic import ValidationError

from pith_graph.errors import RecordRefusedError, shorten
from pith_graph.observations import RecordObservation
from pith_graph.record_text import SCHEMA_NAME
from pith_graph.sources.record_checks import find_problems
from pith_graph.sources.record_digests import Mismatch, verify_document
from pith_graph.sources.record_files import (
    RawRecord,
    RecordFile,
    RefusedRecord,
    open_record_file,
)
from pith_graph.sources.record_json import parse_json_object
from pith_graph.sources.record_model import RecordModel
from pith_graph.sources.record_observations import observe_record
from pith_graph.sources.record_problems import Problem, build_refusal, read_problems
from pith_graph.sources.record_warnings import find_warnings

__all__ = [
    "Mismatch",
    "RawRecord",
    "ReadRecord",
    "RecordFile",
    "RefusedRecord",
    "open_record_file",
    "parse_record",
    "read_record_file",
    "read_records",
    "verify_document",
]


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """A record that is taken in.

    Attributes:
        place: The file's name, with the line where the file has several records.
        observation: What the record observes.
        warnings: Derived values that differ from what its parts give, each with its place.
    """

    place: str
    observation: RecordObservation
    warnings: tuple[str, ...]


def read_records(
    path: str, *, stdin: BinaryIO | None = None
) -> Iterator[ReadRecord | RefusedRecord]:
    """Yield every record of a file, read or refused; a file that is bad as a whole is one refusal.

    Args:
        path: The file, or ``-`` for standard input.
        stdin: What ``-`` means; the process's own standard input where it is left out.
    """
    try:
        with open_record_file(path, stdin=stdin) as file:
            yield from read_record_file(file)
    except RecordRefusedError as error:
        yield RefusedRecord("standard input" if path == "-" else path, error)


def read_record_file(file: RecordFile) -> Iterator[ReadRecord | RefusedRecord]:
    """Yield every record of an open file, read or refused, in the file's order."""
    for raw in file.split():
        yield raw if isinstance(raw, RefusedRecord) else _read_record(raw)


def parse_record(document: dict[str, Any]) -> tuple[RecordObservation, tuple[str, ...]]:
    """Validate a record's parsed JSON; return what it observes and the warnings.

    Raises:
        RecordRefusedError: The first few problems, with their places, and how many more there are.
    """
    if document.get("schema", SCHEMA_NAME) != SCHEMA_NAME:
        reason = f"expected {SCHEMA_NAME!r}, found {shorten(document['schema'])}"
        raise RecordRefusedError("schema", reason)
    try:
        record = RecordModel.model_validate(document)
    except ValidationError as error:
        raise build_refusal(read_problems(error)) from error
    problems = list(find_problems(record))
    problems += [Problem(each.place, each.reason) for each in verify_document(document)]
    if problems:
        raise build_refusal(problems)
    return observe_record(record), tuple(map(str, find_warnings(record)))


def _read_record(raw: RawRecord) -> ReadRecord | RefusedRecord:
    try:
        observation, warnings = parse_record(parse_json_object(raw.data))
    except RecordRefusedError as error:
        return RefusedRecord(raw.place, error)
    return ReadRecord(raw.place, observation, warnings)
