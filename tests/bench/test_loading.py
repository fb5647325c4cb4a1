"""A generated graph is a sound store, the same every time, and has the shape it is said to have."""

from __future__ import annotations

import asyncio
from collections import Counter

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from bench.graph import HUB, Graph
from bench.loading import load
from bench.shape import Encoding, Shape
from pith_graph.store import tables
from pith_graph.store.check import check_store
from tests.databases import Database

SMALL = Shape(citations=30_000)
PLAIN = Encoding(instant=int, public_id=bytes)


async def test_nothing_is_wrong_with_a_loaded_graph(
    database: Database, read_engine: AsyncEngine
) -> None:
    citations = await asyncio.to_thread(load, database.url, SMALL)
    assert await check_store(read_engine) == []
    async with read_engine.connect() as connection:
        held = select(func.count()).select_from(tables.paper_references)
        assert (await connection.execute(held)).scalar_one() == citations


def test_a_seed_makes_the_same_graph_every_time() -> None:
    first, again, other = (list(Graph(Shape(2000, seed), PLAIN).slices()) for seed in (7, 7, 8))
    assert first == again
    assert first != other


def test_the_shape_is_the_fields() -> None:
    graph = Graph(SMALL, PLAIN)
    references = [row for rows in graph.slices() for row in rows["paper_references"]]
    outbound = Counter(row[2] for row in references)
    inbound = Counter(row[7] for row in references)
    unlinked = inbound.pop(None)
    assert abs(graph.citations - SMALL.citations) < SMALL.citations / 10
    assert min(outbound.values()) >= 5
    assert 100 < max(outbound.values()) <= 300
    assert len(references) / 12 < inbound[HUB] < len(references) / 8
    (most, _), (_, second), *_rest = inbound.most_common()
    assert most == HUB
    assert second > 10 * len(references) / SMALL.papers / 2
    # A fifth goes to nothing, a fifth to works that are no paper here.
    assert 0.38 < unlinked / len(references) < 0.42
    assert 0.19 < sum(row[8] is not None for row in references) / len(references) < 0.21
