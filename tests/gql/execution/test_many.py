"""Functions for many sources: what they may be, and how they are called."""

# mypy: disable-error-code="untyped-decorator"
# Strawberry types some decorators as Any.

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

import pytest
import strawberry

from pith_graph.gql.execution import for_many


@strawberry.enum
class By(Enum):
    ONE = 1


def test_what_is_no_coroutine_function_is_refused():
    def at_once(sources: Sequence[Any], _info: Any) -> Any:
        return sources

    with pytest.raises(TypeError, match="expected a coroutine function"):
        for_many(at_once)


async def test_a_coroutine_function_must_take_the_info():
    async def alone(sources: Sequence[Any]) -> list[Any]:
        return list(sources)

    with pytest.raises(TypeError, match="expected a coroutine function"):
        for_many(alone)


def test_the_resolver_has_the_arguments_of_the_function_without_what_is_asked():
    @strawberry.type
    class Query:
        @strawberry.field(graphql_type=int)
        @for_many
        async def size(
            rows: Sequence[Any],  # noqa: N805
            told: strawberry.Info,
            by: By = By.ONE,
            *,
            asked: Any,
        ) -> list[int]:
            """Count."""
            assert told
            assert asked
            return [by.value for _ in rows]

    assert "  size(by: By! = ONE): Int!" in str(strawberry.Schema(Query))
