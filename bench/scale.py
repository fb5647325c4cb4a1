"""How latency grows with the graph: a small one against a large one, ``make bench-scale``.

On each database one server of each graph is asked in turns. What is asked was read before, so that
the figures are of indexes and plans, not of a cold disk.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from sqlalchemy.engine import URL

from bench import queries
from bench.cluster import cluster
from bench.machine import describe_machine, describe_versions
from bench.measuring import Asked, median_latencies, visit
from bench.prepared import (
    cited_papers,
    citing_papers,
    hub,
    prepare_postgresql,
    prepare_sqlite,
)
from bench.processes import Server, serve_pith
from bench.queries import by_id, by_nothing, by_words
from bench.report import print_checks, write_section
from bench.runs import Run
from bench.shape import Shape
from bench.sizes import bytes_a_citation

_SECONDS = 8.0
_GROWTH, _HUB = 1.3, 2.0
_BYTES = {"SQLite": 300, "PostgreSQL": 400}


def main() -> None:
    """Prepare four databases, measure, print and write the results."""
    options = _parse()
    shapes = [Shape(size, options.seed) for size in (options.small, options.large)]
    run = Run.open(options.folder, pace=options.pace)
    with cluster(run.folder) as server:
        files = [_announced(run, prepare_sqlite(run.folder, shape), shape) for shape in shapes]
        bases = [_announced(run, prepare_postgresql(server, shape), shape) for shape in shapes]
        for urls in (bases, files):
            _measure(run, urls, files, shapes)
        notes = [describe_machine(), describe_versions(server)]
    notes.append(f"graph {options.seed}, with about " + " and ".join(_names(shapes)))
    print_checks(run.results)
    write_section("bench-scale", "Latency as the graph grows", run.results, notes)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", type=int, default=100_000, help="citations of one graph")
    parser.add_argument("--large", type=int, default=10_000_000, help="citations of the other")
    parser.add_argument("--seed", type=int, default=1, help="another seed is another graph")
    parser.add_argument("--pace", type=float, default=1.0, help="0.2 is quick and rough")
    parser.add_argument("--folder", type=Path, default=Path("build/bench"))
    return parser.parse_args()


def _announced(run: Run, url: URL, shape: Shape) -> URL:
    print(f"  {run.name(url):<10}  {shape.citations:,} citations are ready", flush=True)
    return url


def _names(shapes: list[Shape]) -> list[str]:
    return [f"{shape.citations:,} citations" for shape in shapes]


def _measure(run: Run, urls: list[URL], files: list[URL], shapes: list[Shape]) -> None:
    """Measure both graphs of one database; ``files`` says which papers to ask about."""
    database = run.name(urls[0])
    with serve_pith(urls[0], run.log) as small, serve_pith(urls[1], run.log) as large:
        servers = dict(zip(files, (small, large), strict=True))
        _measure_growth(run, database, servers)
        _measure_frequent(run, database, servers)
        _measure_hub(run, database, large, files[1])
    for url, name in zip(urls, _names(shapes), strict=True):
        size = bytes_a_citation(url)
        run.results.add(f"on disk, {name}", database, f"{size:.0f} bytes a citation")
        what = f"bytes a citation, {name}"
        run.results.check_most(what, database, size, _BYTES[database])


def _measure_growth(run: Run, database: str, servers: dict[URL, Server]) -> None:
    for what, body, choose in (
        ("one hop", by_id(queries.ONE_HOP), citing_papers),
        ("inbound page", by_id(queries.INBOUND), cited_papers),
        ("search", by_words(queries.SEARCH), cited_papers),
    ):
        asked = {
            name: Asked(server, body, choose(file, 1))
            for name, (file, server) in zip(("small", "large"), servers.items(), strict=True)
        }
        visit(asked)
        found = median_latencies(asked, [], seconds=_SECONDS * run.pace)
        run.results.add_latencies(what, database, found)
        ratio = found["large"] / found["small"]
        run.results.check_most(f"{what}: large by small graph", database, ratio, _GROWTH)


def _measure_frequent(run: Run, database: str, servers: dict[URL, Server]) -> None:
    """Search for a word of many titles: the hits grow with the graph, and have no target."""
    asked = {
        name: Asked(server, by_nothing(queries.FREQUENT), [hub(file)])
        for name, (file, server) in zip(("small", "large"), servers.items(), strict=True)
    }
    found = median_latencies(asked, [], seconds=run.pace)
    run.results.add_latencies("search for a frequent word", database, found)


def _measure_hub(run: Run, database: str, server: Server, file: URL) -> None:
    """Compare the hub's first and last page and its total with an ordinary page."""
    ordinary, many = cited_papers(file, 1), [hub(file)]
    total = by_id(queries.INBOUND_TOTAL)
    asked = {
        "ordinary page": Asked(server, by_id(queries.INBOUND), ordinary),
        "first page of the hub": Asked(server, by_id(queries.INBOUND), many),
        "last page of the hub": Asked(server, by_id(queries.INBOUND_LAST), many),
        "an ordinary total": Asked(server, total, ordinary),
        "total of the hub": Asked(server, total, many),
    }
    found = median_latencies(asked, [], seconds=_SECONDS * run.pace)
    run.results.add_latencies("inbound citations", database, found)
    for name in ("first page of the hub", "last page of the hub"):
        ratio = found[name] / found["ordinary page"]
        run.results.check_most(f"{name} by an ordinary one", database, ratio, _HUB)
    ratio = found["total of the hub"] / found["an ordinary total"]
    run.results.check_most("total of the hub by an ordinary one", database, ratio, _HUB)


if __name__ == "__main__":
    main()
