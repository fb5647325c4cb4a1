"""Connections of citations: Relay's rules, exact pages, and cursors that cannot break anything."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from pith_graph.gql.cursors import render_cursor
from tests.asking import Asking
from tests.citation_pages import ids_of, page_of, query_of
from tests.record_lists import Listed
from tests.record_universe import Universe
from tests.records import SEED_ID, cut, make_record, make_records, seed, seed_path


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
