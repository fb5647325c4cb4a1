"""The floor says byte for byte what the server says, so that comparing them is fair."""

from __future__ import annotations

import asyncio

import httpx2
import orjson
import pytest
from sqlalchemy import select

from bench import queries
from bench.floor import create_app
from bench.loading import load
from bench.queries import Subject, by_id
from bench.shape import Shape
from pith_graph.store import tables
from tests.asking import asking
from tests.databases import Database

SHAPE = Shape(citations=6000)


@pytest.fixture
async def floor(database: Database):
    await asyncio.to_thread(load, database.url, SHAPE)
    app = create_app(database.text)
    transport = httpx2.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://floor.test") as client,
    ):
        yield client


async def test_the_floor_and_the_server_give_the_same_data(database, read_engine, floor):
    async with read_engine.connect() as connection:
        statement = select(tables.papers.c.arxiv_id).where(tables.papers.c.id % 10 == 1)
        names = list((await connection.execute(statement)).scalars())
    assert len(names) > 20
    async with asking(database) as server:
        for name in names:
            for query in (queries.ONE_HOP, queries.TWO_HOPS):
                body = by_id(query)(Subject(0, name, ""))
                said = orjson.loads(
                    (
                        await server.client.post(
                            "/graphql", content=body, headers={"content-type": "application/json"}
                        )
                    ).content
                )
                assert "errors" not in said
                plain = orjson.loads((await floor.post("/graphql", content=body)).content)
                assert orjson.dumps(plain["data"]) == orjson.dumps(said["data"])
