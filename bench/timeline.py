"""Where the time of one request goes, stage by stage: ``python -m bench.timeline``.

The application runs in this process, without HTTP, and is asked one thing many times, hot. Each
stage is what its functions took in the fastest tenth of the requests. It writes a section of the
results: what to look at next.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import asyncpg
import uvloop
from sqlalchemy.engine import URL
from starlette.types import Message, Scope

from bench import queries
from bench.cluster import cluster
from bench.prepared import citing_papers, prepare_postgresql, prepare_sqlite
from bench.report import write_section
from bench.runs import Run
from bench.shape import Shape
from pith_graph.gql.execution import plan as compiled_plan
from pith_graph.gql.service import GraphQLService
from pith_graph.read import pages
from pith_graph.settings import Settings
from pith_graph.store.reading import ReadConnection
from pith_graph.web.app import create_app
from pith_graph.web.endpoint import GraphQLEndpoint

_REQUESTS = 600
_DATABASE, _ROWS, _OBJECTS = "database and driver", "rows of the page", "objects of the answer"
_ENCODE, _EXECUTE, _ALL = "encoding", "execution", "all"

Clock = dict[str, float]
Wrap = Callable[[Clock, str, Callable[..., Any]], Callable[..., Any]]


@contextmanager
def _clocked(spent: Clock) -> Iterator[None]:
    """Note what the functions of each stage take."""
    stages: list[tuple[Any, str, str, Wrap]] = [
        (ReadConnection, "fetch_at_once", _DATABASE, _timed),
        (ReadConnection, "fetch_apart", _DATABASE, _awaited),
        (asyncpg.Connection, "fetch", _DATABASE, _awaited),
        (asyncpg.Connection, "execute", _DATABASE, _awaited),
        (GraphQLEndpoint, "_encode", _ENCODE, _timed),
        (GraphQLService, "execute", _EXECUTE, _awaited),
        (pages, "citation_reading", _ROWS, _reading),
        (compiled_plan, "make_build", _OBJECTS, _building),
    ]
    with ExitStack() as stack:
        for owner, name, stage, wrap in stages:
            wrapped = wrap(spent, stage, getattr(owner, name))
            stack.enter_context(mock.patch.object(owner, name, wrapped))
        yield


def _timed(spent: Clock, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def run(*given: Any, **named: Any) -> Any:
        started = time.perf_counter()
        try:
            return function(*given, **named)
        finally:
            spent[stage] = spent.get(stage, 0.0) + time.perf_counter() - started

    return run


def _awaited(spent: Clock, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
    async def run(*given: Any, **named: Any) -> Any:
        started = time.perf_counter()
        try:
            return await function(*given, **named)
        finally:
            spent[stage] = spent.get(stage, 0.0) + time.perf_counter() - started

    return run


def _building(spent: Clock, stage: str, make: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: _timed(spent, stage, make(*given))


def _reading(spent: Clock, stage: str, make: Callable[..., Any]) -> Callable[..., Any]:
    def made(*given: Any, **named: Any) -> Any:
        reading = make(*given, **named)
        return type(reading)(reading.columns, _timed(spent, stage, reading.build))

    return made


async def measure(url: URL, body: bytes) -> dict[str, float]:
    """Return the seconds of each stage of a request, hot."""
    spent: Clock = {}
    taken: list[Clock] = []
    pages._page_reading.cache_clear()  # noqa: SLF001  # or what was made before would not be clocked
    with _clocked(spent):
        app = create_app(Settings(database_url=url.render_as_string(hide_password=False)))
        async with app.router.lifespan_context(app):
            gc.collect()
            gc.freeze()
            for _ in range(_REQUESTS):
                spent.clear()
                started = time.perf_counter()
                await _ask(app, body)
                spent[_ALL] = time.perf_counter() - started
                taken.append(dict(spent))
            gc.unfreeze()
    taken.sort(key=lambda one: one[_ALL])
    fastest = taken[: _REQUESTS // 10]
    return {stage: statistics.median(one[stage] for one in fastest) for stage in fastest[0]}


async def _ask(app: Callable[..., Any], body: bytes) -> None:
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if messages:
            return messages.pop()
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        if message.get("status", 200) != 200:  # noqa: PLR2004
            raise RuntimeError(f"the answer has status {message['status']}")

    headers = [(b"content-type", b"application/json"), (b"accept", b"application/json")]
    scope: Scope = {
        "type": "http",
        "method": "POST",
        "path": "/graphql",
        "raw_path": b"/graphql",
        "query_string": b"",
        "headers": headers,
        "root_path": "",
        "scheme": "http",
        "server": ("127.0.0.1", 1),
    }
    await app(scope, receive, send)


def main() -> None:
    """Measure both databases and both queries, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--citations", type=int, default=264_000, help="about how many")
    parser.add_argument("--seed", type=int, default=1, help="another seed is another graph")
    parser.add_argument("--folder", type=Path, default=Path("build/bench"))
    options = parser.parse_args()
    run, shape = Run.open(options.folder), Shape(options.citations, options.seed)
    with cluster(run.folder) as server:
        file = prepare_sqlite(run.folder, shape)
        subject = citing_papers(file, shape.seed)[0]
        for url in (file, prepare_postgresql(server, shape)):
            for name, query in (("one hop", queries.ONE_HOP), ("two hops", queries.TWO_HOPS)):
                stages = uvloop.run(measure(url, queries.by_id(query)(subject)))
                _note(run, url, name, stages)
    write_section(
        "timeline", "Where the time of one request goes, hot, without HTTP", run.results, []
    )


def _note(run: Run, url: URL, name: str, stages: dict[str, float]) -> None:
    stages = dict(stages)
    total, execution = stages.pop(_ALL), stages.pop(_EXECUTE)
    inner = stages[_DATABASE] + stages[_ROWS] + stages[_OBJECTS]
    shown = {
        **{stage: stages[stage] for stage in (_DATABASE, _ROWS, _OBJECTS)},
        "levels, loaders and the rest of execution": execution - inner,
        _ENCODE: stages[_ENCODE],
        "request and response": total - execution - stages[_ENCODE],
    }
    said = ", ".join(f"{stage} {seconds * 1e3:.2f}" for stage, seconds in shown.items())
    run.results.add(name, run.name(url), f"{total * 1e3:.2f} ms: {said}")
    run.results.bars[f"{name}, {run.name(url)}"] = {k: v * 1e3 for k, v in shown.items()}


if __name__ == "__main__":
    main()
