"""Arguments without variables are read once, the others each time, in one order."""

# mypy: disable-error-code="no-any-return"
# Resolvers return what the test makes.

from __future__ import annotations

from typing import Any, NewType

import pytest
import strawberry
from strawberry.schema.config import StrawberryConfig

from pith_graph.gql.execution import CompiledExecution

Counted = NewType("Counted", int)


class Parsed:
    """What the scalar parses, each time."""

    values: list[Any]


def parse(value: Any) -> int:
    Parsed.values.append(value)
    if value == 0:
        raise ValueError("zero")
    return int(value)


@strawberry.type
class Query:
    @strawberry.field
    def shown(self, one: Counted, two: Counted = Counted(2), of: list[int] | None = None) -> str:
        if of is not None:
            of.append(9)
        return f"{one} {two} {of}"

    @strawberry.field
    def loose(self, first: int = 1, second: int = 2, third: int | None = None) -> str:
        return " ".join(f"{name}={value}" for name, value in locals().items() if name != "self")


CONFIG = StrawberryConfig(
    scalar_map={Counted: strawberry.scalar(name="Counted", parse_value=parse)}
)


@pytest.fixture
def ask() -> Any:
    plans: dict[Any, Any] = {}
    schema = strawberry.Schema(
        Query, config=CONFIG, extensions=[lambda: CompiledExecution(plans=lambda: plans)]
    )
    Parsed.values = []

    async def execute(query: str, **variables: Any) -> Any:
        result = await schema.execute(query, variable_values=variables)
        assert result.extensions == {"execution": "compiled"}
        return result.data if result.errors is None else str(result.errors[0].message)

    return execute


async def test_a_constant_is_read_once_and_a_variable_each_time(ask):
    query = "query ($two: Counted!) { shown(one: 7, two: $two) }"
    read = []
    for two in (3, 4, 5):
        Parsed.values = []
        assert await ask(query, two=two) == {"shown": f"7 {two} None"}
        read.append((Parsed.values.count(7), Parsed.values.count(two)))
    # Validation, which is Strawberry's here, reads the constant each time.
    first, second, third = read
    assert first == (second[0] + 1, 1)
    assert second == third


async def test_a_constant_list_is_the_resolvers_own_each_time(ask):
    for _ in range(2):
        assert await ask("{ shown(one: 1, of: [5]) }") == {"shown": "1 2 [5, 9]"}


async def test_a_list_is_read_with_its_variables_each_time(ask):
    query = "query ($n: Int!) { shown(one: 1, of: [$n]) }"
    for n in (3, 4):
        assert await ask(query, n=n) == {"shown": f"1 2 [{n}, 9]"}


async def test_a_default_is_read_where_a_variable_is_left_out(ask):
    query = "query ($two: Counted) { shown(one: 1, two: $two) }"
    assert await ask(query, two=3) == {"shown": "1 3 None"}
    assert await ask(query) == {"shown": "1 2 None"}


async def test_a_null_where_none_may_be_is_the_fields_error_each_time(ask):
    query = "query ($n: Int = 1) { loose(first: $n, third: 3) }"
    for _ in range(2):
        assert "Argument 'first'" in await ask(query, n=None)
        assert await ask(query, n=5) == {"loose": "first=5 second=2 third=3"}
