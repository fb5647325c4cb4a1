"""The floor: the bare driver, the same rows, orjson, the same Starlette and uvicorn; no GraphQL.

It answers the one-hop and two-hop queries alone, byte for byte what the server says in ``data``,
and reads no more than that takes. ``processes`` runs it: ``python -m bench.floor URL PORT``.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import asyncpg
import orjson
import uvicorn
from sqlalchemy.engine import make_url
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bench.loading import driver_address
from pith_graph.settings import Settings
from pith_graph.store.engine import SQLITE, parse_database_url
from pith_graph.vocabulary import EventKind, ResolutionStatus, ResolverSource, StandingSource

Row = Sequence[Any]
Fetch = Callable[[str, Any], Awaitable[list[Any]]]
"""Run a statement with one parameter."""

_POOL = 8
# Planning anew for every parameter costs half a millisecond a page, and finds the same plan.
_SETTINGS = {"jit": "off", "plan_cache_mode": "force_generic_plan"}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_STATUS = {member.code: member.name for member in ResolutionStatus}
_RESOLVER = {member.code: member.name for member in ResolverSource} | {None: None}
_KIND = {member.code: member.name for member in EventKind}
_SOURCE = {member.code: member.name for member in StandingSource}
_BY_NAME = {member.name: member.value for member in StandingSource}

_ENTRY = """e.reference_index, e.observation_id, e.source_observed_at,
    l.status, l.resolver_source, l.resolved_at, p.id, p.arxiv_id, p.title,
    w.id, w.work_id, w.title, w.year, w.doi"""
_EDGES = """LEFT JOIN paper_reference_links l ON l.reference_id = e.id
    LEFT JOIN cited_works w ON w.id = l.cited_work_id
    LEFT JOIN papers p ON p.id = e.cited_paper_id AND p.observed_at IS NOT NULL"""
_LIST = "ORDER BY reference_index, sub_index, id LIMIT 100"
_EVENTS = "SELECT cited_work_id, kind, notice_doi, occurred_on FROM scholarly_work_events"
_RECEIPTS = "SELECT cited_work_id, source, observed_at FROM retraction_status_cache"
_WHOLE = f"{_RECEIPTS} WHERE cited_work_id IS NULL AND paper_id IS NULL"

_POSTGRESQL = {
    "paper": "SELECT id, arxiv_id, title FROM papers"
    " WHERE arxiv_id = $1 AND observed_at IS NOT NULL",
    "entries": f"""SELECT parent.key, {_ENTRY} FROM unnest($1::bigint[]) parent (key)
        CROSS JOIN LATERAL (
            SELECT * FROM paper_references WHERE citing_paper_id = parent.key {_LIST}
        ) e {_EDGES} ORDER BY parent.key, e.reference_index, e.sub_index, e.id""",  # noqa: S608  # our own names
    "events": f"{_EVENTS} WHERE cited_work_id = ANY($1::bigint[]) ORDER BY observed_at, id",
    "receipts": f"{_RECEIPTS} WHERE cited_work_id = ANY($1::bigint[])"
    f" UNION ALL {_WHOLE} ORDER BY observed_at",
}
_KEYS = "(SELECT value FROM json_each(?))"
_SQLITE = {
    "paper": "SELECT id, arxiv_id, title FROM papers"
    " WHERE arxiv_id = ? AND observed_at IS NOT NULL",
    "entries": f"""SELECT e.citing_paper_id, {_ENTRY} FROM (
            SELECT * FROM paper_references WHERE citing_paper_id = ? {_LIST}
        ) e {_EDGES} ORDER BY e.reference_index, e.sub_index, e.id""",  # noqa: S608  # our own names
    "events": f"{_EVENTS} WHERE cited_work_id IN {_KEYS} ORDER BY observed_at, id",
    "receipts": f"{_RECEIPTS} WHERE cited_work_id IN {_KEYS}"
    f" UNION ALL {_WHOLE} ORDER BY observed_at",
}


async def answer(fetch: Fetch, arxiv_id: str, *, hops: int) -> dict[str, Any]:
    """Return the data of the one-hop or two-hop query about a paper."""
    found = await fetch("paper", arxiv_id)
    if not found:
        return {"paper": None}
    key, name, title = found[0]
    levels = [await fetch("entries", [key])]
    if hops > 1:
        levels.append(await fetch("entries", sorted({row[7] for row in levels[0]} - {None})))
    works = sorted({row[10] for rows in levels for row in rows} - {None})
    events, receipts = await fetch("events", works), await fetch("receipts", works)
    notices = _notices(works, events, receipts)
    below: dict[int, Any] = {}
    for rows in reversed(levels):
        lists: dict[int, list[Any]] = {}
        for row in rows:
            lists.setdefault(row[0], []).append({"node": _entry(row, notices, below)})
        last = rows is levels[-1] and hops > 1
        below = {parent: {"edges": edges} for parent, edges in lists.items()}
        if last:
            below |= {row[7]: {"edges": []} for row in levels[0] if row[7] not in below}
    outbound = below.get(key, {"edges": []})
    return {"paper": {"arxivId": name, "title": title, "outbound": outbound}}


def _entry(row: Row, notices: dict[Any, Any], below: dict[int, Any]) -> dict[str, Any]:
    _, place, observation_id, at, status, resolver, resolved_at, paper, arxiv_id, title = row[:10]
    work, work_id, work_title, year, doi = row[10:]
    resolution = {"status": "UNRESOLVED", "resolverSource": None, "observedAt": at}
    if status is not None:
        resolution = {
            "status": _STATUS[status],
            "resolverSource": _RESOLVER[resolver],
            "observedAt": resolved_at,
        }
    cited_paper = None if paper is None else {"arxivId": arxiv_id, "title": title}
    if cited_paper is not None and paper in below:
        cited_paper["outbound"] = below[paper]
    return {
        "referenceIndex": place,
        "observationId": observation_id,
        "sourceObservedAt": at,
        "resolution": resolution,
        "citedWork": None
        if work is None
        else {"workId": work_id, "title": work_title, "year": year, "doi": doi},
        "standingNotice": notices[work],
        "citedPaper": cited_paper,
    }


def _notices(works: Sequence[int], events: list[Row], receipts: list[Row]) -> dict[Any, Any]:
    """Build the notice of each work, and under None that of an entry without one."""
    said: dict[Any, list[Any]] = {}
    for work, kind, notice, on in events:
        said.setdefault(work, []).append(
            {"kind": _KIND[kind], "noticeDoi": notice, "occurredOn": on}
        )
    asked: dict[Any, dict[str, Any]] = {}
    for work, source, at in receipts:
        asked.setdefault(work, {})[_SOURCE[source]] = at
    whole = asked.get(None, {})
    notices: dict[Any, Any] = {
        None: _notice("UNAVAILABLE", "CANONICAL_WORK_LINK_UNAVAILABLE", [], {})
    }
    for work in works:
        own = asked.get(work)
        newest = whole if own is None else _newest(whole, own)
        if newest or work in said:
            notices[work] = _notice("MEASURED", None, said.get(work, []), newest)
        else:
            notices[work] = _notice("UNAVAILABLE", "STANDING_SOURCE_NOT_LOADED", [], {})
    return notices


def _newest(whole: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    both = dict(whole)
    for name, at in own.items():
        both[name] = max(at, both.get(name, at))
    return both


def _notice(
    state: str, reason: str | None, events: list[Any], receipts: dict[str, Any]
) -> dict[str, Any]:
    return {
        "state": state,
        "reason": reason,
        "checkedAt": max(receipts.values(), default=None),
        "events": events,
        "sourceReceipts": [
            {"source": name, "observedAt": receipts[name]}
            for name in sorted(receipts, key=_BY_NAME.__getitem__)
        ],
    }


def create_app(address: str) -> Starlette:
    """Build the application over a database."""
    opened: list[Fetch] = []

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        open_fetch = _open_sqlite if make_url(address).drivername == SQLITE else _open_postgresql
        async with open_fetch(address) as fetch:
            opened.append(fetch)
            yield

    async def graphql(request: Request) -> Response:
        asked = orjson.loads(await request.body())
        hops = 2 if "TwoHops" in asked["query"] else 1
        data = await answer(opened[0], asked["variables"]["id"], hops=hops)
        body = orjson.dumps({"data": data}, default=_plain, option=orjson.OPT_UTC_Z)
        return Response(body, media_type="application/json")

    return Starlette(routes=[Route("/graphql", graphql, methods=["POST"])], lifespan=lifespan)


def _plain(value: Any) -> str:
    return str(value)


@asynccontextmanager
async def _open_postgresql(address: str) -> AsyncIterator[Fetch]:
    url = driver_address(parse_database_url(address))
    free: asyncio.LifoQueue[Any] = asyncio.LifoQueue()
    for _ in range(_POOL):
        free.put_nowait(await asyncpg.connect(url, server_settings=_SETTINGS))

    async def fetch(name: str, parameter: Any) -> list[Any]:
        connection = await free.get()
        try:
            rows: list[Any] = await connection.fetch(_POSTGRESQL[name], parameter)
            return rows
        finally:
            free.put_nowait(connection)

    yield fetch
    for _ in range(_POOL):
        await (await free.get()).close()


@asynccontextmanager
async def _open_sqlite(address: str) -> AsyncIterator[Fetch]:
    file = make_url(address).database
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True, isolation_level=None)
    connection.execute("PRAGMA cache_size = -32768")

    async def fetch(name: str, parameter: Any) -> list[Any]:
        await asyncio.sleep(0)
        statement = _SQLITE[name]
        if name == "entries":
            rows = [row for key in parameter for row in connection.execute(statement, (key,))]
            return [(*row[:2], UUID(bytes=row[2]), *_dated(row)) for row in rows]
        if name in {"events", "receipts"}:
            parameter = orjson.dumps(parameter).decode()
        found = connection.execute(statement, (parameter,)).fetchall()
        if name == "receipts":
            return [(work, source, _instant(at)) for work, source, at in found]
        return found

    yield fetch
    connection.close()


def _dated(row: Row) -> tuple[Any, ...]:
    """Return an entry's values after its observation id, its times and ids read."""
    _, _, _, at, status, resolver, resolved_at, paper, arxiv_id, title, work, work_id, *rest = row
    linked_at = None if resolved_at is None else _instant(resolved_at)
    public_id = None if work_id is None else UUID(bytes=work_id)
    link = (_instant(at), status, resolver, linked_at)
    return (*link, paper, arxiv_id, title, work, public_id, *rest)


def _instant(microseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=microseconds)


if __name__ == "__main__":
    uvicorn.run(
        partial(create_app, sys.argv[1]),
        factory=True,
        host="127.0.0.1",
        port=int(sys.argv[2]),
        log_level=Settings().log_level,
        access_log=False,
        server_header=False,
        ws="none",
    )
