"""Comparing an answer of the compiled execution with graphql-core's of the same operation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import orjson
from graphql import GraphQLError
from strawberry.types import ExecutionResult

Path = tuple[str | int, ...]


def assert_equal(compiled: ExecutionResult, expected: ExecutionResult) -> None:
    """Assert that two answers are the same, as far as the specification says what they are.

    Where a null went up, which of the errors below it are told of depends on timing; there is one.
    """
    assert _dump(compiled.data) == _dump(expected.data)
    ours, theirs = _errors(compiled), _errors(expected)
    nulled = {error[0] for error in ours | theirs if is_nulled_above(expected.data, error[0])}
    above = {path: null_above(expected.data, path) for path in nulled}
    assert {e for e in ours if e[0] not in nulled} == {e for e in theirs if e[0] not in nulled}
    assert {above[e[0]] for e in ours if e[0] in nulled} == {
        above[e[0]] for e in theirs if e[0] in nulled
    }


def is_nulled_above(data: Any, path: Path) -> bool:
    """Whether a null above the path took the value that stood there."""
    return len(null_above(data, path)) < len(path)


def null_above(data: Any, path: Path) -> Path:
    """Return the part of a path that leads to the first null."""
    for length, step in enumerate(path):
        if data is None:
            return path[:length]
        data = data[step]
    return path


def _dump(data: Any) -> bytes:
    return orjson.dumps(data)


def _errors(result: ExecutionResult) -> set[tuple[Path, str, tuple[tuple[int, int], ...]]]:
    return {
        (tuple(error.path or ()), error.message, _locations(error.locations or ()))
        for error in result.errors or ()
    }


def _locations(locations: Iterable[Any]) -> tuple[tuple[int, int], ...]:
    return tuple((each.line, each.column) for each in locations)


def messages(errors: Iterable[GraphQLError] | None) -> list[str]:
    """Return the messages of errors."""
    return [error.message for error in errors or ()]
