"""What a newer, an older or a partial record does to what is held, seen through the export."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pith_graph.errors import NotHeldError
from pith_graph.ingest.records import Result
from pith_graph.store.check import check_store
from tests.record_world import CITED, FIRST, SECOND, World, as_of
from tests.records import SEED_AS_OF, SEED_ID, cut, encode, seed, with_derived
from tests.table_rows import execute, fetch_all

CHANGES: list[Callable[[World], None]] = [
    World.retitle_paper,
    World.retitle_work,
    World.link,
    World.unlink,
    World.remove,
    World.add,
    World.reextract,
    World.ask,
    World.measure,
    World.hold,
]
HOUR = timedelta(hours=1)


def change_until_shown(world: World, change: Callable[[World], None]) -> None:
    """Let an hour pass in which a kind of thing changes that the first paper's record shows."""
    before = world.record(FIRST)
    world.next_hour()
    for _ in range(100):
        change(world)
        after = world.record(FIRST)
        if any(after[key] != before[key] for key in ("paper", "outbound", "inbound")):
            return
        if after["external_citation_measurements"] != before["external_citation_measurements"]:
            return
    pytest.fail("nothing changed")


def two_records(change: Callable[[World], None]) -> tuple[dict[str, Any], dict[str, Any]]:
    world = World(seed=7)
    world.entries[FIRST][0]["said"] = CITED
    older = world.record(FIRST)
    change_until_shown(world, change)
    return older, world.record(FIRST)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
async def test_a_newer_record_supersedes_and_the_older_stays_in_history(
    ingest, export, read_engine, change: Callable[[World], None]
) -> None:
    older, newer = two_records(change)
    assert [report.result for report in await ingest([older, newer])] == [
        Result.NEW,
        Result.SUPERSEDED,
    ]
    assert await export(FIRST, as_of=as_of(newer)) == encode(newer)
    assert await export(FIRST, at=as_of(newer)) == encode(newer)
    assert await export(FIRST, at=as_of(older)) == encode(older)
    assert await check_store(read_engine) == []


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
async def test_an_older_record_goes_to_history(
    ingest, export, read_engine, change: Callable[[World], None]
) -> None:
    older, newer = two_records(change)
    assert [report.result for report in await ingest([newer, older])] == [
        Result.NEW,
        Result.HISTORY,
    ]
    assert await export(FIRST, as_of=as_of(newer)) == encode(newer)
    assert await export(FIRST, at=as_of(older)) == encode(older)
    assert await check_store(read_engine) == []


@pytest.mark.parametrize(
    "change", [World.remove, World.measure, World.unlink], ids=lambda change: change.__name__
)
async def test_what_was_gone_for_a_while_is_gone_as_of_then(
    ingest, export, change: Callable[[World], None]
) -> None:
    older, newer = two_records(change)
    back = shift_back(older, as_of(newer) + HOUR)
    await ingest([older, newer, back])
    for record in (older, newer):
        assert await export(FIRST, at=as_of(record)) == encode(record)
    assert await export(FIRST, as_of=as_of(back)) == encode(back)


def shift_back(record: dict[str, Any], at: datetime) -> dict[str, Any]:
    """Return a record that says the same at a later time."""
    return with_derived({**record, "as_of": at.isoformat()[:-6] + "Z"})


async def test_before_its_first_snapshot_a_paper_is_not_held(ingest, export) -> None:
    await ingest(seed())
    with pytest.raises(NotHeldError, match="as of 2020-01-01"):
        await export(SEED_ID, at=datetime(2020, 1, 1, tzinfo=UTC))
    observed = seed()["paper"]["snapshot_observed_at"]
    first = datetime.fromisoformat(observed)
    assert json.loads(await export(SEED_ID, at=first))["paper"]["arxiv_id"] == SEED_ID
    with pytest.raises(NotHeldError):
        await export(SEED_ID, at=first - timedelta(microseconds=1))


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_a_partial_record_keeps_the_entries_and_the_total_of_a_whole_one(
    ingest, export, read_engine, order: tuple[int, int]
) -> None:
    whole = seed()
    partial = shift_back(cut(whole, 5), SEED_AS_OF + HOUR)
    await ingest([(whole, partial)[index] for index in order])
    found = json.loads(await export(SEED_ID, as_of=SEED_AS_OF + HOUR))
    assert [item["observation_id"] for item in found["outbound"]] == [
        item["observation_id"] for item in whole["outbound"]
    ]
    assert found["reference_resolution"]["total_outbound_references"] == 21
    assert await check_store(read_engine) == []


async def test_a_partial_record_alone_shows_its_declared_total(ingest, export) -> None:
    partial = cut(seed(), 5)
    await ingest(partial)
    assert await export(SEED_ID) == encode(partial)
    assert json.loads(await export(SEED_ID))["thesis"].startswith(
        "As of 10 August 2026, this Paper Citation Record lists 5 of 21 outbound"
    )


async def test_the_citations_of_another_paper_appear_as_inbound(ingest, export) -> None:
    world = World(seed=7)
    world.entries[FIRST][0]["said"] = SECOND
    await ingest(world.record(FIRST))
    found = json.loads(await export(SECOND, as_of=world.now))
    assert [item["citation"]["citing_paper"]["arxiv_id"] for item in found["inbound"]] == [
        FIRST
    ] * len(found["inbound"])
    assert encode(found["inbound"][-1]) in await export(FIRST, as_of=world.now)
    await ingest(world.record(SECOND))
    assert await export(SECOND, as_of=world.now) == encode(world.record(SECOND))


async def test_a_cited_paper_that_is_held_later_is_shown_and_lists_the_citation(
    ingest, export
) -> None:
    world = World(seed=7)
    entry = world.entries[FIRST][0]
    entry |= {"said": CITED, "link": None}
    await ingest(world.record(FIRST))
    before = json.loads(await export(FIRST, as_of=world.now))
    assert before["outbound"][0]["citation"]["cited_paper"] is None
    world.next_hour()
    world.hold()
    world.entries[SECOND][0]["said"] = CITED
    await ingest(world.record(SECOND))
    after = json.loads(await export(FIRST, as_of=world.now))
    assert after["outbound"][0]["citation"]["cited_paper"]["arxiv_id"] == CITED
    inbound = json.loads(await export(CITED, as_of=world.now))["inbound"]
    assert {FIRST, SECOND} == {item["citation"]["citing_paper"]["arxiv_id"] for item in inbound}


async def test_an_observation_that_changes_is_refused(ingest, export, read_engine) -> None:
    await ingest(seed())
    before = await fetch_all(read_engine)
    changed = shift_back(seed(), SEED_AS_OF + HOUR)
    shown = [item["citation"]["cited_work"] for item in changed["outbound"]]
    said = next(work for work in shown if work["work_id"] is None and work["title"])
    said["title"] = "Another title"
    (report,) = await ingest(with_derived(changed))
    assert report.result is Result.REFUSED
    assert "an observation never changes" in str(report.reason)
    assert await fetch_all(read_engine) == before


async def test_an_observation_of_another_paper_is_refused(ingest, read_engine) -> None:
    world = World(seed=7)
    first, second = world.record(FIRST), world.record(SECOND)
    await ingest(first)
    before = await fetch_all(read_engine)
    second["outbound"][0]["observation_id"] = first["outbound"][0]["observation_id"]
    (report,) = await ingest(with_derived(second))
    assert report.result is Result.REFUSED
    assert "a citation of another paper" in str(report.reason)
    assert await fetch_all(read_engine) == before


async def test_a_title_changed_in_the_database_changes_the_export_and_its_digests(
    ingest, export, database
) -> None:
    await ingest(seed())
    linked = next(o for o in seed()["outbound"] if o["citation"]["cited_work"]["work_id"])
    title = linked["citation"]["cited_work"]["title"].replace("'", "''")
    await execute(database, f"UPDATE cited_works SET title = 'Changed' WHERE title = '{title}'")
    found = json.loads(await export(SEED_ID))
    (changed,) = [
        item for item in found["outbound"] if item["observation_id"] == linked["observation_id"]
    ]
    assert changed["citation"]["cited_work"]["title"] == "Changed"
    assert changed["observation_digest"] != linked["observation_digest"]
    assert found["context_digest"] != seed()["context_digest"]


async def test_two_papers_that_disagree_about_a_work_do_not_replace_each_other_for_ever(
    ingest, read_engine
) -> None:
    world = World(seed=7)
    for name in (FIRST, SECOND):
        world.entries[name][0]["link"] = {
            "at": world.entries[name][0]["seen"],
            "work": world.works[0],
            "status": "verified_exact",
        }
    first = world.record(FIRST)
    world.works[0]["title"] = "Said otherwise at the same time"
    second = world.record(SECOND)
    await ingest([first, second])
    before = await fetch_all(read_engine)
    await ingest([first, second, first])
    assert await fetch_all(read_engine) == before
