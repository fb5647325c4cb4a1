"""Generated functions: what they build, what they refuse, and that no name of theirs is code."""

from __future__ import annotations

import asyncio
from enum import Enum
from types import SimpleNamespace as Source
from typing import Any

import pytest
import strawberry
from graphql import (
    GraphQLBoolean,
    GraphQLFloat,
    GraphQLID,
    GraphQLInt,
    GraphQLScalarType,
    GraphQLString,
    Undefined,
)

from pith_graph.gql.execution.codegen import (
    Column,
    Constant,
    Leaf,
    Nested,
    UnexpectedValueError,
    make_build,
    make_leaves,
)

TEXT = Leaf("text", GraphQLString, required=True)


def test_a_level_is_built_in_the_order_of_its_parts():
    build = make_build(
        {
            "class": Column(),
            "__typename": Constant("Thing"),
            "text": TEXT,
            "inner": Nested("inner", False, None, {"text": TEXT}),  # noqa: FBT003  # required
            "last": Column(),
        }
    )
    sources = [Source(text="a", inner=Source(text="b")), Source(text="c", inner=None)]
    built = build(sources, [[1, 2], [3, 4]], [])
    assert [list(each.items()) for each in built] == [
        [
            ("class", 1),
            ("__typename", "Thing"),
            ("text", "a"),
            ("inner", {"text": "b"}),
            ("last", 3),
        ],
        [("class", 2), ("__typename", "Thing"), ("text", "c"), ("inner", None), ("last", 4)],
    ]


@pytest.mark.parametrize(
    "name", ["", "a.b", "a-b", "x: 1, **y", "'", "__import__('os')", "é", "a\n"]
)
def test_a_name_that_is_not_plain_is_refused(name):
    for parts in ({name: TEXT}, {"key": Leaf(name, GraphQLString, required=True)}):
        with pytest.raises(ValueError, match="is not a name"):
            make_build(parts)


@strawberry.enum
class Color(Enum):
    RED = "red"


def color_type() -> Any:
    @strawberry.type
    class Query:
        color: Color

    return strawberry.Schema(Query)._schema.type_map["Color"]  # noqa: SLF001  # no public name


HALF = GraphQLScalarType("Half", serialize=lambda value: value / 2 if value else None)
SPELLED = GraphQLScalarType("Spelled", serialize=str)
SOME_TYPES = (GraphQLString, HALF, SPELLED, color_type())


@pytest.mark.parametrize(
    ("type_", "value", "done"),
    [
        (GraphQLString, "a", "a"),
        (GraphQLID, "1", "1"),
        (GraphQLBoolean, False, False),
        (GraphQLInt, -(2**31), -(2**31)),
        (GraphQLFloat, 0.5, 0.5),
        (color_type(), Color.RED, "RED"),
        (HALF, 3, 1.5),
        (SPELLED, "a", "a"),
        (SPELLED, 3, "3"),
    ],
)
def test_leaves_are_serialised(type_, value, done):
    assert make_leaves(type_, required=True)([value, value]) == [done, done]
    assert make_leaves(type_, required=False)([None, value]) == [None, done]


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (GraphQLString, 1),
        (GraphQLString, type("Text", (str,), {})("a")),
        (GraphQLID, 1),
        (GraphQLBoolean, 1),
        (GraphQLInt, 2**31),
        (GraphQLInt, True),
        (GraphQLFloat, float("nan")),
        (GraphQLFloat, float("-inf")),
        (GraphQLFloat, 1),
        (color_type(), "red"),
        (HALF, 0),
        (HALF, "a"),
        *((type_, Undefined) for type_ in SOME_TYPES),
        *((type_, ValueError("returned")) for type_ in SOME_TYPES),
    ],
)
def test_a_value_that_is_not_as_it_should_be_raises(type_, value):
    for required in (True, False):
        with pytest.raises((UnexpectedValueError, TypeError)):
            make_leaves(type_, required=required)([value])


@pytest.mark.parametrize("type_", [GraphQLString, HALF, SPELLED])
def test_null_raises_where_there_may_be_none(type_):
    with pytest.raises(UnexpectedValueError):
        make_leaves(type_, required=True)([None])


async def test_what_waits_raises_wherever_it_stands():
    future: asyncio.Future[Any] = asyncio.Future()
    shown = GraphQLScalarType("Shown", serialize=repr)
    with pytest.raises(UnexpectedValueError):
        make_leaves(shown, required=True)([future])
    nested = {"inner": Nested("inner", True, None, {"__typename": Constant("T")})}  # noqa: FBT003
    for value in (future, ValueError("returned"), None, Undefined):
        with pytest.raises(UnexpectedValueError):
            make_build(nested)([Source(inner=value)], [], [])


def test_a_nested_object_of_another_type_raises():
    seen: list[Any] = []

    def is_type_of(value: Any, info: Any) -> bool:
        seen.append((value, info))
        return value is good

    good, info = Source(text="a"), object()
    build = make_build({"inner": Nested("inner", False, is_type_of, {"text": TEXT})})  # noqa: FBT003
    assert build([Source(inner=good)], [], [info]) == [{"inner": {"text": "a"}}]
    assert seen == [(good, info)]
    with pytest.raises(UnexpectedValueError):
        build([Source(inner=Source(text="b"))], [], [info])


def test_types_that_are_met_are_not_kept_without_bound():
    shown = GraphQLScalarType("Shown", serialize=repr)
    leaves = make_leaves(shown, required=True)
    values = [type(f"Kind{number}", (), {})() for number in range(200)]
    assert leaves(values) == [repr(value) for value in values]
    assert len(leaves.__globals__["kinds"]) <= 64
