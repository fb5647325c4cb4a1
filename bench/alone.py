"""What this server does by itself: its start, its memory, two workers, its bytes on disk."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from sqlalchemy.engine import URL

from bench import queries
from bench.client import Client
from bench.driving import drive
from bench.processes import Server, serve_pith
from bench.queries import Subject, by_id
from bench.runs import Run
from bench.sizes import bytes_a_citation

_STARTS = 3
_FIRST_VARIED = 1000
_SECONDS = 5.0
_BYTES = {"SQLite": 300, "PostgreSQL": 400}
_MANY = 32
"""Connections that two workers share about evenly, whichever accepts first."""

_LITTLE = 0.1
"""The part of a core below which the driver leaves the workers room."""


def measure_alone(run: Run, url: URL, subjects: Sequence[Subject]) -> None:
    """Measure one database's server without others beside it."""
    database, results = run.name(url), run.results
    starts = []
    for _ in range(_STARTS):
        with serve_pith(url, run.log) as server:
            starts.append(server.started_in)
    start = statistics.median(starts)
    results.add("start to first answer", database, f"{start:.2f} s")
    results.check_most("start to first answer, seconds", database, start, 2.5)
    _measure_workers(run, url, subjects)
    with serve_pith(url, run.log) as server:
        _measure_memory(run, database, server, subjects)
    size = bytes_a_citation(url)
    results.add("on disk", database, f"{size:.0f} bytes a citation")
    results.check_most("bytes a citation", database, size, _BYTES[database])


def _measure_workers(run: Run, url: URL, subjects: Sequence[Subject]) -> None:
    bodies = [by_id(queries.ONE_HOP)(subject) for subject in subjects]
    loads = []
    for workers in (1, 2):
        with serve_pith(url, run.log, workers=workers) as server:
            drive(server.port, bodies, seconds=1, connections=_MANY)
            seconds = run.seconds(_SECONDS)
            loads.append(drive(server.port, bodies, seconds=seconds, connections=_MANY))
    one, two = loads
    database = run.name(url)
    said = f"{one.rate:.0f} and {two.rate:.0f} a second, {two.failed} failed, "
    said += f"the driver took {two.driver:.2f} of a core"
    run.results.add("one hop by one and by two workers", database, said)
    room = "" if two.driver < _LITTLE else " (a busy driver)"
    ratio = two.rate / one.rate
    run.results.check_least(f"two workers by one{room}", database, ratio, 1.5)


def _measure_memory(run: Run, database: str, server: Server, subjects: Sequence[Subject]) -> None:
    """Ask queries no two of which are the same text, and look at what the server holds."""
    held = []
    with Client(server.port) as client:
        for number in range(max(run.varied, _FIRST_VARIED)):
            client.post(varied_query(number, subjects[number % len(subjects)]))
            if number + 1 in {_FIRST_VARIED, run.varied}:
                held.append(server.resident())
    megabytes = " and ".join(f"{size / 1e6:.0f} MB" for size in held)
    what = f"memory after {_FIRST_VARIED:,} and {run.varied:,} varied queries"
    run.results.add(what, database, megabytes)
    run.results.check_most(what, database, held[-1] / held[0], 1.2)


def varied_query(number: int, subject: Subject) -> bytes:
    """Return a query that no other number makes, neither in its text nor in its shape."""
    fields = ("title", "arxivId", "latestVersion", "submittedAt", "primaryCategory", "doi")
    chosen = " ".join(
        f"a{place}: {name}" for place, name in enumerate(fields) if number >> place & 1
    )
    return by_id(
        f"query Q{number}($id: String!) {{ p{number}: paper(id: $id) {{ arxivId {chosen} "
        f"outbound(first: {number % 20 + 1}) {{ edges {{ node {{ n{number}: referenceIndex }} }} "
        "} } }"
    )(subject)
