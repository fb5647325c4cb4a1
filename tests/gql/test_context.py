"""A request's context: opened over the engine, and released whatever happens."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from pith_graph.gql.context import open_context
from pith_graph.read.snapshot import Closing
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


async def test_the_transaction_may_end_after_the_answer_and_is_waited_for_at_the_end(
    read_engine, ingest
):
    closing = Closing()
    context = open_context(read_engine, Settings(), clock=lambda: NOW, closing=closing)
    async with context as opened:
        await opened.loaders.papers.load(SEED_ID)
    assert read_engine.pool.checkedout() == 1
    await closing.finish()
    assert read_engine.pool.checkedout() == 0


async def test_a_statement_that_still_runs_ends_with_the_context(read_engine):
    async with open_context(read_engine, Settings(), clock=lambda: NOW) as first:
        await first.loaders.papers.load(SEED_ID)  # there is a connection now
    closing = Closing()
    async with open_context(read_engine, Settings(), clock=lambda: NOW, closing=closing) as opened:
        running = asyncio.create_task(opened.loaders.papers.load(SEED_ID))
        while not opened.snapshot.is_running:  # noqa: ASYNC110  # a few turns of the loop
            await asyncio.sleep(0)
    assert read_engine.pool.checkedout() == 0
    await asyncio.gather(running, return_exceptions=True)
