"""What one paper costs: the starter query and the record, as ratios to the bare driver.

All are measured in turns in one run, on the same rows of one SQLite file. The floor reads the same
rows with ``sqlite3``, builds plain dictionaries and encodes them with orjson: no SQLAlchemy, no
GraphQL, no HTTP. Run it with ``make bench``.
"""

from __future__ import annotations

import asyncio
import platform
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path

import orjson
from rich.console import Console
from rich.table import Table
from starlette.types import Message

from pith_graph.ingest.records import Ingest
from pith_graph.settings import Settings
from pith_graph.store.engine import create_write_engine, parse_database_url
from pith_graph.store.migrations import upgrade
from pith_graph.web.app import create_app
from pith_graph.web.pages import starter_query

SEED = Path(__file__).parent.parent / "seed" / "2509.00217.citation-record.json"
ROUNDS = 200

FLOOR = (
    "SELECT * FROM papers WHERE arxiv_id = '2509.00217'",
    """SELECT r.*, l.status, l.resolved_at, w.work_id, w.title, w.year, w.doi,
              p.arxiv_id AS cited_id, p.title AS cited_title
       FROM paper_references r
       LEFT JOIN paper_reference_links l ON l.reference_id = r.id
       LEFT JOIN cited_works w ON w.id = l.cited_work_id
       LEFT JOIN papers p ON p.id = r.cited_paper_id
       WHERE r.citing_paper_id = (SELECT id FROM papers WHERE arxiv_id = '2509.00217')
       ORDER BY r.reference_index LIMIT 100""",
    "SELECT source, cited_work_id, observed_at FROM retraction_status_cache",
    "SELECT * FROM scholarly_work_events",
)

Job = Callable[[], Awaitable[int]]


async def prepare(folder: str) -> str:
    """Make the database with the seed record; return its address."""
    address = f"sqlite+aiosqlite:///{folder}/bench.db"
    url = parse_database_url(address)
    await asyncio.to_thread(upgrade, url)
    engine = create_write_engine(url)
    await Ingest(engine, url, lambda: datetime.now(UTC)).run(str(SEED))
    await engine.dispose()
    return address


def floor_job(folder: str) -> Job:
    """Read the rows with the bare driver and encode them."""
    connection = sqlite3.connect(f"{folder}/bench.db")
    connection.row_factory = sqlite3.Row

    async def run() -> int:
        connection.execute("BEGIN")
        rows = [[dict(row) for row in connection.execute(statement)] for statement in FLOOR]
        connection.execute("COMMIT")
        return len(orjson.dumps(rows, default=bytes.hex))

    return run


def request_job(app: Callable[..., Awaitable[None]], method: str, path: str, body: bytes) -> Job:
    """Ask the application in this process, as a server would."""
    headers = [(b"content-type", b"application/json"), (b"accept", b"application/json")]

    async def run() -> int:
        received: list[int] = []
        waiting = asyncio.Event()
        messages = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def receive() -> Message:
            message = next(messages, None)
            if message is None:
                await waiting.wait()
            return message or {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message.get("status", HTTPStatus.OK) != HTTPStatus.OK:
                raise RuntimeError(f"{path} answered {message}")
            received.append(len(message.get("body", b"")))

        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": headers,
            "root_path": "",
            "scheme": "http",
            "server": ("127.0.0.1", 8000),
        }
        await app(scope, receive, send)
        return sum(received)

    return run


async def measure(jobs: dict[str, Job]) -> dict[str, tuple[float, int]]:
    """Run the jobs in turns; return each one's median seconds and its bytes."""
    times: dict[str, list[float]] = {name: [] for name in jobs}
    sizes: dict[str, int] = {}
    for _ in range(ROUNDS):
        for name, job in jobs.items():
            start = time.perf_counter()
            sizes[name] = await job()
            times[name].append(time.perf_counter() - start)
    return {name: (statistics.median(taken), sizes[name]) for name, taken in times.items()}


async def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(database_url=await prepare(folder)))
        query = orjson.dumps({"query": starter_query()})
        measured = await measure(
            {
                "floor: sqlite3 and orjson": floor_job(folder),
                "starter query": request_job(app, "POST", "/graphql", query),
                "record as JSON": request_job(
                    app, "GET", "/paper/2509.00217/citation-record.json", b""
                ),
            }
        )
        async with app.router.lifespan_context(app):
            pass
    floor = measured["floor: sqlite3 and orjson"][0]
    table = Table(title=f"one paper of 21 citations, median of {ROUNDS} rounds in turns")
    for heading in ("what", "ms", "times the floor", "bytes"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    for name, (seconds, size) in measured.items():
        table.add_row(name, f"{seconds * 1000:.2f}", f"{seconds / floor:.1f}", str(size))
    console = Console()
    console.print(table)
    console.print(f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}")


if __name__ == "__main__":
    asyncio.run(main())
