"""Completing values: a call's outcome stands for its value, and objects must be of their type."""

# mypy: disable-error-code="no-any-return, untyped-decorator"
# Resolvers return what the test makes, and Strawberry types some decorators as Any.

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import strawberry
from graphql import GraphQLString

from pith_graph.gql.execution import plan as plans
from pith_graph.gql.execution.codegen import make_leaves
from pith_graph.gql.execution.extension import CompiledExecution
from pith_graph.gql.execution.values import call_each, complete_leaves
from tests.gql.execution.toy import Silent


def test_the_outcome_of_a_call_is_its_value_or_its_exception():
    def divide(value: int, by: int) -> int:
        return value // by if value else next(iter(()))

    zero, end = call_each(divide, [1, 0], 0)
    assert isinstance(zero, ZeroDivisionError)
    assert isinstance(end, StopIteration)
    outcomes = call_each(divide, [0, 4, 0, 0, 6], 2)
    assert [each if isinstance(each, int) else type(each) for each in outcomes] == [
        StopIteration,
        2,
        StopIteration,
        StopIteration,
        3,
    ]
    assert call_each(divide, [], 1) == []


def test_each_value_is_called_once_whatever_fails():
    called: list[int] = []

    def note(value: int) -> None:
        called.append(value)
        if value % 2:
            raise ValueError(value)

    assert len(call_each(note, range(5))) == 5
    assert called == [0, 1, 2, 3, 4]


def test_leaves_of_which_one_is_not_as_it_should_be_are_not_completed_at_once():
    leaves = make_leaves(GraphQLString, required=True)
    assert complete_leaves(leaves, ["a", "b"]) == ["a", "b"]
    assert complete_leaves(leaves, ["a", None]) is None


async def later(value: bool) -> bool:  # noqa: FBT001  # what is_type_of returns
    await asyncio.sleep(0)
    return value


FITS: dict[str, Any] = {
    "bool": lambda source: source != "stranger",
    "truth": lambda source: "" if source == "stranger" else "yes",
    "raised": lambda source: {"a": True, "b": True}[source],
    "later": lambda source: later(source != "stranger"),
}


@strawberry.type
class Strict:
    @classmethod
    def is_type_of(cls, source: Any, info: Any) -> Any:
        return FITS[info.context](source)

    @strawberry.field
    def text(parent: strawberry.Parent[Any]) -> str:  # noqa: N805
        return parent


@strawberry.type
class Query:
    @strawberry.field
    def all(root: Any) -> list[Strict | None]:  # noqa: N805
        return root


CORE = Silent(Query)
COMPILED = Silent(Query, extensions=[lambda: CompiledExecution(plans=dict)])


@pytest.mark.parametrize("before", [0, 10**9], ids=["generated", "field by field"])
@pytest.mark.parametrize("way", FITS)
async def test_an_object_of_another_type_is_an_error_and_the_rest_is_built(
    way, before, monkeypatch
):
    monkeypatch.setattr(plans, "OBJECTS_BEFORE_GENERATING", before)
    options: dict[str, Any] = {"root_value": ["a", "stranger", "b"], "context_value": way}
    ours = await COMPILED.execute("{ all { text } }", **options)
    theirs = await CORE.execute("{ all { text } }", **options)
    assert ours.data == {"all": [{"text": "a"}, None, {"text": "b"}]}
    assert ours.data == theirs.data
    assert [(each.path, each.message) for each in ours.errors or ()] == [
        (each.path, each.message) for each in theirs.errors or ()
    ]
    assert len(ours.errors or ()) == 1
