"""What no route takes: one JSON form, whatever the path."""

from __future__ import annotations

import pytest

from tests.asking import asking
from tests.databases import made_database


@pytest.fixture
async def client(tmp_path):
    with made_database("sqlite", tmp_path) as database:
        async with asking(database) as asked:
            yield asked.client


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("POST", "/nowhere", 404),
        ("GET", "/static/absent.js", 404),
        ("GET", "/static/%00", 404),
        ("GET", "/paper/2509.00217", 404),
        ("GET", f"/{'a' * 3000}", 404),
        ("POST", "/", 405),
        ("PUT", "/schema.graphql", 405),
        ("DELETE", "/healthz", 405),
        ("PATCH", "/readyz", 405),
        ("POST", "/static/graphiql.js", 405),
        ("OPTIONS", "/schema.graphql", 405),
        ("POST", "/paper/2509.00217/citation-record.json", 405),
        ("PUT", "/graphql", 405),
    ],
)
async def test_an_unknown_path_and_a_wrong_method_are_json_errors_with_a_code(
    client, method, path, status
):
    response = await client.request(method, path)
    assert response.status_code == status
    assert response.headers["content-type"].split(";")[0] == "application/json"
    assert response.headers["cache-control"] == "no-store"
    (error,) = response.json()["errors"]
    assert error["extensions"] == {"code": "BAD_REQUEST"}
    assert "expected" in error["message"]
    assert len(response.content) < 500
    if status == 405:
        assert {"GET", "HEAD"} <= set(response.headers["allow"].split(", "))


async def test_head_of_an_unknown_path_has_no_body_over_http(client):
    response = await client.head("/nowhere")
    assert response.status_code == 404
