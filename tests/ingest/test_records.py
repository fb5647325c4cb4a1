from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import Text, select
from sqlalchemy.ext.asyncio import AsyncEngine

from pith_graph.ingest.records import Result
from pith_graph.record_text import REFUSAL
from pith_graph.store import tables
from pith_graph.store.check import check_store
from tests.databases import Database
from tests.record_universe import Universe
from tests.record_world import FIRST, SECOND, World, make_history
from tests.records import SEED_AS_OF, SEED_ID, encode, make_record, seed, seed_path, with_derived
from tests.table_rows import fetch_all

PROGRAM = """
import asyncio, sys
from datetime import UTC, datetime
from pith_graph.ingest.records import Ingest
from pith_graph.store.engine import create_write_engine, parse_database_url

async def main() -> None:
    url = parse_database_url(sys.argv[1])
    engine = create_write_engine(url)
    run = Ingest(engine, url, lambda: datetime.now(UTC))
    for report in await run.run(sys.argv[2]):
        print(report.result, flush=True)
    await engine.dispose()

asyncio.run(main())
"""


def start(database: Database, file: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PROGRAM, database.text, str(file)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


async def test_the_seed_comes_out_byte_for_byte(ingest, export, read_engine) -> None:
    (report,) = await ingest(seed_path)
    assert (report.result, report.arxiv_id) == (Result.NEW, SEED_ID)
    assert await export(SEED_ID) == seed_path.read_bytes()
    assert await export(SEED_ID, at=SEED_AS_OF) == seed_path.read_bytes()
    assert await check_store(read_engine) == []


@pytest.mark.parametrize("number", range(3))
async def test_made_records_with_all_kinds_of_facts_come_out_byte_for_byte(
    ingest, export, number: int
) -> None:
    record = make_record(arxiv_id=f"2501.0004{number}", universe=Universe(seed=number))
    await ingest(record)
    assert await export(record["paper"]["arxiv_id"]) == encode(record)


async def test_reading_a_file_twice_leaves_every_row_as_it_was(ingest, read_engine) -> None:
    await ingest(seed_path)
    before = await fetch_all(read_engine)
    (report,) = await ingest(seed_path)
    assert report.result is Result.UNCHANGED
    assert await fetch_all(read_engine) == before


async def test_a_load_names_its_file_and_counts_its_records(ingest, read_engine) -> None:
    bad = {**seed(), "as_of": "yesterday"}
    reports = await ingest([seed(), bad, seed()])
    assert [report.result for report in reports] == [Result.NEW, Result.REFUSED, Result.UNCHANGED]
    assert reports[1].place.endswith("records.jsonl:2")
    (load,) = (await fetch_all(read_engine))["loads"]
    assert load[2].endswith("records.jsonl")
    assert len(load[3]) == 64
    assert load[5] < load[6]
    assert load[7:] == (3, 1, 1)


async def test_a_record_refused_midway_leaves_every_row_as_it_was(ingest, read_engine) -> None:
    world = World(seed=3)
    held = world.record(SECOND)
    await ingest(held)
    before = await fetch_all(read_engine)
    # New papers, works and entries come first; the last entry is one of the other paper.
    record = world.record(FIRST)
    record["outbound"][-1]["observation_id"] = held["outbound"][0]["observation_id"]
    (report,) = await ingest(with_derived(record))
    assert report.result is Result.REFUSED
    assert await fetch_all(read_engine) == before


async def test_commits_count_up_without_gaps_in_the_order_of_reading(ingest, read_engine) -> None:
    world = World(seed=3)
    for _ in range(3):
        await ingest([world.record(FIRST), {"schema": "other"}, world.record(FIRST)])
        world.next_hour()
        world.retitle_paper()
        world.retitle_paper()
    rows = await fetch_all(read_engine)
    numbers = [row[0] for row in rows["commits"]]
    assert numbers == list(range(1, len(numbers) + 1))
    times = [row[1] for row in rows["commits"]]
    assert times == sorted(times)
    assert ("commits", len(numbers)) in rows["counters"]


async def test_no_table_holds_a_digest_a_record_or_a_built_sentence(ingest, read_engine) -> None:
    record = make_record(arxiv_id="2501.00041", universe=Universe(seed=2))
    await ingest([seed(), record])
    sentences = ("sha256:", REFUSAL, "this Paper Citation Record", "No event found", '{"')
    async with read_engine.connect() as connection:
        for table in tables.metadata.sorted_tables:
            texts = [column for column in table.columns if isinstance(column.type, Text)]
            for row in await connection.execute(select(*texts)) if texts else ():
                for value in row:
                    assert not any(sentence in (value or "") for sentence in sentences)


async def test_two_runs_at_once_take_turns(database, read_engine, tmp_path, export) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    first.write_bytes(b"".join(encode(r) + b"\n" for r in make_history(seed=3, length=6)))
    second.write_bytes(encode(seed()))
    processes = [start(database, first), start(database, second)]
    outputs = [process.communicate(timeout=60)[0].split() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert outputs[1] == ["new"]
    assert set(outputs[0]) <= {"new", "superseded"}
    assert await check_store(read_engine) == []
    assert await export(SEED_ID) == seed_path.read_bytes()


async def count_commits(engine: AsyncEngine) -> int:
    return len((await fetch_all(engine))["commits"])


async def test_a_killed_run_leaves_whole_records_and_the_next_goes_on(
    database, read_engine, tmp_path, export
) -> None:
    records = [
        make_record(arxiv_id=f"2402.{number:05}", citations=20, universe=Universe(seed=4))
        for number in range(1, 31)
    ]
    file = tmp_path / "many.jsonl"
    file.write_bytes(b"".join(encode(record) + b"\n" for record in records))
    process = start(database, file)
    try:
        while await count_commits(read_engine) < 3:
            assert process.poll() is None, "it ended before it could be killed"
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    done = await count_commits(read_engine)
    assert 3 <= done < len(records)
    assert await check_store(read_engine) == []
    again = start(database, file)
    results = again.communicate(timeout=120)[0].split()
    assert results == ["unchanged"] * done + ["new"] * (len(records) - done)
    assert await check_store(read_engine) == []
    for record in (records[0], records[-1]):
        assert await export(record["paper"]["arxiv_id"]) == encode(record)
