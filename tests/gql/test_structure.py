"""Fragments laid open: the linear pass equals the naive one, and stays linear."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    get_introspection_query,
    parse,
)
from hypothesis import given
from hypothesis import strategies as st

from pith_graph.gql.spreads import dependency_order
from pith_graph.gql.structure import LARGEST_TOTAL, Totals, measure
from tests.effort import effort

NAMES = ("A", "B", "C", "D", "E")


@st.composite
def documents(draw) -> str:
    """Documents of up to five fragments, each of which spreads only later or unknown ones."""

    def selections(known: tuple[str, ...], depth: int) -> str:
        kinds = ["leaf", "alias", "directed", "__typename", "introspect"]
        kinds += ["field", "inline", "conditioned"] * (depth < 3)
        kinds += ["spread"] * 3 * bool(known)
        return " ".join(
            selection(kind, known, depth)
            for kind in draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4))
        )

    def selection(kind: str, known: tuple[str, ...], depth: int) -> str:
        if kind == "spread":
            directive = draw(st.sampled_from(["", " @skip(if: true)"]))
            return f"...{draw(st.sampled_from((*known, 'Unknown')))}{directive}"
        if kind in ("field", "inline", "conditioned"):
            heads = {"field": "f", "inline": "... @d", "conditioned": "... on __T"}
            name = draw(st.sampled_from(["f", "fields", "__schema"])) if kind == "field" else ""
            return f"{name or heads[kind]} {{ {selections(known, depth + 1)} }}"
        return {
            "leaf": "x",
            "alias": "y: x",
            "directed": "x @a @b",
            "__typename": "__typename",
            "introspect": "args",
        }[kind]

    parts = [
        f"fragment {name} on {draw(st.sampled_from(['T', '__T', 'T @f']))} "
        f"{{ {selections(NAMES[n + 1 :], 0)} }}"
        for n, name in enumerate(NAMES)
    ]
    parts += [f"query Q{n} @q {{ {selections(NAMES, 0)} }}" for n in range(2)]
    return "\n".join(draw(st.permutations(parts)))  # fmt: skip


class Reference:
    """Lays every fragment open, however often: exponential, and plainly what is meant."""

    EXPANDING = ("types", "fields", "interfaces", "possibleTypes", "inputFields")
    LISTS = (*EXPANDING, "args", "enumValues", "directives")

    def __init__(self, document: DocumentNode) -> None:
        self.fragments = {
            d.name.value: d for d in document.definitions if isinstance(d, FragmentDefinitionNode)
        }

    def measure(self, definition) -> Totals:
        inside = isinstance(definition, FragmentDefinitionNode) and (
            definition.type_condition.name.value.startswith("__")
        )
        rows = list(self.rows(definition.selection_set, 1, introspective=inside))
        fields = [row for row in rows if isinstance(row[0], FieldNode)]
        widths = self.widths(definition.selection_set)
        return Totals(
            depth=max((depth for _, depth, _ in fields), default=0),
            aliases=sum(node.alias is not None for node, _, _ in fields),
            directives=len(definition.directives or ())
            + sum(len(node.directives or ()) for node, _, _ in rows),
            root_fields=sum(depth == 1 for _, depth, _ in fields),
            breadth=max(widths),
            introspection_lists=sum(i and n.name.value in self.LISTS for n, _, i in fields),
            introspection_depth=self.nesting(definition.selection_set, introspective=inside),
        )

    def rows(self, selections: SelectionSetNode, depth: int, *, introspective: bool):
        for node in selections.selections:
            if isinstance(node, FragmentSpreadNode):
                fragment = self.fragments.get(node.name.value)
                yield node, depth, introspective
                if fragment:
                    yield fragment, depth, introspective
                    inside = fragment.type_condition.name.value.startswith("__")
                    yield from self.rows(fragment.selection_set, depth, introspective=inside)
            elif isinstance(node, InlineFragmentNode):
                yield node, depth, introspective
                condition = node.type_condition
                inside = introspective or bool(condition and condition.name.value[:2] == "__")
                yield from self.rows(node.selection_set, depth, introspective=inside)
            elif isinstance(node, FieldNode):
                yield node, depth, introspective
                if node.selection_set:
                    inside = introspective or node.name.value == "__schema"
                    yield from self.rows(node.selection_set, depth + 1, introspective=inside)

    def nesting(self, selections: SelectionSetNode, *, introspective: bool) -> int:
        depth = 0
        for node in selections.selections:
            inside, own, nested = introspective, 0, None
            if isinstance(node, FragmentSpreadNode) and node.name.value in self.fragments:
                fragment = self.fragments[node.name.value]
                inside = fragment.type_condition.name.value.startswith("__")
                nested = fragment.selection_set
            elif isinstance(node, InlineFragmentNode):
                condition = node.type_condition
                inside = introspective or bool(condition and condition.name.value[:2] == "__")
                nested = node.selection_set
            elif isinstance(node, FieldNode):
                own = introspective and node.name.value in self.EXPANDING
                inside = introspective or node.name.value == "__schema"
                nested = node.selection_set
            depth = max(depth, own + (self.nesting(nested, introspective=inside) if nested else 0))
        return depth

    def level(self, selections: SelectionSetNode) -> Iterator[FieldNode]:
        for node in selections.selections:
            if isinstance(node, FieldNode):
                yield node
            elif isinstance(node, InlineFragmentNode):
                yield from self.level(node.selection_set)
            elif isinstance(node, FragmentSpreadNode) and node.name.value in self.fragments:
                yield from self.level(self.fragments[node.name.value].selection_set)

    def widths(self, selections: SelectionSetNode) -> list[int]:
        """The sizes of the selection sets of one definition, fragments laid open in each."""
        sizes = [len(list(self.level(selections)))]
        stack = [selections]
        while stack:
            for node in stack.pop().selections:
                if isinstance(node, FieldNode) and node.selection_set:
                    sizes.append(len(list(self.level(node.selection_set))))
                if isinstance(node, FieldNode | InlineFragmentNode) and node.selection_set:
                    stack.append(node.selection_set)
        return sizes


@given(documents())
def test_the_linear_pass_counts_what_the_naive_one_counts(text):
    document = parse(text)
    reference = Reference(document)
    measured = list(measure(document))
    assert len(measured) == len(document.definitions)
    for definition, totals in measured:
        assert totals == reference.measure(definition)


def test_nested_fragments_are_counted_as_often_as_they_are_laid_open():
    text = "{ ...F0 }" + "".join(
        f"fragment F{n} on T {{ ...F{n + 1} ...F{n + 1} }}" for n in range(18)
    )
    *_, (operation, totals) = measure(parse(text + "fragment F18 on T { a: x @d }"))
    assert isinstance(operation, OperationDefinitionNode)
    assert totals.aliases == totals.directives == totals.root_fields == 2**18


def test_counts_that_grow_like_powers_stop_growing():
    text = "{ ...F0 }" + "".join(
        f"fragment F{n} on T {{ ...F{n + 1} ...F{n + 1} }}" for n in range(99)
    )
    *_, (_, totals) = measure(parse(text + "fragment F99 on T { a: x }"))
    assert totals.aliases == totals.root_fields == totals.breadth == LARGEST_TOTAL


@pytest.mark.parametrize(
    "text",
    [
        "{ ...F } fragment F on T { x { ...F } }",
        "{ ...F } fragment F on T { ...G } fragment G on T { ...F x }",
        "{ ...Unknown }",
        "fragment F on T { ...F }",
        "type T { x: Int }",
    ],
)
def test_cycles_and_unknown_fragments_are_survived(text):
    list(measure(parse(text)))


def test_of_two_fragments_with_one_name_both_are_measured():
    document = parse("{ ...F } fragment F on T { x y z } fragment F on T { x }")
    sizes = sorted(totals.breadth for _, totals in measure(document))
    assert sizes == [1, 1, 3]


def test_the_standard_introspection_query_asks_for_nine_lists():
    document = parse(get_introspection_query(schema_description=True, one_of=True))
    totals = max((t for _, t in measure(document)), key=lambda t: t.depth)
    assert totals.introspection_lists == 9
    assert totals.introspection_depth == 2
    assert totals.depth <= 20


def test_the_pass_is_linear_in_the_spreads():
    text = "{ ...F0 }" + "".join(
        f"fragment F{n} on T {{ {' '.join(f'...F{n + 1 + k % 9}' for k in range(17))} x }} "
        for n in range(250)
    )
    document = parse(text)
    assert effort(lambda: list(measure(document))) < 5


@given(
    st.dictionaries(
        st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdefgh"), max_size=4), max_size=6
    )
)
def test_fragments_follow_what_they_spread_unless_they_spread_in_a_circle(spreads):
    order = dependency_order(spreads)
    assert sorted(order) == sorted(spreads)

    def reaches(start: str, end: str) -> bool:
        seen, stack = set(), [start]
        while stack:
            for name in spreads.get(stack.pop(), ()):
                if name == end:
                    return True
                if name not in seen:
                    seen.add(name)
                    stack.append(name)
        return False

    for name, spread in spreads.items():
        for other in spread:
            if other in spreads and not reaches(other, name):
                assert order.index(other) < order.index(name)
