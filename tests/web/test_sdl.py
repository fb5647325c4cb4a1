"""The schema's text: its tag, and that every coding is the same text."""

from __future__ import annotations

import pytest

from pith_graph.gql.schema import print_sdl
from tests.asking import asking
from tests.databases import made_database
from tests.web.decoding import content_of


@pytest.fixture
async def client(tmp_path):
    with made_database("sqlite", tmp_path) as database:
        async with asking(database) as asked:
            yield asked.client


@pytest.mark.parametrize("coding", ["zstd", "br", "gzip", "identity"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_the_schema_is_sent_once_and_then_not_modified(client, coding, method):
    headers = {"accept-encoding": coding}
    response = await client.get("/schema.graphql", headers=headers)
    assert content_of(response).decode() == print_sdl()
    assert response.headers.get("content-encoding", "identity") == coding
    assert response.headers["cache-control"] == "no-cache"
    tag = response.headers["etag"]
    assert tag == (await client.get("/schema.graphql")).headers["etag"]
    again = await client.request(
        method, "/schema.graphql", headers={**headers, "if-none-match": tag}
    )
    assert (again.status_code, again.content) == (304, b"")
    for name in ("etag", "vary", "cache-control"):
        assert again.headers[name] == response.headers[name]
    other = await client.get("/schema.graphql", headers={"if-none-match": '"other"'})
    assert other.status_code == 200
