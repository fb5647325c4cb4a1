"""Requests per second under load, by ``wrk``, with the processor time that it takes itself."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

CONNECTIONS = 8
_SCRIPT = Path(__file__).parent / "requests.lua"


@dataclass(frozen=True, slots=True)
class Load:
    """What a server did under load.

    Attributes:
        rate: Requests answered a second.
        driver: The part of one core that the driver took.
        failed: Requests that failed.
    """

    rate: float
    driver: float
    failed: int


def drive(
    port: int, bodies: Sequence[bytes], *, seconds: int, connections: int = CONNECTIONS
) -> Load:
    """Send request bodies in turn over some connections.

    Raises:
        RuntimeError: There is no ``wrk``, or it did not end well.
    """
    program = shutil.which("wrk")
    if program is None:
        raise RuntimeError("the load driver wrk is missing: expected Debian's package wrk")
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(b"\n".join(bodies) + b"\n")
        file.flush()
        before, start = _children_seconds(), time.monotonic()
        ended = subprocess.run(  # noqa: S603  # Debian's program, on our own script
            [program, *_options(seconds, connections), f"http://127.0.0.1:{port}"],
            env=os.environ | {"BENCH_BODIES": file.name},
            capture_output=True,
            text=True,
            check=False,
        )
        taken, lasted = _children_seconds() - before, time.monotonic() - start
    found = [line.split() for line in ended.stdout.splitlines() if line.startswith("RESULT ")]
    if ended.returncode or not found:
        raise RuntimeError(f"wrk failed: {ended.stderr[-500:]}{ended.stdout[-500:]}")
    requests, microseconds, failed = (int(part) for part in found[0][1:])
    return Load((requests - failed) * 1e6 / microseconds, taken / lasted, failed)


def _options(seconds: int, connections: int) -> list[str]:
    return ["-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "60s", "-s", str(_SCRIPT)]


def _children_seconds() -> float:
    """Return the processor time of ended children: servers that run on do not count."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
