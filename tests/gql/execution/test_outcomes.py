"""Going through values: a call's outcome stands for its value."""

from __future__ import annotations

from graphql import GraphQLString

from pith_graph.gql.execution.codegen import make_leaves
from pith_graph.gql.execution.outcomes import NULLED, call_each, complete_leaves, is_whole


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


def test_values_are_whole_as_long_as_none_is_marked():
    assert is_whole([[1, None], []])
    assert not is_whole([[1], [2, NULLED]])
