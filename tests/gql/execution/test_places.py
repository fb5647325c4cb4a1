"""Paths of values that stand in one place or in several."""

from __future__ import annotations

from pith_graph.gql.execution.places import Distinct, Field, Items, Root, Some


def test_a_path_is_put_together_on_the_way_up():
    items = Items(Field(Root(), "a"), [3])
    assert list(Field(items, "b").paths(2)) == [["a", 2, "b"]]


def test_items_of_lists_laid_end_to_end_are_told_apart_past_empty_ones():
    rows = Items(Field(Root(), "rows"), [4])
    items = Items(Field(rows, "list"), [0, 2, 0, 1])
    assert [next(items.paths(index)) for index in range(3)] == [
        ["rows", 1, "list", 0],
        ["rows", 1, "list", 1],
        ["rows", 3, "list", 0],
    ]


def test_some_values_keep_their_places():
    some = Some(Items(Field(Root(), "a"), [5]), [1, 4])
    assert list(some.paths(1)) == [["a", 4]]


def test_a_distinct_value_stands_wherever_it_stood():
    one, other = object(), object()
    places = Distinct(Items(Field(Root(), "a"), [3]), [one, other, one], [one, other])
    assert list(places.paths(0)) == [["a", 0], ["a", 2]]
    assert list(places.paths(1)) == [["a", 1]]
