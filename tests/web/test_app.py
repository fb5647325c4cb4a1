"""The whole application: what fails alone, a database that is gone, and whether it is ready."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import create_async_engine

from pith_graph.gql.schema import print_sdl
from pith_graph.read import queries, standing
from tests.asking import asking
from tests.databases import Database, made_database
from tests.records import seed_path

PAPER = '{ paper(id: "2509.00217") { arxivId } }'


@pytest.fixture
async def held(ingest):
    await ingest(seed_path)


@pytest.fixture
async def graph(database):
    async with asking(database) as asked:
        yield asked


def broken(*_args, **_kwargs):
    raise ZeroDivisionError("secret")


def file_of(database: Database) -> Path:
    return Path(str(database.url.database))


# One failure is one failure


async def test_a_field_that_fails_leaves_the_other_branch_whole(graph, held, monkeypatch, caplog):
    monkeypatch.setattr(standing, "fetch_standing", broken)
    answer = await graph.ask("""{
        broken: paper(id: "2509.00217") {
            outbound(first: 2) { edges { node { standingNotice { state } } } }
        }
        whole: paper(id: "2509.00217") {
            title outbound(first: 2) { totalCount edges { node { citedAs { year } } } }
        }
    }""")
    assert answer["data"]["broken"] is None
    assert answer["data"]["whole"]["outbound"]["totalCount"] == 21
    assert len(answer["data"]["whole"]["outbound"]["edges"]) == 2
    for error in answer["errors"]:
        assert error["message"] == "Internal server error"
        assert error["extensions"]["code"] == "INTERNAL_SERVER_ERROR"
        assert error["extensions"]["requestId"] in caplog.text
    assert "secret" not in str(answer)
    assert "secret" in caplog.text


async def test_a_failing_non_null_sibling_takes_no_value_from_another_branch(
    graph, held, monkeypatch
):
    """Both branches wait for the same loader's future when one of them is given up."""
    given_up = asyncio.Event()

    async def fail(*_args):
        given_up.set()
        raise ZeroDivisionError

    async def slowly(*args, **kwargs):
        await given_up.wait()
        # What fails first cancels its siblings within a few turns of the loop.
        for _ in range(20):
            await asyncio.sleep(0)
        return await fetch(*args, **kwargs)

    fetch = standing.fetch_paper_notes
    monkeypatch.setattr(standing, "fetch_paper_notes", slowly)
    monkeypatch.setattr("pith_graph.gql.types.paper.load_facts", fail)
    answer = await graph.ask("""{
        a: paper(id: "2509.00217") { externalCitationMeasurements { count } coverage { lane } }
        b: paper(id: "2509.00217") { externalCitationMeasurements { count } title }
    }""")
    assert answer["data"]["a"] is None
    assert answer["data"]["b"]["externalCitationMeasurements"] == []
    assert answer["data"]["b"]["title"].startswith("Learning to Shard")
    assert [error["path"] for error in answer["errors"]] == [["a", "coverage"]]


# A database that is gone


async def test_connections_that_the_server_ends_are_made_anew_and_nobody_sees_it(
    graph, held, database, caplog
):
    if database.kind != "postgresql":
        # SQLite has no server that could end a connection: its file can go, see below.
        assert database.url.drivername == "sqlite+aiosqlite"
        return
    await asyncio.gather(*(graph.client.post("/graphql", json={"query": PAPER}) for _ in range(8)))
    admin = create_async_engine(database.url, isolation_level="AUTOCOMMIT")
    async with admin.connect() as connection:
        ended = await connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND application_name = 'pith-graph'"
            )
        )
        assert len(ended.all()) > 1
    await admin.dispose()

    assert (await graph.data(PAPER))["paper"]["arxivId"] == "2509.00217"
    record = await graph.client.get("/paper/2509.00217/citation-record.json")
    assert record.status_code == 200
    assert [entry for entry in caplog.records if "pith_graph" in entry.name] == []


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_database_that_is_not_there_is_unavailable_until_it_is(kind, tmp_path):
    with made_database(kind, tmp_path) as database:
        pass
    async with asking(database) as graph:
        if kind == "sqlite":
            file = file_of(database)
            kept = shutil.move(file, tmp_path / "kept.db")
        error = await graph.error(PAPER)
        assert error["code"] == "SERVICE_UNAVAILABLE"
        assert "does not answer" in error["message"]
        response = await graph.client.get("/paper/2509.00217/citation-record.json")
        assert response.status_code == 503
        assert response.json()["errors"][0]["extensions"] == {"code": "SERVICE_UNAVAILABLE"}
        ready = await graph.client.get("/readyz")
        assert ready.status_code == 503
        assert "pith-graph db upgrade" in ready.json()["reason"]
        assert (await graph.client.get("/healthz")).status_code == 200
        if kind == "sqlite":
            shutil.move(kept, file)
            assert (await graph.error(PAPER))["code"] == "NOT_HELD"
            assert (await graph.client.get("/readyz")).status_code == 200


async def test_a_file_that_is_no_database_is_unavailable(tmp_path):
    with made_database("sqlite", tmp_path) as database:
        file_of(database).write_bytes(b"not a database at all" * 500)
        async with asking(database) as graph:
            error = await graph.error(PAPER)
            ready = await graph.client.get("/readyz")
    assert error["code"] == "SERVICE_UNAVAILABLE"
    assert ready.status_code == 503


async def test_a_server_that_refuses_is_unavailable_and_no_password_is_shown(tmp_path, caplog):
    with made_database("postgresql", tmp_path) as database:
        address = URL.create(
            "postgresql+asyncpg", "someone", "hidden", "127.0.0.1", 1, database.url.database
        )
    closed = Database("postgresql", address)
    async with asking(closed) as graph:
        error = await graph.error(PAPER)
        ready = await graph.client.get("/readyz")
    assert error["code"] == "SERVICE_UNAVAILABLE"
    assert ready.status_code == 503
    assert "hidden" not in ready.text + str(error) + caplog.text


async def test_a_mistake_of_ours_in_a_statement_is_an_internal_error(graph, held, monkeypatch):
    async def wrong(snapshot, _keys):
        return await snapshot.fetch(select(text("x")).select_from(text("nowhere")))

    monkeypatch.setattr(queries, "fetch_papers", wrong)
    error = await graph.error(PAPER)
    assert error["code"] == "INTERNAL_SERVER_ERROR"
    assert "nowhere" not in str(graph.answer)


# Readiness


async def test_the_application_is_ready_at_head_alone(graph, write_engine):
    ready = await graph.client.get("/readyz")
    assert (ready.status_code, ready.json()["status"]) == (200, "ready")

    async with write_engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    ready = await graph.client.get("/readyz")
    assert ready.status_code == 503
    assert "is at revision 9999, this version needs" in ready.json()["reason"]

    async with write_engine.begin() as connection:
        await connection.execute(text("DELETE FROM alembic_version"))
    ready = await graph.client.get("/readyz")
    assert ready.status_code == 503
    assert "has no schema" in ready.json()["reason"]
    assert (await graph.client.get("/healthz")).json() == {"status": "alive"}


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_an_empty_database_is_not_ready(kind, tmp_path):
    with made_database(kind, tmp_path, migrated=False) as database:
        if kind == "sqlite":
            file_of(database).touch()
        async with asking(database) as graph:
            ready = await graph.client.get("/readyz")
    assert ready.status_code == 503
    assert "has no schema" in ready.json()["reason"]


# What else it serves


async def test_the_schema_is_served_as_text(graph):
    response = await graph.client.get("/schema.graphql")
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert response.text == print_sdl()


async def test_every_answer_has_a_request_id_and_is_not_sniffed(graph):
    for path in ("/", "/graphql", "/schema.graphql", "/healthz", "/readyz", "/nowhere"):
        response = await graph.client.get(path)
        assert response.headers["x-request-id"]
        assert response.headers["x-content-type-options"] == "nosniff"
