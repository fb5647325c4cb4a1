"""``pith-graph serve``: what it refuses, what it says, and how it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from pathlib import Path

import httpx2
import pytest

from tests.commands import command_line, environment, run, served
from tests.databases import KINDS, made_database
from tests.records import SEED_ID

QUERY = {"query": f'{{ paper(id: "{SEED_ID}") {{ arxivId }} }}'}


def ask(base_url: str) -> httpx2.Response:
    return httpx2.post(f"{base_url}/graphql", json=QUERY, timeout=10)


@pytest.mark.parametrize("kind", KINDS)
def test_a_database_without_the_schema_is_refused(kind, tmp_path):
    with made_database(kind, tmp_path, migrated=False) as database:
        if kind == "sqlite":
            Path(str(database.url.database)).touch()
        result = run("serve", "--port", "0", database=database)
    assert (result.code, result.out) == (2, b"")
    assert result.err.startswith("pith-graph: the database has no schema, this version needs ")
    assert result.err.endswith("run `pith-graph db upgrade`\n")


def test_a_missing_database_is_refused_and_not_made(tmp_path):
    result = run("serve", "--port", "0", database=f"sqlite+aiosqlite:///{tmp_path}/none.db")
    assert result.code == 2
    assert "run `pith-graph db upgrade` if it is new" in result.err
    assert list(tmp_path.iterdir()) == []


def test_it_serves_and_ends_cleanly_on_ctrl_c(held):
    with served(held) as server:
        assert ask(server.base_url).json()["data"] == {"paper": {"arxivId": SEED_ID}}
        assert httpx2.get(f"{server.base_url}/readyz").status_code == 200
        code, said = server.stop(signal.SIGINT)
    assert code in {0, 130}
    assert "Application shutdown complete" in said
    assert "Traceback" not in said
    assert "Aborted" not in said


def test_it_ends_cleanly_when_it_is_terminated(held):
    with served(held) as server:
        code, said = server.stop(signal.SIGTERM)
    assert code in {0, -signal.SIGTERM, 128 + signal.SIGTERM}
    assert "Application shutdown complete" in said
    assert "Traceback" not in said


def children_of(pid: int) -> set[int]:
    return {
        int(child)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for child in (task / "children").read_text().split()
    }


def test_two_workers_serve_and_both_end(held):
    with served(held, "--workers", "2") as server:
        for _ in range(10):
            assert ask(server.base_url).status_code == 200
        workers = children_of(server.pid)
        assert len(workers) >= 2
        code, said = server.stop(signal.SIGINT)
    assert code in {0, 130}
    assert "Traceback" not in said
    deadline = time.monotonic() + 5
    while any(map(is_alive, workers)):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_no_setting_and_no_query_is_logged(held):
    with served(held, PITH_LOG_LEVEL="debug") as server:
        httpx2.get(f"{server.base_url}/graphql", params={"query": '{ paper(id: "sesame") { id } }'})
        _, said = server.stop()
    assert "sesame" not in said
    if held.url.password:
        assert held.url.password not in said


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_port_that_is_taken_is_told_in_one_line_and_no_address_is_printed(held, workers):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        result = run("serve", "--port", str(port), "--workers", workers, database=held)
    assert (result.code, result.out) == (2, b"")
    assert result.err == (
        f"pith-graph: cannot listen on 127.0.0.1:{port}: address already in use; "
        "expected another --port or --host\n"
    )


def test_the_address_that_is_printed_answers_at_once(held):
    """Before the application has started: the connection waits in the socket."""
    process = subprocess.Popen(
        command_line("serve", "--port", "0"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(held),
    )
    try:
        assert process.stdout is not None
        said = process.stdout.readline().decode()
        base_url = said.removeprefix("Pith Graph on ").partition("/graphql")[0]
        assert ask(base_url).status_code == 200
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)


def test_every_address_of_a_name_is_served(held):
    with served(held, "--host", "localhost") as server:
        assert server.base_url.startswith("http://localhost:")
        found = socket.getaddrinfo("localhost", server.port, type=socket.SOCK_STREAM)
        for family, _, _, _, address in found:
            with socket.socket(family) as client:
                client.connect(address)


@pytest.mark.parametrize("arguments", [["--port", "70000"], ["--workers", "0"], ["--port", "x"]])
def test_a_number_that_cannot_be_is_refused(arguments):
    result = run("serve", *arguments)
    assert result.code == 2
    assert "Invalid value" in result.err
