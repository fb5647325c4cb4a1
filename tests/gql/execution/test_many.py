"""Functions for many sources: what they may be, and how they are called."""

# mypy: disable-error-code="untyped-decorator"
# Strawberry types some decorators as Any.

from __future__ import annotations

import asyncio
from collections.abc import Generator, Sequence
from enum import Enum
from typing import Any

import pytest
import strawberry

from pith_graph.gql.execution import CompiledExecution, for_many


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


class Later:
    """An awaitable of a value."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __await__(self) -> Generator[Any, Any, Any]:
        yield from asyncio.sleep(0).__await__()
        return self._value


@pytest.mark.parametrize("compiles", [True, False])
async def test_a_value_that_a_batch_brought_is_not_waited_for_again(compiles: bool):  # noqa: FBT001
    @strawberry.type
    class Query:
        @strawberry.field(graphql_type=int | None)
        @for_many
        async def number(rows: Sequence[Any], _info: strawberry.Info) -> list[Any]:  # noqa: N805
            return [Later(3) for _ in rows]

        @strawberry.field(graphql_type=list[int] | None)
        @for_many
        async def numbers(rows: Sequence[Any], _info: strawberry.Info) -> list[Any]:  # noqa: N805
            return [Later([3]) for _ in rows]

        @strawberry.field(graphql_type=list[int] | None)
        @for_many
        async def items(rows: Sequence[Any], _info: strawberry.Info) -> list[Any]:  # noqa: N805
            return [[Later(3)] for _ in rows]

    plans: dict[Any, Any] = {}
    schema = strawberry.Schema(
        Query, extensions=[lambda: CompiledExecution(plans=lambda: plans, compiles=compiles)]
    )
    answer = await schema.execute("{ number numbers items }")
    assert answer.data == {"number": None, "numbers": None, "items": [3]}
    assert sorted(str(error.path) for error in answer.errors or ()) == ["['number']", "['numbers']"]
