"""What is selected below a field, as functions for many sources are told."""

# mypy: disable-error-code="untyped-decorator"
# Strawberry types some decorators as Any.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import strawberry
from strawberry.directive import DirectiveLocation, DirectiveValue

from pith_graph.gql.execution import Asked, CompiledExecution, for_many


@strawberry.type
class Leaf:
    text: str = "a"
    other: str = "b"


@strawberry.type
class Branch:
    name: str = "c"
    leaf: Leaf = strawberry.field(default_factory=Leaf)
    leaves: list[Leaf] = strawberry.field(default_factory=list)


@strawberry.type
class Query:
    @strawberry.field(graphql_type=Branch)
    @for_many
    async def branch(
        sources: Sequence[Any],  # noqa: N805
        info: strawberry.Info,
        *,
        asked: Asked,
    ) -> list[Branch]:
        info.context.append(asked)
        return [Branch() for _ in sources]


FRAGMENTS = """
    fragment F on Branch { leaf { ...G } ...H @skip(if: $yes) }
    fragment G on Leaf { text }
    fragment H on Branch { leaves { text } }
"""


@pytest.mark.parametrize("compiles", [True, False])
@pytest.mark.parametrize(
    ("selection", "asked"),
    [
        ("{ name }", Asked(frozenset({"name"}))),
        ("{ a: name b: name __typename }", Asked(frozenset({"name"}))),
        ("{ leaf { __typename } }", Asked(edges=frozenset({("leaf", Asked())}))),
        (
            "{ a: leaf { text } b: leaf { other } }",
            Asked(edges=frozenset({("leaf", Asked(frozenset({"text", "other"})))})),
        ),
        (
            "{ ... on Branch { name @include(if: $no) leaf @skip(if: $no) { text } } }",
            Asked(edges=frozenset({("leaf", Asked(frozenset({"text"})))})),
        ),
        (
            "{ ...F name @skip(if: false) leaf { other @include(if: false) } }",
            Asked(frozenset({"name"}), frozenset({("leaf", Asked(frozenset({"text"})))})),
        ),
    ],
)
async def test_what_is_selected_below_is_told(selection, asked, compiles):
    found: list[Asked] = []
    schema = strawberry.Schema(
        Query, extensions=[lambda: CompiledExecution(plans=dict, compiles=compiles)]
    )
    used = "@skip(if: $yes) @include(if: $no)"
    query = f"""
        query ($yes: Boolean! = true, $no: Boolean! = false) {{
            branch {selection} unasked: branch {used} {{ ...F }}
        }}
        {FRAGMENTS}
    """
    result = await schema.execute(query, context_value=found)
    assert result.errors is None
    assert found[0] == asked
    assert hash(found[0]) == hash(asked)


def test_an_asked_field_is_found_by_its_name():
    below = Asked(frozenset({"text"}))
    asked = Asked(frozenset({"name"}), frozenset({("leaf", below)}))
    assert asked.has("name")
    assert asked.has("leaf")
    assert not asked.has("text")
    assert asked.below("leaf") == below
    assert asked.below("name") == asked.below("leaves") == Asked()


async def test_fragments_that_spread_each_other_twice_are_laid_open_once():
    found: list[Asked] = []
    schema = strawberry.Schema(Query, extensions=[lambda: CompiledExecution(plans=dict)])
    chain = " ".join(f"fragment F{n} on Branch {{ ...F{n + 1} ...F{n + 1} }}" for n in range(60))
    query = "{ branch { ...F0 } } fragment F60 on Branch { name } " + chain
    result = await schema.execute(query, context_value=found)
    assert result.errors is None
    assert found == [Asked(frozenset({"name"}))]


@strawberry.directive(locations=[DirectiveLocation.FIELD])
def loud(value: DirectiveValue[str], much: bool) -> str:  # noqa: FBT001  # the argument's name
    return value.upper() if much else value


async def test_a_directive_that_is_no_condition_leaves_nothing_out():
    found: list[Asked] = []
    schema = strawberry.Schema(
        Query, directives=[loud], extensions=[lambda: CompiledExecution(plans=dict)]
    )
    query = "{ branch { name @loud(much: true) leaf { text @loud(much: false) } } }"
    result = await schema.execute(query, context_value=found)
    assert result.data == {"branch": {"name": "C", "leaf": {"text": "a"}}}
    leaf = ("leaf", Asked(frozenset({"text"})))
    assert found == [Asked(frozenset({"name"}), frozenset({leaf}))]
