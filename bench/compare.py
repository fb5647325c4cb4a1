"""This server against the floor, graphql-core and other servers, on the same rows: ``make bench``.

Each server is a process of its own; they are asked in turns, one request at a time, then each under
load. A missed target is printed and ends nothing; answers that differ end the run.
"""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import orjson
from sqlalchemy.engine import URL

from bench import queries
from bench.alone import measure_alone
from bench.client import Client
from bench.cluster import cluster
from bench.driving import CONNECTIONS, Load, drive
from bench.machine import describe_machine, describe_versions
from bench.measuring import Asked, median_latencies
from bench.prepared import cited_papers, citing_papers, prepare_postgresql, prepare_sqlite
from bench.processes import Server, serve_datasette, serve_floor, serve_pith, serve_postgraphile
from bench.queries import Body, Subject, by_id, by_key, by_words
from bench.report import print_checks, write_section
from bench.runs import Run
from bench.shape import Shape
from pith_graph.store.engine import SQLITE

PITH, CORE, FLOOR = "Pith Graph", "graphql-core", "floor"
POSTGRAPHILE, DATASETTE = "PostGraphile", "datasette-graphql"
_COMPARED = 10
_SHORT, _MEDIUM, _LONG = 5.0, 10.0, 30.0


@dataclass(frozen=True, slots=True)
class Hops:
    """A server, and how it is asked for one hop and for two."""

    server: Server
    one: Body
    two: Body


def main() -> None:
    """Prepare both databases, measure, print and write the results."""
    options = _parse()
    shape = Shape(options.citations, options.seed)
    run = Run.open(options.folder, varied=options.varied, pace=options.pace)
    with cluster(run.folder) as server:
        print(f"Loading {shape.citations:,} citations into both databases …", flush=True)
        file = prepare_sqlite(run.folder, shape)
        papers = citing_papers(file, shape.seed), cited_papers(file, shape.seed)
        for url in (prepare_postgresql(server, shape), file):
            _compare(run, url, *papers)
            measure_alone(run, url, papers[0])
        notes = [describe_machine(), describe_versions(server)]
    notes.append(
        f"about {shape.citations:,} citations of {shape.papers:,} papers, graph {shape.seed}"
    )
    print_checks(run.results)
    write_section("bench", "Latency on the same rows", run.results, notes)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--citations", type=int, default=264_000, help="about how many")
    parser.add_argument("--seed", type=int, default=1, help="another seed is another graph")
    parser.add_argument("--varied", type=int, default=5_000, help="queries for memory")
    parser.add_argument("--pace", type=float, default=1.0, help="0.2 is quick and rough")
    parser.add_argument("--folder", type=Path, default=Path("build/bench"))
    return parser.parse_args()


def _compare(run: Run, url: URL, citing: list[Subject], cited: list[Subject]) -> None:
    """Measure all servers of one database."""
    with ExitStack() as stack:
        ours = {
            PITH: stack.enter_context(serve_pith(url, run.log)),
            CORE: stack.enter_context(serve_pith(url, run.log, compiled=False)),
        }
        floor = stack.enter_context(serve_floor(url, run.log))
        for query in (queries.ONE_HOP, queries.TWO_HOPS):
            require_same_data([*ours.values(), floor], query, citing[:_COMPARED])
        hops = {
            name: Hops(server, by_id(queries.ONE_HOP), by_id(queries.TWO_HOPS))
            for name, server in {FLOOR: floor, **ours}.items()
        }
        if url.drivername == SQLITE:
            datasette = stack.enter_context(serve_datasette(str(url.database), run.log))
            _measure_leaves(run, ours[PITH], datasette, citing)
        else:
            peer = stack.enter_context(serve_postgraphile(url, run.log))
            bodies = by_id(queries.PG_ONE_HOP), by_id(queries.PG_TWO_HOPS)
            hops[POSTGRAPHILE] = Hops(peer, *bodies)
        _measure_hops(run, url, citing, hops)
        _measure_pages(run, url, cited, ours)


def require_same_data(servers: list[Server], query: str, subjects: list[Subject]) -> None:
    """Require that all servers answer a query with the same bytes of data, and no errors.

    Raises:
        RuntimeError: An answer differs, or has errors.
    """
    for subject in subjects:
        said = []
        for server in servers:
            with Client(server.port) as client:
                answer = orjson.loads(client.post(by_id(query)(subject)))
            if answer.get("errors"):
                raise RuntimeError(f"paper {subject.arxiv_id}: {str(answer['errors'])[:500]}")
            said.append(orjson.dumps(answer["data"]))
        if len(set(said)) != 1:
            raise RuntimeError(f"the servers' answers about {subject.arxiv_id} are not the same")


def _measure_hops(run: Run, url: URL, subjects: list[Subject], asked: dict[str, Hops]) -> None:
    """Measure one hop and two hops in turns, and requests per second by one hop."""
    database, results = run.name(url), run.results
    ones = {name: Asked(hops.server, hops.one) for name, hops in asked.items()}
    found = median_latencies(ones, subjects, seconds=_MEDIUM * run.pace)
    results.add_latencies("one hop", database, found)
    _check_hops(run, database, "one hop", found, least=(8, 1.5))
    ratio = found[PITH] / found[FLOOR]
    results.check_most(f"one hop: latency by the {FLOOR}'s", database, ratio, 1.6)
    twos = {name: Asked(hops.server, hops.two) for name, hops in asked.items()}
    found = median_latencies(twos, subjects, seconds=_LONG * run.pace)
    results.add_latencies("two hops", database, found)
    _check_hops(run, database, "two hops", found, least=(15, 3))
    _measure_rates(run, database, subjects, asked)


def _measure_rates(
    run: Run, database: str, subjects: list[Subject], asked: dict[str, Hops]
) -> None:
    """Measure requests per second by one hop, each server twice, there and back."""
    loads: dict[str, list[Load]] = {name: [] for name in asked}
    for name in [*asked, *reversed(asked)]:
        bodies = [asked[name].one(subject) for subject in subjects]
        port = asked[name].server.port
        loads[name].append(drive(port, bodies, seconds=run.seconds(_SHORT / 2)))
    rates = {}
    for name, (there, back) in loads.items():
        rates[name] = (there.rate + back.rate) / 2
        said = f"{name} {rates[name]:.0f} a second, {there.failed + back.failed} failed, "
        said += f"the driver took {max(there.driver, back.driver):.2f} of a core"
        run.results.add(f"one hop at {CONNECTIONS} connections", database, said)
    if POSTGRAPHILE in rates:
        what = f"one hop: requests by those of {POSTGRAPHILE}"
        ratio = rates[PITH] / rates[POSTGRAPHILE]
        run.results.check_least(what, database, ratio, 1.5)


def _check_hops(
    run: Run, database: str, what: str, found: dict[str, float], *, least: tuple[float, float]
) -> None:
    """Compare with graphql-core and PostGraphile, how many times faster this server is at least."""
    for name, bound in zip((CORE, POSTGRAPHILE), least, strict=True):
        if name in found:
            ratio = found[name] / found[PITH]
            run.results.check_least(f"{what}: times faster than {name}", database, ratio, bound)


def _measure_leaves(run: Run, own: Server, datasette: Server, subjects: list[Subject]) -> None:
    found = median_latencies(
        {
            PITH: Asked(own, by_id(queries.LEAVES)),
            DATASETTE: Asked(datasette, by_key(queries.DATASETTE_LEAVES)),
        },
        subjects,
        seconds=_MEDIUM * run.pace,
    )
    run.results.add_latencies("leaf fields of 100 citations", "SQLite", found)
    ratio = found[DATASETTE] / found[PITH]
    run.results.check_least(f"leaves: times faster than {DATASETTE}", "SQLite", ratio, 8)


def _measure_pages(run: Run, url: URL, subjects: list[Subject], ours: dict[str, Server]) -> None:
    for what, body in (
        ("inbound page", by_id(queries.INBOUND)),
        ("search", by_words(queries.SEARCH)),
    ):
        asked = {name: Asked(server, body) for name, server in ours.items()}
        found = median_latencies(asked, subjects, seconds=_SHORT * run.pace)
        run.results.add_latencies(what, run.name(url), found)


if __name__ == "__main__":
    main()
