"""The whole application says how it executed: compiled, or why not."""

from __future__ import annotations

import pytest

from pith_graph.web.pages import starter_query
from tests.asking import Asking, asking
from tests.records import SEED_ID
from tests.whole_record import QUERY


@pytest.fixture
async def graph(database):
    async with asking(database) as asked:
        yield asked


def execution(graph: Asking) -> str:
    return str(graph.answer["extensions"]["cost"]["execution"])


@pytest.mark.parametrize("query", [starter_query(), "{ __typename }", "{ limits { maxCost } }"])
async def test_queries_are_compiled(graph, query):
    await graph.ask(query)
    assert execution(graph) == "compiled"


async def test_the_whole_record_is_compiled(graph):
    await graph.ask(QUERY, id=SEED_ID)
    assert execution(graph) == "compiled"


async def test_introspection_is_left_to_graphql_core_and_counted(graph):
    for _ in range(2):
        await graph.data("{ __schema { queryType { name } } }")
        assert execution(graph) == "introspection"
    ready = (await graph.client.get("/readyz")).json()
    assert ready == {"status": "ready", "notCompiled": {"introspection": 2}}


async def test_the_compiled_execution_can_be_switched_off(database):
    async with asking(database, compiled_execution=False) as graph:
        await graph.data("{ limits { maxCost } }")
        assert execution(graph) == "compiled execution is switched off"
