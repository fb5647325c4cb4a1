"""Laws of taking in records: the order of files does not matter, nor does reading them twice."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pith_graph.errors import NotHeldError
from pith_graph.store.check import check_store
from tests.databases import KINDS
from tests.record_world import FIRST, SECOND, as_of, make_history
from tests.records import encode, with_derived
from tests.stores import OpenStore, open_store
from tests.table_rows import fetch_all

LENGTH = 3
seeds = st.integers(min_value=0, max_value=100_000)
orders = st.permutations(range(LENGTH)).map(tuple)
stores_take_long = settings(
    max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


async def exports(store: OpenStore, records: list[dict[str, Any]]) -> dict[Any, bytes | None]:
    """Export both papers, of now and as of the time of each record."""
    found: dict[Any, bytes | None] = {}
    held = {record["paper"]["arxiv_id"] for record in records}
    for arxiv_id in sorted(held):
        found[arxiv_id, None] = await store.export(arxiv_id)
        for at in map(as_of, records):
            try:
                found[arxiv_id, at] = await store.export(arxiv_id, at=at)
            except NotHeldError:
                found[arxiv_id, at] = None
    return found


async def exports_after(
    kind: str, folder: Path, records: list[dict[str, Any]], order: tuple[int, ...]
) -> dict[Any, bytes | None]:
    async with open_store(kind, folder) as store:
        for index in order:
            await store.ingest(records[index])
        assert await check_store(store.engine) == []
        return await exports(store, records)


@pytest.mark.parametrize("kind", KINDS)
@stores_take_long
@example(seed=2, order=(2, 0, 1))
@given(seed=seeds, order=orders)
async def test_records_in_any_order_are_exported_the_same(
    kind: str, tmp_path_factory: pytest.TempPathFactory, seed: int, order: tuple[int, ...]
) -> None:
    records, folder = make_history(seed, LENGTH), tmp_path_factory.mktemp("order")
    in_time = await exports_after(kind, folder, records, tuple(range(LENGTH)))
    assert await exports_after(kind, folder, records, order) == in_time


@pytest.mark.parametrize("order", list(permutations(range(LENGTH))))
async def test_as_of_a_record_its_paper_is_exported_as_it_was(
    ingest, export, order: tuple[int, ...]
) -> None:
    records = make_history(seed=2, length=LENGTH)
    for index in order:
        await ingest(records[index])
    for record in records:
        name = record["paper"]["arxiv_id"]
        assert name in {FIRST, SECOND}
        assert await export(name, at=as_of(record)) == encode(record)


@pytest.mark.parametrize("kind", KINDS)
@stores_take_long
@given(seed=seeds, again=st.lists(st.integers(0, LENGTH - 1), min_size=1, max_size=4))
async def test_reading_records_again_changes_no_row(
    kind: str, tmp_path_factory: pytest.TempPathFactory, seed: int, again: list[int]
) -> None:
    records = make_history(seed, LENGTH)
    async with open_store(kind, tmp_path_factory.mktemp("again")) as store:
        await store.ingest(records)
        before = await fetch_all(store.engine)
        await store.ingest([records[index] for index in again])
        assert await fetch_all(store.engine) == before


@pytest.mark.parametrize("kind", KINDS)
@stores_take_long
@example(seed=10, order=(0, 3, 4, 2, 1))
@example(seed=381, order=(0, 1, 2, 3, 4))
@example(seed=10842, order=(4, 1, 2, 3, 0))
@given(seed=seeds, order=st.permutations(range(5)).map(tuple))
async def test_records_that_contradict_each_other_leave_a_sound_store(
    kind: str, tmp_path_factory: pytest.TempPathFactory, seed: int, order: tuple[int, ...]
) -> None:
    records = make_history(seed, len(order))
    times = Random(seed).sample([record["as_of"] for record in records], len(records))
    # Each says at another's time what it says: some what is to come, some what is long past.
    records = [
        with_derived({**record, "as_of": at}) for record, at in zip(records, times, strict=True)
    ]
    async with open_store(kind, tmp_path_factory.mktemp("contradictory")) as store:
        for index in order:
            await store.ingest(records[index])
        assert await check_store(store.engine) == []
        await exports(store, records)
