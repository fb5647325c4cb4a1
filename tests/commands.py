"""The commands as a person runs them: ``pith-graph`` in a process of its own."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.databases import Database

ROOT = Path(__file__).parents[1]

_INSTALLED = Path(sys.executable).with_name("pith-graph")
_STARTED = re.compile(r"Pith Graph on (http://\S+)/graphql")


@dataclass(frozen=True)
class Result:
    """What a command printed, and its exit code."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        """Standard output as text."""
        return self.out.decode()


def environment(database: Database | str | None, **settings: str) -> dict[str, str]:
    """Return the environment of a command: this one's without its settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PITH_")}
    if database is not None:
        url = database if isinstance(database, str) else database.text
        kept["PITH_DATABASE_URL"] = url
    return kept | settings | {"PYTHONPATH": str(ROOT)}


def command_line(*arguments: str) -> list[str]:
    """Return how a command is started: the installed program, else its module."""
    if _INSTALLED.exists():
        return [str(_INSTALLED), *arguments]
    start = "from pith_graph.cli.main import main; main()"
    return [sys.executable, "-c", start, *arguments]


def run(
    *arguments: str,
    database: Database | str | None = None,
    stdin: bytes = b"",
    cwd: Path | None = None,
    settings: Mapping[str, str] | None = None,
) -> Result:
    """Run a command to its end."""
    done = subprocess.run(
        command_line(*arguments),
        input=stdin,
        capture_output=True,
        env=environment(database, **(settings or {})),
        cwd=cwd,
        timeout=60,
        check=False,
    )
    return Result(done.returncode, done.stdout, done.stderr.decode())


class Server:
    """A ``pith-graph serve`` that runs.

    Attributes:
        base_url: Where it listens, without a slash at its end.
    """

    def __init__(self, process: subprocess.Popen[bytes], base_url: str, said: str) -> None:
        self._process = process
        self.base_url = base_url
        self._said = said

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.base_url.rsplit(":", 1)[1])

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """Send a signal, and return the exit code and all that was printed."""
        self._process.send_signal(number)
        rest, _ = self._process.communicate(timeout=20)
        return self._process.returncode, self._said + rest.decode()


@contextmanager
def served(database: Database, *arguments: str, **settings: str) -> Iterator[Server]:
    """Run ``pith-graph serve`` on a free port until the block ends."""
    process = subprocess.Popen(
        command_line("serve", "--port", "0", *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(database, **settings),
    )
    try:
        said = _read_until_started(process)
        match = _STARTED.search(said)
        assert match, said
        yield Server(process, match[1], said)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                raise
        elif process.stdout is not None:
            process.stdout.close()


def _read_until_started(process: subprocess.Popen[bytes]) -> str:
    assert process.stdout is not None
    said = b""
    deadline = time.monotonic() + 20
    while not _STARTED.search(said.decode()) or b"startup complete" not in said:
        assert time.monotonic() < deadline, said
        if select.select([process.stdout], [], [], 0.2)[0]:
            chunk = os.read(process.stdout.fileno(), 65_536)
            assert chunk, said
            said += chunk
    return said.decode()
