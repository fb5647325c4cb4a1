"""Connections of citations: Relay's rules, exact pages, and cursors that cannot break anything."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from pith_graph.gql.cursors import render_cursor
from pith_graph.vocabulary import CitationOrderField, ResolutionStatus, StandingClass
from tests.asking import Asking
from tests.record_lists import Listed, lists_of, passes
from tests.record_universe import Universe
from tests.record_versions import revise
from tests.records import SEED_ID, cut, make_record, make_records, seed, seed_path

Item = dict[str, Any]

ARGUMENTS = """
$first: Int, $last: Int, $after: String, $before: String,
$filter: CitationFilter, $orderBy: CitationOrder
"""
GIVEN = """(
  first: $first, last: $last, after: $after, before: $before, filter: $filter, orderBy: $orderBy
) {
  totalCount emptyMeans
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  edges { cursor node { observationId } }
}"""
ROOTS = {
    "outbound": "owner: paper(id: $parent)",
    "inbound": "owner: paper(id: $parent)",
    "citations": "owner: work(by: {workId: $parent})",
}


def query_of(listed: Listed) -> str:
    kind = "UUID!" if listed.field == "citations" else "String!"
    root = f"{ROOTS[listed.field]} {{ list: {listed.field}{GIVEN} }}"
    return f"query ($parent: {kind}, {ARGUMENTS}) {{ {root} }}"


async def page_of(graph: Asking, listed: Listed, **arguments: Any) -> Any:
    data = await graph.data(query_of(listed), parent=listed.parent, **arguments)
    return data["owner"]["list"]


async def refusal_of(graph: Asking, listed: Listed, **arguments: Any) -> str:
    error = await graph.error(query_of(listed), parent=listed.parent, **arguments)
    assert error["code"] == "BAD_USER_INPUT"
    message: str = error["message"]
    return message


OUTBOUND = Listed("outbound", SEED_ID)
INBOUND = Listed("inbound", SEED_ID)


@pytest.fixture
async def held(ingest):
    await ingest(seed_path)


def ids_of(page: Item) -> list[str]:
    return [edge["node"]["observationId"] for edge in page["edges"]]


# Arguments


async def test_without_arguments_a_page_has_twenty_in_the_order_of_the_bibliography(graph, held):
    page = await page_of(graph, OUTBOUND)
    assert ids_of(page) == [item["observation_id"] for item in seed()["outbound"][:20]]
    assert page["totalCount"] == 21
    assert page["pageInfo"] == {
        "hasNextPage": True,
        "hasPreviousPage": False,
        "startCursor": page["edges"][0]["cursor"],
        "endCursor": page["edges"][-1]["cursor"],
    }


@pytest.mark.parametrize(
    ("name", "has_next", "has_previous"), [("first", True, False), ("last", False, True)]
)
async def test_a_page_of_zero_is_empty_and_knows_what_is_around_it(
    graph, held, name, has_next, has_previous
):
    page = await page_of(graph, OUTBOUND, **{name: 0})
    assert page["edges"] == []
    assert page["totalCount"] == 21
    assert page["pageInfo"] == {
        "hasNextPage": has_next,
        "hasPreviousPage": has_previous,
        "startCursor": None,
        "endCursor": None,
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"first": -1}, "`first` is -1: expected 0 to 100"),
        ({"first": 101}, "`first` is 101: expected 0 to 100"),
        ({"last": -1}, "`last` is -1: expected 0 to 100"),
        ({"last": 101}, "`last` is 101: expected 0 to 100"),
        ({"first": 0, "last": 0}, "`first` and `last` are both given: expected one of them"),
        ({"first": 1, "last": 1}, "`first` and `last` are both given: expected one of them"),
        ({"after": ""}, "`after` is not a cursor: ''; expected a `cursor`"),
        ({"before": "x"}, "`before` is not a cursor: 'x'; expected a `cursor`"),
        ({"after": "é"}, "`after` is not a cursor: 'é'"),
        ({"first": 2**31}, "Int cannot represent non 32-bit signed integer value"),
        ({"filter": {"resolution": ["GUESSED"]}}, "GUESSED"),
        ({"orderBy": {"field": "TITLE"}}, "TITLE"),
        ({"orderBy": {}}, "field"),
    ],
)
async def test_a_bad_argument_is_refused_with_what_was_expected(graph, held, arguments, message):
    assert message in await refusal_of(graph, OUTBOUND, **arguments)


async def test_a_cursor_works_with_its_own_list_sort_and_filter_alone(graph, held):
    kinds: list[dict[str, Any]] = [
        {},
        {"orderBy": {"field": "OBSERVED_AT", "direction": "DESC"}},
        {"orderBy": {"field": "YEAR"}},
        {"filter": {"resolution": ["UNRESOLVED"]}},
        {"filter": {"standing": ["UNAVAILABLE"]}},
    ]
    cursors = [
        (await page_of(graph, OUTBOUND, first=1, **kind))["edges"][0]["cursor"] for kind in kinds
    ]
    assert len(set(cursors)) == len(kinds)
    for kind in kinds:
        for cursor, origin in zip(cursors, kinds, strict=True):
            for argument in ("after", "before"):
                arguments = {**kind, argument: cursor}
                if kind is origin:
                    await page_of(graph, OUTBOUND, **arguments)
                    continue
                message = await refusal_of(graph, OUTBOUND, **arguments)
                assert f"`{argument}` is a cursor of another list, sort or filter" in message
                assert message.endswith("use cursors with the arguments that they came with")
    assert "of another list" in await refusal_of(graph, INBOUND, after=cursors[0])


async def test_the_order_of_a_filters_members_does_not_matter_to_its_cursors(graph, held):
    one = {"resolution": ["UNRESOLVED", "VERIFIED_FUZZY"]}
    other = {"resolution": ["VERIFIED_FUZZY", "UNRESOLVED", "UNRESOLVED"]}
    first = await page_of(graph, OUTBOUND, first=5, filter=one)
    rest = await page_of(
        graph, OUTBOUND, first=100, filter=other, after=first["pageInfo"]["endCursor"]
    )
    assert len(ids_of(first) + ids_of(rest)) == 21


SORTS = ("reference_index", "observed_at", "year")
CRAFTED: list[Any] = [
    [],
    [None],
    [None, None],
    [None, 1],
    [None, 0, 1],
    [2**63 - 1] * 2,
    [2**63 - 1] * 3,
    [-(2**63)] * 2,
    [-(2**63)] * 3,
    [2**63] * 3,
    [10**400] * 2,
    [1.5, 1],
    [1e308, 1],
    [True, 1],
    ["1", 1],
    [[1], 1],
    [{"a": 1}, 1],
    [1, 1, 1, 1],
    {"0": 1},
    "11",
    7,
]


async def test_a_crafted_cursor_is_a_page_or_refused(graph, held):
    for sort, values, argument in product(SORTS, CRAFTED, ("after", "before")):
        name = f"outbound/{sort}.asc/"
        crafted = base64.urlsafe_b64encode(json.dumps([1, name, values]).encode()).decode()
        answer = await graph.ask(
            query_of(OUTBOUND),
            parent=SEED_ID,
            orderBy={"field": sort.upper()},
            **{argument: crafted},
        )
        codes = [error["extensions"]["code"] for error in answer.get("errors", ())]
        assert codes in ([], ["BAD_USER_INPUT"]), (sort, values)


DOCUMENTS = [
    b"",
    b"null",
    b"[1]",
    b"[2, 'x', []]",
    b"[[1, 2], 3, 4]",
    b"\xff\xfe\x00",
    b"[" * 700,
    json.dumps([1, {"a": [None] * 9}, [1]]).encode(),
    json.dumps([2, "outbound/reference_index.asc/", [1, 0, 1]]).encode(),
    json.dumps([1, "outbound/reference_index.asc/", [1, 0, 1], *([0] * 5000)]).encode(),
    json.dumps([1, "x" * 700, [1]]).encode(),
]


async def test_whatever_a_cursor_holds_the_answer_is_a_refusal(graph, held):
    for document in DOCUMENTS:
        crafted = base64.b64encode(document).decode()
        message = await refusal_of(graph, OUTBOUND, after=crafted)
        assert len(message) < 500


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    sort=st.sampled_from(sorted(SORTS)),
    values=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3),
        max_leaves=5,
    ),
)
async def test_no_values_in_a_cursor_are_an_internal_error(graph, sort, values):
    crafted = base64.urlsafe_b64encode(
        json.dumps([1, f"outbound/{sort}.asc/", values]).encode()
    ).decode()
    answer = await graph.ask(
        query_of(OUTBOUND), parent="2401.00001", orderBy={"field": sort.upper()}, after=crafted
    )
    assert [error["extensions"]["code"] for error in answer["errors"]] in (
        ["NOT_HELD"],
        ["BAD_USER_INPUT"],
    )


async def test_the_borders_at_the_ends_of_time_are_pages(graph, held):
    for at in (datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)):
        for sort in ("observed_at.asc", "observed_at.desc"):
            field, direction = sort.upper().split(".")
            page = await page_of(
                graph,
                OUTBOUND,
                after=render_cursor(f"outbound/{sort}/", (at, 1)),
                orderBy={"field": field, "direction": direction},
            )
            outside = (at.year == 1) == (direction == "ASC")
            assert len(page["edges"]) == (20 if outside else 0)
            assert page["pageInfo"]["hasPreviousPage"] is not outside


# Laws

SEEDED = Universe(seed=12, papers=10, works=4, references=75)


@cache
def records() -> tuple[Item, ...]:
    """The records of a graph of many edges, with ties and nulls everywhere."""
    made = make_records(SEEDED)
    assert sum(len(record["outbound"]) for record in made) >= 250
    return tuple(made)


@pytest.fixture
async def loaded(ingest):
    """All those records are held."""
    await ingest(list(records()))


lists = st.builds(lambda number: lists_of(records())[number], st.integers(0, 22))
filters = st.none() | st.fixed_dictionaries(
    {},
    optional={
        "resolution": st.lists(
            st.sampled_from([each.name for each in ResolutionStatus]), max_size=4
        ),
        "standing": st.lists(st.sampled_from([each.name for each in StandingClass]), max_size=4),
    },
)
orders = st.none() | st.fixed_dictionaries(
    {"field": st.sampled_from([each.name for each in CitationOrderField])},
    optional={"direction": st.sampled_from(["ASC", "DESC"])},
)


async def walk(graph: Asking, listed: Listed, size: int, **arguments: Any) -> list[str]:
    """Lay all pages together, from the start, and check what each says of its neighbours."""
    seen: list[str] = []
    after = None
    while True:
        page = await page_of(graph, listed, first=size, after=after, **arguments)
        info = page["pageInfo"]
        assert info["hasPreviousPage"] is bool(seen)
        seen += ids_of(page)
        assert info["hasNextPage"] is (len(seen) < page["totalCount"])
        if not info["hasNextPage"]:
            return seen
        assert len(page["edges"]) == size
        after = info["endCursor"]


async def walk_back(graph: Asking, listed: Listed, size: int, **arguments: Any) -> list[str]:
    """Lay all pages together, from the end."""
    seen: list[str] = []
    before = None
    while True:
        page = await page_of(graph, listed, last=size, before=before, **arguments)
        info = page["pageInfo"]
        assert info["hasNextPage"] is bool(seen)
        seen = ids_of(page) + seen
        assert info["hasPreviousPage"] is (len(seen) < page["totalCount"])
        if not info["hasPreviousPage"]:
            return seen
        before = info["startCursor"]


DEFAULTS = {
    "outbound": {"field": "REFERENCE_INDEX", "direction": "ASC"},
    "inbound": {"field": "OBSERVED_AT", "direction": "DESC"},
    "citations": {"field": "OBSERVED_AT", "direction": "DESC"},
}


def check_order(listed: Listed, members: dict[str, Any], order: Any, seen: list[str]) -> None:
    order = order or DEFAULTS[listed.field]
    values = [listed.sort_value(order["field"], members[name]) for name in seen]
    known = [value for value in values if value is not None]
    assert values == known + [None] * (len(values) - len(known))
    assert known == sorted(known, reverse=order.get("direction") == "DESC")


@pytest.mark.usefixtures("loaded")
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(listed=lists, size=st.sampled_from([1, 2, 3, 7, 10, 30, 100]), only=filters, order=orders)
async def test_pages_laid_together_are_the_whole_list(graph, listed, size, only, order):
    members = listed.members(records())
    wanted = {name for name, item in members.items() if passes(item, only)}
    arguments = {"filter": only, "orderBy": order}
    seen = await walk(graph, listed, size, **arguments)
    assert sorted(seen) == sorted(wanted)
    check_order(listed, members, order, seen)
    assert await walk_back(graph, listed, max(size, 3), **arguments) == seen
    page = await page_of(graph, listed, first=0, **arguments)
    assert page["totalCount"] == len(seen)


async def test_between_two_cursors_lies_exactly_what_is_between_them(graph, loaded):
    listed = lists_of(records())[0]
    page = await page_of(graph, listed, first=100, orderBy={"field": "YEAR"})
    edges = page["edges"]
    count = len(edges)
    assert count > 40
    for start, end in ((0, count - 1), (5, 20), (7, 8), (7, 7), (20, 5)):
        borders = {"after": edges[start]["cursor"], "before": edges[end]["cursor"]}
        inside = [edge["node"]["observationId"] for edge in edges[start + 1 : end]]
        for limit, part in (({"first": 4}, inside[:4]), ({"last": 4}, inside[-4:])):
            found = await page_of(graph, listed, orderBy={"field": "YEAR"}, **borders, **limit)
            assert ids_of(found) == part
            info = found["pageInfo"]
            assert (info["hasPreviousPage"], info["hasNextPage"]) == (True, True)


async def test_an_ingest_between_two_pages_shows_nothing_twice_and_hides_nothing(graph, ingest):
    *before, newer, added = records()
    await ingest([*before, newer])
    commits = [added, *(revise(newer, number) for number in range(1, 9))]
    longest = {each.field: each for each in reversed(lists_of([*before, newer]))}
    for listed, order in product(longest.values(), (None, "YEAR", "OBSERVED_AT")):
        arguments = {"orderBy": order and {"field": order}}
        whole = ids_of(await page_of(graph, listed, first=100, **arguments))
        start = await page_of(graph, listed, first=7, **arguments)
        (report,) = await ingest(commits.pop(0))
        assert report.result in {"new", "superseded"}
        rest = await page_of(
            graph, listed, first=100, after=start["pageInfo"]["endCursor"], **arguments
        )
        assert rest["pageInfo"]["hasPreviousPage"] is True
        seen = ids_of(start) + ids_of(rest)
        assert len(seen) == len(set(seen))
        assert [name for name in seen if name in set(whole)] == whole
        assert set(seen) <= {*listed.members(records())}
    assert commits == []


# What is said of a list


async def test_a_bibliography_that_is_not_loaded_has_no_count(graph, held):
    cited = next(
        item["citation"]["cited_paper"]["arxiv_id"]
        for item in seed()["outbound"]
        if item["citation"]["cited_paper"]
    )
    page = await page_of(graph, Listed("outbound", cited))
    assert page["totalCount"] is None
    assert page["edges"] == []
    assert page["emptyMeans"] == (
        "No bibliography of this paper is loaded: what it cites is not known."
    )
    inbound = await page_of(graph, Listed("inbound", cited))
    assert inbound["totalCount"] == 1


async def test_a_partial_bibliography_counts_what_paging_yields(graph, ingest):
    await ingest(cut(seed(), 5))
    page = await page_of(graph, OUTBOUND)
    assert (page["totalCount"], len(page["edges"])) == (5, 5)
    assert page["emptyMeans"].startswith("Only a part of the bibliography is held")


async def test_an_empty_list_says_what_that_means(graph, held):
    empty = await page_of(graph, INBOUND)
    assert (empty["totalCount"], empty["edges"]) == (0, [])
    assert empty["emptyMeans"].startswith("No bibliography that this store holds cites the paper")
    only = {"resolution": ["VERIFIED_EXACT"]}
    filtered = await page_of(graph, OUTBOUND, filter=only)
    assert (filtered["totalCount"], filtered["edges"]) == (0, [])
    assert filtered["emptyMeans"].startswith("No citation in this list passes the filter")
    assert (await page_of(graph, OUTBOUND, filter={"resolution": []}))["totalCount"] == 0
    assert (await page_of(graph, OUTBOUND, filter={"standing": []}))["totalCount"] == 0
    assert (await page_of(graph, OUTBOUND, filter={}))["totalCount"] == 21
    whole = await page_of(graph, OUTBOUND, filter=None)
    assert whole["emptyMeans"] == "The whole bibliography was read and has no entries."


async def test_several_pages_of_one_list_stand_side_by_side(graph, held):
    data = await graph.data("""{ paper(id: "2509.00217") {
        start: outbound(first: 2) { edges { node { referenceIndex } } }
        again: outbound(first: 2) { totalCount edges { node { referenceIndex } } }
        end: outbound(last: 2) { edges { node { referenceIndex } } }
        some: outbound(first: 2, filter: {resolution: [UNRESOLVED]}) {
            totalCount edges { node { referenceIndex resolution { status } } }
        }
        newest: outbound(first: 1, orderBy: {field: OBSERVED_AT, direction: DESC}) {
            edges { node { sourceObservedAt } }
        }
    } }""")
    paper = data["paper"]
    indices = {
        name: [edge["node"].get("referenceIndex") for edge in page["edges"]]
        for name, page in paper.items()
    }
    assert indices["start"] == indices["again"] == [1, 2]
    assert indices["end"] == [20, 21]
    assert paper["some"]["totalCount"] == 10
    times = [item["citation"]["source_observed_at"] for item in seed()["outbound"]]
    assert paper["newest"]["edges"][0]["node"]["sourceObservedAt"] == max(times)
    assert len(graph.driven) == 5


NESTED = """query ($first: Int!) { paper(id: "2501.00041") {
outbound(first: $first) { edges { node {
  standingNotice { state }
  citedPaper {
    bibliographyState
    inbound(first: 5) { totalCount edges { node { citingPaper {
      outbound(first: 3, orderBy: {field: YEAR}) { totalCount edges { node { observationDigest } } }
      coverage { lane }
    } } } }
  }
  citedWork {
    citations(last: 4, filter: {standing: [UNAVAILABLE, RETRACTION]}) {
      totalCount edges { node { citingPaper { authors { name } } } }
    }
    authors { name } externalCitationMeasurements { count } standingNotice { checkedAt }
  }
} } } } }"""


async def test_the_number_of_statements_does_not_depend_on_the_number_of_rows(graph, ingest):
    universe = Universe(seed=2, works=40)
    await ingest(
        [
            make_record(arxiv_id="2501.00041", citations=60, universe=universe),
            *make_records(Universe(seed=2, works=40)),
        ]
    )
    counts = set()
    for first in (12, 60):
        data = await graph.data(NESTED, first=first)
        assert len(data["paper"]["outbound"]["edges"]) == first
        counts.add(len(graph.driven))
        assert graph.answer["extensions"]["cost"]["databaseStatements"] == len(graph.driven)
    assert len(counts) == 1
    assert counts.pop() < 25


async def test_an_entry_without_a_row_of_resolution_is_unresolved(graph, held, write_engine):
    async with write_engine.begin() as connection:
        await connection.execute(text("DELETE FROM paper_reference_links"))
    page = await page_of(graph, OUTBOUND, filter={"standing": ["UNAVAILABLE"]})
    assert page["totalCount"] == 21
