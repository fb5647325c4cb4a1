"""The record as JSON at the address that it gives: bytes, tags, redirects and refusals."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime, timedelta
from functools import partial
from urllib.parse import quote

import httpx2
import pytest

from pith_graph.settings import Settings
from pith_graph.web.app import create_app
from tests.asking import NOW, asking
from tests.record_universe import Universe
from tests.record_versions import revise
from tests.records import SEED_ID, encode, make_record, seed, seed_path
from tests.serving import serving

OLD_ID = "hep-th/9901001"
ADDRESS = f"/paper/{SEED_ID}/citation-record.json"
ETAG = f'W/"{seed()["context_digest"]}"'


@pytest.fixture
async def client(database, ingest):
    """An HTTP client of an application that holds the seed and a paper with an old-style id."""
    await ingest(seed_path)
    await ingest(make_record(arxiv_id=OLD_ID, citations=4, universe=Universe(seed=3)))
    async with asking(database) as asked:
        yield asked.client


def refusal_of(response: httpx2.Response) -> tuple[int, str, str]:
    (error,) = response.json()["errors"]
    assert response.headers["content-type"] == "application/json"
    assert response.headers["cache-control"] == "no-store"
    return response.status_code, error["extensions"]["code"], error["message"]


def as_it_is(at: datetime) -> datetime:
    return at


async def test_the_bytes_are_those_of_the_record(client):
    response = await client.get(ADDRESS)
    assert response.status_code == 200
    assert response.content == seed_path.read_bytes()
    assert response.headers["content-type"] == "application/json"
    assert response.headers["etag"] == ETAG
    assert response.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("arxiv_id", [SEED_ID, OLD_ID])
async def test_a_records_own_link_leads_to_itself(client, arxiv_id):
    response = await client.get(f"/paper/{arxiv_id}/citation-record.json")
    record = response.json()
    assert record["paper"]["arxiv_id"] == arxiv_id
    again = await client.get(record["links"]["json"])
    assert (again.status_code, again.content) == (200, response.content)


@pytest.mark.parametrize(
    "tags",
    [
        ETAG,
        ETAG.removeprefix("W/"),
        f'"x", {ETAG}',
        f'W/"y" ,{ETAG},"z"',
        "*",
    ],
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_a_record_that_is_known_is_not_sent_again(client, tags, method):
    response = await client.request(method, ADDRESS, headers={"if-none-match": tags})
    assert (response.status_code, response.content) == (304, b"")
    assert response.headers["etag"] == ETAG
    assert response.headers["cache-control"] == "no-cache"
    assert response.headers["vary"].startswith("Accept-Encoding")
    assert "content-type" not in response.headers
    assert response.headers.get("content-length", "0") == "0"


@pytest.mark.parametrize("tags", ["", '"x"', f"{ETAG[:-2]}", '"*"', "sha256:x", 'W/""'])
async def test_a_record_with_another_tag_is_sent(client, tags):
    response = await client.get(ADDRESS, headers={"if-none-match": tags})
    assert response.status_code == 200
    assert response.content == seed_path.read_bytes()


async def test_tags_in_several_headers_are_one_list(client):
    response = await client.get(
        ADDRESS, headers=[("if-none-match", '"x"'), ("if-none-match", ETAG)]
    )
    assert response.status_code == 304


async def test_the_tag_changes_with_the_facts_and_the_day_but_not_with_the_minute(database, ingest):
    await ingest(seed_path)
    times = [NOW, NOW + timedelta(minutes=5), NOW + timedelta(days=1)]
    tags, bodies = [], []
    for at in times:
        async with asking(database, clock=partial(as_it_is, at)) as asked:
            response = await asked.client.get(ADDRESS)
        tags.append(response.headers["etag"])
        bodies.append(response.content)
    assert tags[0] == tags[1] != tags[2]
    assert len(set(bodies)) == 3
    await ingest(revise(seed(), 1))
    async with asking(database) as asked:
        response = await asked.client.get(ADDRESS, headers={"if-none-match": tags[0]})
    assert response.status_code == 200
    assert response.headers["etag"] == f'W/"{revise(seed(), 1)["context_digest"]}"'


async def test_head_has_the_headers_of_get_and_no_body(database, ingest):
    await ingest(seed_path)

    def ask(base: str) -> tuple[httpx2.Response, httpx2.Response]:
        with httpx2.Client(base_url=base) as live:
            return live.get(ADDRESS), live.head(ADDRESS)

    settings = Settings(database_url=database.text)
    with serving(create_app(settings, clock=lambda: NOW)) as base:
        got, head = await asyncio.to_thread(ask, base)
    assert head.content == b""
    same = ("content-length", "content-encoding", "etag", "content-type", "cache-control", "vary")
    for name in same:
        assert head.headers[name] == got.headers[name]


async def test_any_origin_may_read_a_record_and_its_tag(client):
    response = await client.get(ADDRESS, headers={"origin": "https://example.org"})
    assert response.headers["access-control-allow-origin"] == "*"
    assert "ETag" in response.headers["access-control-expose-headers"]
    assert "access-control-allow-credentials" not in response.headers
    preflight = await client.options(
        ADDRESS,
        headers={
            "origin": "https://example.org",
            "access-control-request-method": "GET",
            "access-control-request-headers": "if-none-match",
        },
    )
    assert preflight.status_code == 200


@pytest.mark.parametrize("arxiv_id", [SEED_ID, OLD_ID])
@pytest.mark.parametrize(
    "form",
    [
        "{}v1",
        "arXiv:{}",
        "ARXIV:{}v7",
        "https://arxiv.org/abs/{}",
        "https://arxiv.org/pdf/{}v2.pdf",
        "10.48550/arXiv.{}",
        "https://doi.org/10.48550/arXiv.{}",
    ],
)
async def test_any_other_form_of_an_id_leads_to_the_one_address(client, arxiv_id, form):
    written = form.format(arxiv_id)
    for path in (quote(written, safe=""), quote(written)):
        response = await client.get(f"/paper/{path}/citation-record.json?as_of=2026-08-10")
        assert response.status_code == 308
        location = response.headers["location"]
        assert location == f"/paper/{arxiv_id}/citation-record.json?as_of=2026-08-10"
        assert (await client.get(location)).status_code == 200


async def test_an_escaped_slash_is_a_slash(client):
    plain = await client.get(f"/paper/{OLD_ID}/citation-record.json")
    escaped = await client.get("/paper/hep-th%2F9901001/citation-record.json")
    assert (escaped.status_code, escaped.content) == (200, plain.content)


async def test_a_redirect_leaves_the_server_for_no_other(client):
    for path in ("//example.org", "https://example.org/abs/2509.00217", "/example.org/2509.00217"):
        response = await client.get(f"/paper/{quote(path)}/citation-record.json")
        assert response.status_code in {307, 308, 400, 404}
        location = response.headers.get("location", "/paper/")
        assert httpx2.URL(location).host in {"", "pith.test"}


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("2401.00001", 404, "NOT_HELD"),
        ("hep-th/9901999", 404, "NOT_HELD"),
        ("10.1103/None", 404, "NOT_HELD"),
        ("2513.00001", 400, "BAD_USER_INPUT"),
        ("nonsense", 400, "BAD_USER_INPUT"),
        ("%2E%2E%2F%2E%2E%2Fetc%2Fpasswd", 400, "BAD_USER_INPUT"),
        ("%00", 400, "BAD_USER_INPUT"),
        ("%FF%FE", 400, "BAD_USER_INPUT"),
        ("a" * 5000, 400, "BAD_USER_INPUT"),
        ("2509.00217/../2509.00217%2F..", 400, "BAD_USER_INPUT"),
    ],
)
async def test_what_is_not_held_or_no_id_is_refused(client, path, status, code):
    response = await client.get(f"/paper/{path}/citation-record.json")
    assert refusal_of(response)[:2] == (status, code)
    assert len(response.content) < 1500


async def test_dot_segments_reach_no_other_route(database, ingest):
    """Sent raw: a client would resolve them first."""
    await ingest(seed_path)

    async def status_of(port: int, target: str) -> int:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        return int(answer.split(b" ", 2)[1])

    with serving(create_app(Settings(database_url=database.text))) as base:
        port = int(base.rsplit(":", 1)[1])
        found = [
            await status_of(port, f"/paper/{path}/citation-record.json")
            for path in ("../../etc", "x/../2509.00217", "./2509.00217", "%2e%2e", SEED_ID, "")
        ]
    assert found == [400, 400, 400, 400, 200, 400]


async def test_an_earlier_time_has_the_record_of_then(database, ingest):
    await ingest(seed_path)
    await ingest(revise(seed(), 3))
    async with asking(database, clock=lambda: NOW + timedelta(minutes=30)) as asked:
        then = await asked.client.get(ADDRESS, params={"as_of": "2026-08-10T10:32:00Z"})
        assert (then.status_code, then.content) == (200, seed_path.read_bytes())
        assert then.headers["etag"] == ETAG
        later = await asked.client.get(ADDRESS, params={"as_of": "2026-08-10T10:35:00Z"})
        assert later.content == encode(revise(seed(), 3))
        known = await asked.client.get(
            ADDRESS, params={"as_of": "2026-08-10T10:32:00Z"}, headers={"if-none-match": ETAG}
        )
        assert known.status_code == 304


@pytest.mark.parametrize(
    ("as_of", "status", "code", "message"),
    [
        ("2026-08-01", 404, "NOT_HELD", "paper 2509.00217 as of 2026-08-01T00:00:00Z is not held"),
        ("2026-08-10T10:33:00Z", 400, "BAD_USER_INPUT", "which is yet to come"),
        ("9999-12-31", 400, "BAD_USER_INPUT", "which is yet to come"),
        ("", 400, "BAD_USER_INPUT", "is not an ISO 8601 time"),
        ("now", 400, "BAD_USER_INPUT", "is not an ISO 8601 time"),
        ("2026-02-30", 400, "BAD_USER_INPUT", "is not a time"),
        ("0001-01-01T00:00:00+14:00", 400, "BAD_USER_INPUT", "is not a time"),
    ],
)
async def test_a_time_that_cannot_be_answered_is_refused(client, as_of, status, code, message):
    response = await client.get(ADDRESS, params={"as_of": as_of})
    found = refusal_of(response)
    assert found[:2] == (status, code)
    assert message in found[2]


async def test_a_record_that_takes_too_long_is_a_time_out(database, ingest, monkeypatch):
    await ingest(seed_path)

    async def sleep(*_args, **_kwargs):
        await asyncio.sleep(60)

    monkeypatch.setattr("pith_graph.web.records.load_facts", sleep)
    async with asking(database, request_timeout_seconds=0.05) as asked:
        response = await asked.client.get(ADDRESS)
    assert refusal_of(response)[:2] == (504, "TIMEOUT")


async def test_only_reading_is_allowed(client):
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        response = await client.request(method, ADDRESS)
        assert refusal_of(response)[:2] == (405, "BAD_REQUEST")
        assert set(response.headers["allow"].split(", ")) == {"GET", "HEAD"}


async def test_a_doi_that_several_papers_carry_names_them(client, write_engine):
    async with write_engine.begin() as connection:
        await connection.exec_driver_sql(
            "UPDATE papers SET doi = '10.5555/Twice' WHERE observed_at IS NOT NULL"
        )
    response = await client.get("/paper/10.5555%2Ftwice/citation-record.json")
    status, code, message = refusal_of(response)
    assert (status, code) == (400, "BAD_USER_INPUT")
    assert SEED_ID in message
    assert json.loads(response.content)["errors"]
