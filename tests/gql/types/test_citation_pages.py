"""Pages of citations laid together: the whole list, once, whatever is asked and committed."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pith_graph.vocabulary import CitationOrderField, ResolutionStatus, StandingClass
from tests.asking import Asking
from tests.citation_pages import Item, ids_of, page_of
from tests.record_lists import Listed, lists_of, passes
from tests.record_universe import Universe
from tests.record_versions import revise
from tests.records import make_records

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
