"""A request's context: opened over the engine, and released whatever happens."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pith_graph.gql.context import open_context
from pith_graph.settings import Settings
from tests.records import SEED_ID, seed_path

NOW = datetime(2026, 8, 10, tzinfo=UTC)


async def test_a_context_counts_its_statements_and_gives_its_connection_back(read_engine, ingest):
    await ingest(seed_path)
    async with open_context(read_engine, Settings(), clock=lambda: NOW) as context:
        assert (context.now, context.statements, context.identifiers) == (NOW, 0, [])
        assert await context.loaders.papers.load(SEED_ID) is not None
        assert context.statements == 1
        assert read_engine.pool.checkedout() == 1
    assert read_engine.pool.checkedout() == 0


async def test_a_failure_gives_the_connection_back_too(read_engine):
    async def fail() -> None:
        async with open_context(read_engine, Settings(), clock=lambda: NOW) as context:
            await context.loaders.papers.load(SEED_ID)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert read_engine.pool.checkedout() == 0


async def test_a_context_that_reads_nothing_takes_no_connection(read_engine):
    async with open_context(read_engine, Settings(), clock=lambda: NOW):
        assert read_engine.pool.checkedout() == 0
