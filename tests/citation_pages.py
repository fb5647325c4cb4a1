"""Asking for a page of a list of citations by GraphQL, with any arguments."""

from __future__ import annotations

from typing import Any

from tests.asking import Asking
from tests.record_lists import Listed

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


def ids_of(page: Item) -> list[str]:
    return [edge["node"]["observationId"] for edge in page["edges"]]
