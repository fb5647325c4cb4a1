"""How resolvers of every shape are called."""

from __future__ import annotations

from typing import Any

import pytest
import strawberry
from strawberry.schema.config import StrawberryConfig

from pith_graph.gql.execution.extension import COMPILED, CompiledExecution
from pith_graph.gql.execution.fields import Call, definition_of, describe


def outside(root: Any, info: strawberry.Info) -> str:
    return f"{root['name']} {info.field_name}"


@strawberry.type
class Query:
    @strawberry.field
    def by_self(self, n: int = 1) -> str:
        return f"{self['name']} {n}"  # type: ignore[index]

    @strawberry.field
    def by_parent(parent: strawberry.Parent[Any]) -> str:  # noqa: N805
        return str(parent["name"])

    @strawberry.field
    def by_parent_after_others(info: strawberry.Info, n: int, *, it: strawberry.Parent[Any]) -> str:  # noqa: N805
        return f"{it['name']} {n} {info.field_name}"

    @strawberry.field
    def by_root_and_self(self, root: Any) -> bool:
        return self is root

    @strawberry.field
    def by_nothing() -> str:
        return "nothing"

    @strawberry.field
    def by_info(info: strawberry.Info) -> str:  # noqa: N805
        assert info.context == "context"
        assert info.root_value == {"name": "root"}
        assert info.variable_values == {}
        assert info.python_name == "by_info"
        return info.field_name

    @strawberry.field
    @staticmethod
    def by_static(n: int = 2) -> int:
        return n

    @strawberry.field
    @classmethod
    def by_class(cls, n: int = 3) -> str:
        return f"{cls.__name__} {n}"

    by_function: str = strawberry.field(resolver=outside)
    by_lambda: str = strawberry.field(resolver=lambda: "lambda")
    name: str


@pytest.mark.parametrize(
    "query",
    [
        "{ bySelf }",
        "{ bySelf(n: 5) }",
        "{ byParent }",
        "{ byParentAfterOthers(n: 4) }",
        "{ byRootAndSelf }",
        "{ byNothing }",
        "{ byInfo }",
        "{ byStatic a: byStatic(n: 7) }",
        "{ byClass }",
        "{ byFunction }",
        "{ name }",
    ],
)
async def test_a_resolver_is_called_as_strawberry_calls_it(query):
    config = StrawberryConfig(default_resolver=lambda source, name: source[name])
    options: dict[str, Any] = {"root_value": {"name": "root"}, "context_value": "context"}
    theirs = await strawberry.Schema(Query, config=config).execute(query, **options)
    extension = [lambda: CompiledExecution(plans=dict)]
    ours = await strawberry.Schema(Query, config=config, extensions=extension).execute(
        query, **options
    )
    assert ours.extensions == {"execution": COMPILED}
    assert ours.errors is theirs.errors is None
    assert ours.data == theirs.data


@pytest.mark.parametrize(
    ("name", "first"),
    [("byParent", True), ("bySelf", True), ("byParentAfterOthers", False), ("byNothing", False)],
)
def test_the_source_is_handed_over_by_position_where_that_is_possible(name, first):
    schema = strawberry.Schema(Query)
    field = schema._schema.query_type.fields[name]  # type: ignore[union-attr]  # noqa: SLF001  # no public name
    how = describe(definition_of(field), schema)
    assert isinstance(how, Call)
    assert how.first is first
    assert bool(how.sources) is (name == "byParentAfterOthers")
