"""Many readers over HTTP while another process writes: every answer is of one committed state.

The server is ``pith-graph serve`` in a process of its own, the writer another; this process asks.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from pith_graph.canonical import digest
from pith_graph.instants import parse_any_instant
from pith_graph.record_text import thesis
from tests.commands import Server, command_line, environment, run, served
from tests.databases import KINDS, Database, made_database
from tests.record_universe import Universe
from tests.record_versions import revise
from tests.records import SEED_ID, encode, make_records, seed

CLIENTS = 200
SECONDS = 10.0
VERSIONS = 30

QUERY = (
    f'{{ paper(id: "{SEED_ID}") {{ latestVersion record {{ asOf contextDigest }} '
    "outbound(first: 100) { totalCount edges { node { observationDigest } } } } }"
)


@dataclass
class Seen:
    """How often each (day, digest, version, digests of the citations) was answered."""

    answers: dict[tuple[str, str, int, tuple[str, ...]], int] = field(default_factory=dict)


def with_day(record: dict[str, Any], as_of: str) -> str:
    """Return the digest that a record has on another day: its first sentence names the day."""
    totals = record["reference_resolution"]
    sentence = thesis(
        as_of=parse_any_instant(as_of),
        displayed=totals["displayed"],
        total_outbound=totals["total_outbound_references"],
        total_inbound=record["coverage"][2]["denominator"],
        arxiv_id=SEED_ID,
    )
    return digest(record | {"thesis": sentence}, without=frozenset({"as_of", "context_digest"}))


class Connection:
    """One kept-alive HTTP/1.1 connection, on a plain socket: light enough for hundreds."""

    def __init__(self, port: int) -> None:
        self._port = port
        body = json.dumps({"query": QUERY}).encode()
        self._request = (
            b"POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        )

    async def __aenter__(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._writer.close()
        await self._writer.wait_closed()

    async def ask(self) -> dict[str, Any]:
        self._writer.write(self._request)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.split("content-length: ", 1)[1].split("\r\n", 1)[0])
        body = await self._reader.readexactly(length)
        assert head.startswith("http/1.1 200 "), (head, body)
        answer: dict[str, Any] = json.loads(body)
        assert "errors" not in answer, answer["errors"]
        return answer


async def ask_until(port: int, deadline: float, seen: Seen) -> None:
    async with Connection(port) as connection:
        while time.monotonic() < deadline:
            paper = (await connection.ask())["data"]["paper"]
            citations = [edge["node"]["observationDigest"] for edge in paper["outbound"]["edges"]]
            assert paper["outbound"]["totalCount"] == len(citations) == 21
            record = paper["record"]
            key = (
                record["asOf"][:10],
                record["contextDigest"],
                paper["latestVersion"],
                tuple(citations),
            )
            seen.answers[key] = seen.answers.get(key, 0) + 1


def importing(database: Database, folder: Path) -> subprocess.Popen[bytes]:
    """Start importing newer and newer records of the paper, other papers between them."""
    others = iter(make_records(Universe(seed=6, papers=VERSIONS, references=30)))
    lines = []
    for number in range(1, VERSIONS + 1):
        lines += [encode(revise(seed(), number)), encode(next(others))]
    file = folder / "stream.jsonl"
    file.write_bytes(b"\n".join(lines) + b"\n")
    return subprocess.Popen(
        command_line("ingest", "record", str(file)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(database),
    )


def descriptors_of(server: Server) -> int:
    return sum(1 for _ in Path(f"/proc/{server.pid}/fd").iterdir())


async def check_no_transaction_is_left(database: Database) -> None:
    """Look at the server's sessions, where the database has any."""
    if database.kind == "sqlite":
        return
    engine = create_async_engine(database.url)
    async with engine.connect() as connection:
        states = await connection.execute(
            text(
                "SELECT state FROM pg_stat_activity WHERE datname = current_database() "
                "AND application_name = 'pith-graph'"
            )
        )
        found = list(states.scalars())
    await engine.dispose()
    assert 0 < len(found) <= 8
    assert set(found) == {"idle"}


@pytest.mark.parametrize("kind", KINDS)
async def test_every_answer_is_of_one_committed_state_while_another_process_imports(kind, tmp_path):
    with made_database(kind, tmp_path) as database:
        first = tmp_path / "first.json"
        first.write_bytes(encode(seed()))
        assert run("ingest", "record", str(first), database=database).code == 0
        # What is tried is that answers are true, on a slow and busy machine too.
        with served(database, PITH_REQUEST_TIMEOUT_SECONDS="120") as server:
            seen = Seen()
            async with Connection(server.port) as connection:
                await connection.ask()
            before = descriptors_of(server)
            writer = importing(database, tmp_path)
            deadline = time.monotonic() + SECONDS
            await asyncio.gather(*(ask_until(server.port, deadline, seen) for _ in range(CLIENTS)))
            out, _ = await asyncio.to_thread(writer.communicate, timeout=60)
            assert writer.returncode == 0, out.decode()
            assert b"refused" not in out
            await check_after(server, database, before)
    check_answers(seen)


async def check_after(server: Server, database: Database, before: int) -> None:
    """Nothing that the clients took is kept, and the server answers as promptly as ever."""
    start = time.monotonic()
    async with Connection(server.port) as connection:
        for _ in range(16):
            assert (await connection.ask())["data"]["paper"]["latestVersion"] == VERSIONS + 1
    assert time.monotonic() - start < 10
    await check_no_transaction_is_left(database)
    # A pooled connection more than before may be open, two or three files each; no socket is.
    deadline = time.monotonic() + 5
    while descriptors_of(server) > before + 40:
        assert time.monotonic() < deadline, descriptors_of(server)
        await asyncio.sleep(0.1)


def check_answers(seen: Seen) -> None:
    versions = {number + 1: revise(seed(), number) for number in range(VERSIONS + 1)}
    days = {day for day, *_ in seen.answers}
    allowed = {
        (
            day,
            with_day(record, day),
            version,
            tuple(i["observation_digest"] for i in record["outbound"]),
        )
        for day in days
        for version, record in versions.items()
    }
    assert set(seen.answers) <= allowed
    assert sum(seen.answers.values()) > CLIENTS
    states = {digest for _, digest, *_ in seen.answers}
    assert len(states) > 1, "nothing was imported while the clients asked"
