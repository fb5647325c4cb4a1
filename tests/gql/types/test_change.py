"""The feed of changes by GraphQL: keeping a copy current by cursors, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.record_universe import Universe
from tests.records import SEED_ID, make_records, seed, with_derived

CHANGES = """
query ($first: Int, $last: Int, $after: String, $before: String) {
  changes(first: $first, last: $last, after: $after, before: $before) {
    emptyMeans
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    edges { cursor node {
      commit committedAt kind action observedAt supersededAt nodeId
      node { __typename id ... on Paper { title } ... on Citation { resolution { status } } }
    } }
  }
}
"""


def retitled(title: str, day: int) -> dict[str, Any]:
    """The seed of a later day, with another title."""
    record = seed()
    record["as_of"] = f"2026-08-{day}T10:32:00Z"
    papers = [item["citation"]["citing_paper"] for item in record["outbound"]]
    for paper in (record["paper"], *papers):
        paper |= {"title": title, "snapshot_observed_at": f"2026-08-{day}T10:00:00Z"}
    return with_derived(record)


def without_last() -> dict[str, Any]:
    """The seed of a later day, whose last reference is gone."""
    record = seed()
    record["as_of"] = "2026-08-11T10:32:00Z"
    record["outbound"].pop()
    record["reference_resolution"]["total_outbound_references"] -= 1
    return with_derived(record)


def nodes(page: dict[str, Any]) -> list[dict[str, Any]]:
    return [edge["node"] for edge in page["edges"]]


async def follow(graph, after: str | None = None, size: int = 100):
    """Read on from a cursor to the end; return the changes and the last cursor."""
    seen = []
    while True:
        page = (await graph.data(CHANGES, first=size, after=after))["changes"]
        seen += nodes(page)
        after = page["pageInfo"]["endCursor"] or after
        if not page["pageInfo"]["hasNextPage"]:
            return seen, after


async def test_a_copy_is_kept_current_by_its_last_cursor(graph, ingest):
    await ingest(seed())
    copy: dict[str, Any] = {}
    after = None
    for record in (None, retitled("Second", 11), retitled("Third", 12), None):
        if record is not None:
            await ingest(record)
        changes, after = await follow(graph, after, size=7)
        copy |= {change["nodeId"]: change["node"] for change in changes}
    every = await graph.data(
        "query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Paper { arxivId title } } }",
        ids=list(copy),
    )

    assert [node["id"] for node in every["nodes"]] == list(copy)
    titles = {n["id"]: n["title"] for n in every["nodes"] if n.get("arxivId") == SEED_ID}
    assert list(titles.values()) == ["Third"]
    assert {key: copy[key]["title"] for key in titles} == titles


async def test_a_change_says_what_happened_when_and_to_what(graph, ingest):
    await ingest(seed())
    _, after = await follow(graph)
    await ingest(retitled("Second", 11))
    changes, _ = await follow(graph, after)

    papers = [change for change in changes if change["kind"] == "PAPER"]
    assert [change["action"] for change in papers] == ["ADDED", "SUPERSEDED"]
    added, superseded = papers
    assert added["commit"] == superseded["commit"] == 2
    assert added["observedAt"] == superseded["supersededAt"] == "2026-08-11T10:00:00Z"
    assert superseded["observedAt"] == "2026-08-08T23:54:20.135229Z"
    assert added["supersededAt"] is None
    assert added["committedAt"] == superseded["committedAt"]
    assert added["nodeId"] == superseded["nodeId"] == added["node"]["id"]
    # The node is of now, whatever the change is of.
    assert superseded["node"] == added["node"] | {"title": "Second"}


async def test_a_resolution_is_about_its_citation_and_a_receipt_about_its_work_or_paper(
    graph, ingest
):
    await ingest(seed())
    changes, _ = await follow(graph)

    types: dict[str, set[str]] = {}
    for change in changes:
        types.setdefault(change["kind"], set()).add(change["node"]["__typename"])
    assert types == {
        "PAPER": {"Paper"},
        "CITATION": {"Citation"},
        "RESOLUTION": {"Citation"},
        "WORK": {"Work"},
        "STANDING_RECEIPT": {"Paper", "Work"},
        "BIBLIOGRAPHY": {"Paper"},
        "COVERAGE": {"Paper"},
    }


async def test_what_is_not_held_any_more_has_its_id_and_no_node(graph, ingest):
    await ingest(seed())
    _, after = await follow(graph)
    await ingest(without_last())
    changes, _ = await follow(graph, after)

    gone = [change for change in changes if change["kind"] == "CITATION"]
    assert [(change["action"], change["node"]) for change in gone] == [("SUPERSEDED", None)]
    error = await graph.error("query ($id: ID!) { node(id: $id) { id } }", id=gone[0]["nodeId"])
    assert error["code"] == "NOT_HELD"


async def test_the_same_record_again_is_no_change(graph, ingest):
    await ingest(seed())
    _, after = await follow(graph)
    await ingest(seed())
    page = (await graph.data(CHANGES, after=after))["changes"]

    assert page["edges"] == []
    assert page["pageInfo"]["hasNextPage"] is False
    assert page["pageInfo"]["hasPreviousPage"] is True
    assert page["emptyMeans"] == (
        "Nothing was committed since the change of the cursor: a copy is current."
    )


async def test_the_newest_changes_come_last_from_either_end(graph, ingest):
    await ingest(make_records(Universe(papers=4)))
    changes, _ = await follow(graph)
    page = (await graph.data(CHANGES, last=5))["changes"]
    before = (await graph.data(CHANGES, last=5, before=page["pageInfo"]["startCursor"]))["changes"]

    assert [change["commit"] for change in changes] == sorted(c["commit"] for c in changes)
    assert nodes(before) + nodes(page) == changes[-10:]
    assert page["pageInfo"]["hasNextPage"] is False


async def test_an_empty_store_says_so(graph):
    page = (await graph.data(CHANGES))["changes"]

    assert page["edges"] == []
    assert page["emptyMeans"] == "Nothing was ever committed: the store is empty."
    assert page["pageInfo"] == {
        "hasNextPage": False,
        "hasPreviousPage": False,
        "startCursor": None,
        "endCursor": None,
    }


async def test_a_page_is_one_statement_and_its_nodes_one_more_for_each_type(graph, ingest):
    await ingest(seed())
    await graph.data("{ changes(first: 100) { pageInfo { endCursor } edges { node { nodeId } } } }")
    assert len(graph.driven) == 1
    await graph.data("{ changes(first: 100) { edges { node { node { id } } } } }")
    assert len(graph.driven) == 1 + len(["papers", "citations", "works"])


@pytest.mark.parametrize("argument", ["after", "before"])
async def test_a_cursor_of_another_list_is_refused(graph, ingest, argument):
    await ingest(seed())
    page = await graph.data(
        f'{{ paper(id: "{SEED_ID}") {{ outbound(first: 1) {{ edges {{ cursor }} }} }} }}'
    )
    foreign = page["paper"]["outbound"]["edges"][0]["cursor"]
    error = await graph.error(CHANGES, **{argument: foreign})

    assert error["code"] == "BAD_USER_INPUT"
    assert f"`{argument}` is a cursor of another list" in error["message"]


async def test_a_cursor_of_the_feed_is_refused_by_another_list(graph, ingest):
    await ingest(seed())
    _, after = await follow(graph)
    error = await graph.error(
        "query ($id: String!, $after: String) { paper(id: $id) { outbound(after: $after) "
        "{ totalCount } } }",
        id=SEED_ID,
        after=after,
    )

    assert error["code"] == "BAD_USER_INPUT"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"first": 101}, "`first` is 101: expected 0 to 100"),
        ({"first": 1, "last": 1}, "`first` and `last` are both given"),
        ({"after": "nonsense"}, "`after` is not a cursor"),
    ],
)
async def test_arguments_out_of_bounds_are_refused(graph, arguments, message):
    error = await graph.error(CHANGES, **arguments)

    assert error["code"] == "BAD_USER_INPUT"
    assert message in error["message"]
