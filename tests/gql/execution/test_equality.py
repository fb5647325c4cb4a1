"""The compiled execution answers as graphql-core does: generated operations, whatever fails.

``PITH_FUZZ`` is the number of operations; ``make fuzz`` sets it high.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pith_graph.gql.execution import plan
from pith_graph.gql.schema import make_schema
from pith_graph.store.engine import create_read_engine
from tests.databases import made_database
from tests.gql.execution import toy
from tests.gql.execution.graph_store import LOADERS, failing_context, fill, loader_names
from tests.gql.execution.operations import Operation, operations
from tests.gql.execution.running import Both

EXAMPLES = int(os.environ.get("PITH_FUZZ", "2500"))
MOST_FALLBACKS = 0.01

many_examples = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
# Whether levels are built by generated functions at once, late or never.
before_generating = st.sampled_from((0, 3, 10**9))
worlds = st.tuples(st.integers(0, 2**32), st.sampled_from((0.0, 0.02, 0.1, 0.3)))


def test_nothing_is_left_behind_whenever_the_execution_is_cancelled():
    both = Both(toy.build_schema)

    @settings(many_examples, max_examples=min(EXAMPLES, 300))
    @given(operations(toy.core_schema(), toy.POOLS), worlds, st.integers(0, 12))
    def check(operation: Operation, world: tuple[int, float], ticks: int) -> None:
        both.take(operation)
        asyncio.run(cancelled_after(ticks, both, operation, world))

    check()
    gc.collect()


async def cancelled_after(
    ticks: int, both: Both, operation: Operation, world: tuple[int, float]
) -> None:
    """Run an operation and cancel it in some turn of the loop, if it has not ended by then."""
    before = asyncio.all_tasks()
    unhandled: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, what: unhandled.append(what))
    running = asyncio.ensure_future(both.run_compiled(operation, partial(in_world, *world)))
    for _ in range(ticks):
        await asyncio.sleep(0)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    left = {task for task in asyncio.all_tasks() - before if not _is_loaders(task)}
    assert not left
    del running
    assert not unhandled


def _is_loaders(task: asyncio.Task[Any]) -> bool:
    """Whether a loader's batch runs in it, which others may wait for."""
    return "dispatch" in repr(task.get_coro())


# graphql-core leaves coroutines behind where a sibling failed; `test_nothing_is_left_behind` looks
# at ours alone.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_toy_schema_of_everything_is_answered_as_by_graphql_core(monkeypatch):
    both = Both(toy.build_schema)

    @many_examples
    @given(operations(toy.core_schema(), toy.POOLS), worlds, worlds, before_generating)
    def check(
        operation: Operation, one: tuple[int, float], other: tuple[int, float], before: int
    ) -> None:
        monkeypatch.setattr(plan, "OBJECTS_BEFORE_GENERATING", before)
        both.take(operation)
        with asyncio.Runner() as runner:
            for seed, wrong in (one, other):
                runner.run(both.compare(operation, partial(in_world, seed, wrong)))

    check()
    gc.collect()
    assert both.operations >= EXAMPLES / 2
    assert both.errors > both.operations / 10, "too few failures to tell anything"
    assert both.fallbacks < both.operations * MOST_FALLBACKS


@asynccontextmanager
async def in_world(seed: int, wrong: float) -> AsyncIterator[None]:
    toy.WORLD.set(toy.World(seed, wrong))
    yield


# The same: graphql-core's coroutines.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_schema_is_answered_as_by_graphql_core_whatever_loaders_fail(tmp_path, monkeypatch):
    both = Both(make_schema, bare=False)
    with (
        asyncio.Runner() as runner,
        made_database("sqlite", tmp_path) as database,
    ):
        pools = runner.run(fill(database, tmp_path))
        engine = create_read_engine(database.url, pool_size=1)

        @settings(many_examples, max_examples=EXAMPLES // 5)
        @given(
            operations(both.schema, pools),
            st.sets(st.sampled_from(LOADERS), max_size=3),
            before_generating,
        )
        def check(operation: Operation, failing: set[str], before: int) -> None:
            monkeypatch.setattr(plan, "OBJECTS_BEFORE_GENERATING", before)
            both.take(operation)
            for names in ((), sorted(failing)):
                runner.run(both.compare(operation, partial(failing_context, engine, names)))

        try:
            check()
        finally:
            gc.collect()
            runner.run(engine.dispose())
    assert both.operations >= EXAMPLES / 10
    assert both.errors > both.operations / 10, "too few failures to tell anything"
    assert both.fallbacks < both.operations * MOST_FALLBACKS


async def test_every_loader_can_be_made_to_fail():
    assert set(LOADERS) == loader_names()
