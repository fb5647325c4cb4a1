"""Cases of records that come late, or that only another paper's record gives, in both orders."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest

from pith_graph.store.check import check_store
from tests.record_world import FIRST, SECOND, World, as_of
from tests.records import encode

Order = tuple[int, int]
in_both_orders = pytest.mark.parametrize("order", [(0, 1), (1, 0)])


def citing_world() -> World:
    """A world in which the first paper's one entry cites the second."""
    world = World(seed=7)
    del world.entries[FIRST][1:]
    world.entries[FIRST][0] |= {"said": SECOND, "link": None}
    world.entries[SECOND] = []
    return world


def ids_of(record: dict[str, Any], direction: str) -> list[str]:
    return [item["observation_id"] for item in record[direction]]


@in_both_orders
async def test_a_category_that_only_the_older_record_states_is_kept(
    ingest, export, order: Order
) -> None:
    world = citing_world()
    older = world.record(FIRST)
    world.next_hour()
    for _ in range(20):
        world.retitle_paper()
    newer = world.record(SECOND)
    assert newer["inbound"][0]["citation"]["citing_paper"]["title"] != older["paper"]["title"]
    for index in order:
        await ingest((older, newer)[index])
    paper = json.loads(await export(FIRST, as_of=world.now))["paper"]
    assert paper["primary_category"] == "cs.LG"
    assert paper["title"] == world.papers[FIRST]["title"]


@in_both_orders
async def test_of_two_titles_with_one_snapshot_time_the_newer_record_decides(
    ingest, export, read_engine, order: Order
) -> None:
    world = World(seed=7)
    older = world.record(FIRST)
    world.next_hour()
    world.papers[FIRST]["title"] = "Otherwise"
    newer = world.record(FIRST)
    for index in order:
        await ingest((older, newer)[index])
    assert await export(FIRST, as_of=as_of(newer)) == encode(newer)
    assert await export(FIRST, at=as_of(older)) == encode(older)
    assert await check_store(read_engine) == []


@in_both_orders
async def test_of_a_paper_without_a_record_the_newer_entry_stands_at_a_position(
    ingest, export, read_engine, order: Order
) -> None:
    world = citing_world()
    records = [world.record(SECOND)]
    world.next_hour()
    world.reextract()
    while ids_of(world.record(SECOND), "inbound") == ids_of(records[0], "inbound"):
        world.reextract()
    del world.entries[FIRST][1:]
    world.entries[SECOND] = []
    records.append(world.record(SECOND))
    for index in order:
        await ingest(records[index])
    for record in records:
        assert await export(SECOND, at=as_of(record)) == encode(record)
    assert await export(SECOND, as_of=world.now) == encode(records[1])
    assert await check_store(read_engine) == []


async def test_entries_of_one_index_and_time_stand_beside_each_other(
    ingest, export, read_engine
) -> None:
    world = citing_world()
    entry = world.entries[FIRST][0]
    world.entries[FIRST].append({**entry, "id": "00000000-0000-4000-8000-000000000001"})
    inbound = world.record(SECOND)
    await ingest(inbound)
    found = json.loads(await export(SECOND, as_of=world.now))
    assert set(ids_of(found, "inbound")) == set(ids_of(inbound, "inbound"))
    own = world.record(FIRST)
    await ingest(own)
    assert await export(FIRST, as_of=world.now) == encode(own)
    assert await check_store(read_engine) == []


async def test_a_citation_by_a_paper_that_was_not_held_yet_is_not_known_of_then(
    ingest, export
) -> None:
    world = citing_world()
    seen = world.entries[FIRST][0]["seen"] = world.now - timedelta(minutes=50)
    world.papers[SECOND]["snapshot_observed_at"] = (seen - timedelta(minutes=5)).isoformat()[
        :-6
    ] + "Z"
    await ingest(world.record(SECOND))
    shown = datetime.fromisoformat(world.papers[FIRST]["snapshot_observed_at"])
    assert seen < shown
    assert json.loads(await export(SECOND, at=seen))["inbound"] == []
    assert len(json.loads(await export(SECOND, at=shown))["inbound"]) == 1


async def test_events_are_shown_in_the_order_observed_however_they_came(ingest, export) -> None:
    world = World(seed=7)
    work = world.works[0]
    world.entries[FIRST][0]["link"] = {
        "at": world.entries[FIRST][0]["seen"],
        "work": work,
        "status": "verified_exact",
    }
    records = []
    for _ in range(3):
        world.next_hour()
        while len(work["events"]) < 2:
            world.ask()
        records.append(world.record(FIRST))
        del work["events"][0]
    for index in (2, 0, 1):
        await ingest(records[index])
    for record in records:
        assert await export(FIRST, at=as_of(record)) == encode(record)
