"""Costs: the arithmetic, against an evaluation that lays everything open."""

from __future__ import annotations

import pytest
from graphql import build_schema, parse
from hypothesis import given
from hypothesis import strategies as st

from pith_graph.gql.cost import LARGEST_COST, compile_costs
from pith_graph.settings import Settings
from tests.effort import effort

SCHEMA = build_schema("""
  type Query {
    paper(id: String!): Paper
    papers(ids: [String!]!): [Result!]!
    nodes(ids: [ID!]!): [Node]!
    search(query: String!, first: Int, after: String): Connection!
    hello: String
  }
  interface Node { id: ID! }
  union Result = Paper | NotHeld
  type NotHeld { id: ID! }
  type Paper implements Node {
    id: ID!
    outbound(first: Int, last: Int, ids: [ID!]): Connection!
    inbound(first: Int, last: Int): Connection!
    coverage(lanes: [String!]): [Coverage!]!
  }
  type Coverage { lane: String }
  type Connection { totalCount: Int pageInfo: PageInfo! edges: [Edge!]! nodes: [Citation!]! }
  type PageInfo { hasNextPage: Boolean }
  type Edge { cursor: String node: Citation! }
  type Citation {
    title: String
    citingPaper: Paper!
    citedPaper: Paper
    citedWork: Work
    resolution: Resolution!
    standingNotice: StandingNotice!
  }
  type Work { title: String citations(first: Int, last: Int): Connection! }
  type Resolution { status: String }
  type StandingNotice { state: String sourceReceipts: [Receipt!]! }
  type Receipt { source: String }
""")
HINTS = {("Paper", "coverage"): 4, ("StandingNotice", "sourceReceipts"): 2}


def cost_of(text: str, variables=None) -> int:
    (cost,) = compile_costs(SCHEMA, parse(text), HINTS)
    return cost.requested(variables or {})


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("{ hello }", 0),
        ('{ paper(id: "x") { id } }', 1),
        ('{ a: paper(id: "x") { id } b: paper(id: "y") { id } }', 2),
        ('{ paper(id: "x") { outbound { totalCount } } }', 2),
        ('{ paper(id: "x") { outbound { totalCount pageInfo { hasNextPage } } } }', 3),
        ('{ paper(id: "x") { outbound { edges { cursor } } } }', 22),
        ('{ paper(id: "x") { outbound(first: 5) { edges { node { title } } } } }', 12),
        ('{ paper(id: "x") { outbound(first: 5) { nodes { title } } } }', 7),
        ('{ paper(id: "x") { outbound(last: 5) { nodes { title } } } }', 7),
        ('{ paper(id: "x") { outbound(first: 0) { nodes { title } } } }', 2),
        ('{ paper(id: "x") { outbound(first: null) { nodes { title } } } }', 22),
        ('{ paper(id: "x") { outbound(first: -1) { nodes { title } } } }', 2),
        ('{ paper(id: "x") { outbound(first: 1000000) { nodes { title } } } }', 102),
        ('{ paper(id: "x") { outbound(first: 1, last: 9) { nodes { title } } } }', 11),
        ('{ paper(id: "x") { outbound(ids: ["a", "b"], first: 5) { nodes { title } } } }', 7),
        ('{ papers(ids: ["a", "b", "c"]) { ... on Paper { coverage { lane } } } }', 15),
        ("{ papers(ids: []) { __typename } }", 0),
        ('{ papers(ids: "a") { __typename } }', 1),
        ('{ nodes(ids: ["a", "b"]) { id ... on Paper { inbound(first: 1) { totalCount } } } }', 4),
        ('{ paper(id: "x") { coverage { lane } } }', 5),
        ('{ paper(id: "x") { coverage(lanes: ["A", "B"]) { lane } } }', 3),
        ('{ paper(id: "x") { coverage(lanes: null) { lane } } }', 5),
        ('{ paper(id: "x") @skip(if: true) { id } }', 1),
        ('{ __schema { types { name fields { name } } } __type(name: "x") { name } }', 0),
        (('{ ...F } fragment F on Query { paper(id: "x") { ...G ...G } } '
         'fragment G on Paper { inbound(first: 2) { ...C } } '
         'fragment C on Connection { nodes { title } pageInfo { hasNextPage } }'), 9),
    ],
)  # fmt: skip
def test_objects_are_counted_times_the_pages_above_them(text, cost):
    assert cost_of(text) == cost


@pytest.mark.parametrize(
    ("variables", "cost"),
    [
        ({}, 9),
        ({"n": 3}, 5),
        ({"n": 3.0}, 5),
        ({"n": None}, 22),
        ({"n": "3"}, 22),
        ({"n": True}, 22),
        ({"n": -4}, 2),
        ({"n": 10**30}, 102),
        ({"n": 1e300}, 102),
    ],
)
def test_page_sizes_come_from_variables_and_their_defaults(variables, cost):
    text = 'query ($n: Int = 7) { paper(id: "x") { outbound(first: $n) { nodes { title } } } }'
    assert cost_of(text, variables) == cost


@pytest.mark.parametrize(
    ("variables", "cost"),
    [({}, 2), ({"ids": ["a", "b", "c"]}, 3), ({"ids": "a"}, 1), ({"ids": None}, 1)],
)
def test_list_lengths_come_from_variables_and_their_defaults(variables, cost):
    text = 'query ($ids: [String!]! = ["a", "b"]) { papers(ids: $ids) { __typename } }'
    assert cost_of(text, variables) == cost


def test_one_compiled_document_answers_for_each_operation():
    costs = compile_costs(
        SCHEMA,
        parse('query A { hello } query B { paper(id: "x") { ...F } } fragment F on Paper { id }'),
        {},
    )
    assert [cost.requested({}) for cost in costs] == [0, 1]


def test_two_hops_of_a_hundred_by_a_hundred_pass_the_default_limit():
    text = """
      { paper(id: "x") { outbound(first: 100) { edges { node { ...C citedPaper {
        outbound(first: 100) { edges { node { ...C } } } } } } } } }
      fragment C on Citation {
        title resolution { status } citedPaper { id } citedWork { title }
        standingNotice { state sourceReceipts { source } }
      }
    """
    # 10,000 citations: edge, node, resolution, paper, work, notice and two receipts each.
    first_hop = 100 * (2 + 1 + 1 + 1 + 1 + 2)
    assert cost_of(text) == 2 + first_hop + 100 * 2 + 10_000 * 8 == 81_002
    assert cost_of(text) <= Settings().max_cost


def test_costs_stop_at_the_largest_exact_number():
    text = '{ paper(id: "x") {' + "outbound(first: 100) { nodes { citingPaper {" * 12 + "id"
    assert cost_of(text + "}" * (12 * 3 + 2)) == LARGEST_COST


def test_nested_fragments_are_evaluated_in_linear_time():
    text = '{ paper(id: "x") { ...F0 } }' + "".join(
        f"fragment F{n} on Paper {{ a: outbound {{ ...C{n} }} b: inbound {{ ...C{n} }} }} "
        f"fragment C{n} on Connection {{ nodes {{ citingPaper {{ ...F{n + 1} }} }} }} "
        for n in range(60)
    )
    (cost,) = compile_costs(SCHEMA, parse(text + "fragment F60 on Paper { id }"), HINTS)
    assert cost.requested({}) == LARGEST_COST
    assert effort(lambda: cost.requested({})) < 0.5


PAGE = st.sampled_from(["", "(first: 3)", "(last: $n)", "(first: $m)", "(first: 500)"])


@st.composite
def queries(draw) -> tuple[str, str]:
    """A document with fragments, and the same document with them laid open by hand."""

    def paper(depth: int) -> str:
        parts = ["id"]
        parts += [
            f"{edge}{draw(PAGE)} {{ {connection(depth - 1)} }}"
            for edge in ("a: outbound", "b: inbound")
            if depth and draw(st.booleans())
        ]
        if draw(st.booleans()):
            parts.append("coverage { lane }")
        return " ".join(parts)

    def connection(depth: int) -> str:
        item = f"citingPaper {{ {paper(depth)} }} resolution {{ status }}"
        shapes = [
            f"nodes {{ {item} }}",
            f"edges {{ node {{ {item} }} }} pageInfo {{ hasNextPage }}",
        ]
        shapes += ["...Spread ...Spread", "... on Connection { ...Spread } totalCount"]
        return str(draw(st.sampled_from(shapes)))

    body = 'query ($n: Int, $m: Int = 2) { paper(id: "x") { ' + paper(2) + " } }"
    inner = paper(1).replace("...Spread", "totalCount")
    spread = f"nodes {{ citedPaper {{ {inner} }} }} edges {{ cursor }} pageInfo {{ hasNextPage }}"
    fragment = f" fragment Spread on Connection {{ {spread} }}"
    used = "...Spread" in body
    return body + (fragment if used else ""), body.replace("...Spread", spread)


@given(queries(), st.fixed_dictionaries({}, optional={"n": st.integers(-1, 200), "m": st.none()}))
def test_a_fragment_costs_what_it_costs_laid_open(pair, variables):
    with_fragments, laid_open = pair
    assert cost_of(with_fragments, variables) == cost_of(laid_open, variables)
