"""Tags of GraphQL answers to GET: when a client's copy is good, and what the answer then says."""

from __future__ import annotations

import asyncio
import json

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from pith_graph.errors import StoreError
from pith_graph.gql.requests import GraphQLRequest
from pith_graph.web.negotiation import MediaType
from pith_graph.web.tags import AnswerTags

JSON = "application/json"
GRAPHQL_RESPONSE = "application/graphql-response+json"


def get(
    client: TestClient,
    query: str = "{ hello }",
    *,
    tags: str | None = None,
    accept: str = JSON,
    method: str = "GET",
    **parameters: str,
) -> Response:
    headers = {"accept": accept} | ({} if tags is None else {"if-none-match": tags})
    parameters["query"] = query
    return client.request(method, "/graphql", params=parameters, headers=headers)


def tag_of(response: Response) -> str:
    assert response.status_code == 200
    return str(response.headers["etag"])


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("form", ["{}", '"x", {}', '{}, W/"y"'])
def test_a_known_answer_is_not_sent_and_not_executed_again(client, releases, method, form):
    tag = tag_of(get(client))
    opened = releases.opened
    response = get(client, tags=form.format(tag), method=method)
    assert (response.status_code, response.content) == (304, b"")
    assert response.headers["etag"] == tag
    assert response.headers["cache-control"] == "no-cache"
    assert {"Accept", "Accept-Encoding"} <= set(response.headers["vary"].split(", "))
    assert "content-type" not in response.headers
    assert releases.opened == opened


def test_tags_are_compared_weakly(client):
    tag = tag_of(get(client))
    assert tag.startswith('W/"')
    assert get(client, tags=tag.removeprefix("W/")).status_code == 304


@pytest.mark.parametrize("tags", ["", '"x"', "hello", '"*"', 'W/""'])
def test_another_tag_is_answered(client, tags):
    assert get(client, tags=tags).json()["data"] == {"hello": "world"}


def test_a_star_is_any_answer_without_errors(client):
    assert get(client, tags="*").status_code == 304
    assert get(client, "{ malformed }", tags="*").status_code == 200


def test_the_tag_is_another_after_a_commit(client, releases):
    tag = tag_of(get(client))
    assert tag_of(get(client)) == tag
    releases.revision = "2"
    response = get(client, tags=tag)
    assert tag_of(response) != tag


def test_every_request_has_its_own_tag(client):
    echo = "query ($t: String!) { echo(text: $t) }"
    two = "query A { hello } query B { hello }"
    answers = [
        get(client),
        get(client, "{hello}"),
        get(client, accept=GRAPHQL_RESPONSE),
        get(client, echo, variables=json.dumps({"t": "a"})),
        get(client, echo, variables=json.dumps({"t": "b"})),
        get(client, two, operationName="A"),
        get(client, two, operationName="B"),
        get(client, "{ count }"),
    ]
    assert len(set(map(tag_of, answers))) == len(answers)
    same = [get(client, echo, variables=text) for text in ('{"t":"a","u":1}', '{"u":1, "t":"a"}')]
    assert len(set(map(tag_of, same))) == 1


def test_a_field_that_can_change_by_itself_has_a_tag_of_its_bytes(client, releases):
    """``count`` is declared such a field."""
    tag = tag_of(get(client, "{ count }"))
    opened = releases.opened
    assert get(client, "{ count }", tags=tag).status_code == 304
    assert releases.opened == opened + 1
    releases.revision = "2"
    assert tag_of(get(client, "{ count }")) == tag
    assert tag_of(get(client, "{ count more: count }")) != tag


def test_the_field_is_seen_wherever_it_is_named(client, releases):
    for query in (
        "{ ...F } fragment F on Query { count }",
        "{ other: count }",
        "{ hello @include(if: false) count }",
    ):
        tag = tag_of(get(client, query))
        releases.revision += "0"
        assert tag_of(get(client, query)) == tag


@pytest.mark.parametrize(
    "query",
    ["{ malformed }", "{ hello malformed }", "{ brokenRoot }", "{", "{ nothing }", "{ slow }"],
)
@pytest.mark.parametrize("accept", [JSON, GRAPHQL_RESPONSE])
def test_an_answer_with_errors_has_no_tag(client, query, accept):
    response = get(client, query, accept=accept, tags="*")
    assert response.json()["errors"]
    assert "etag" not in response.headers


def test_a_post_has_no_tag_and_no_condition(client):
    tag = tag_of(get(client))
    response = client.post(
        "/graphql", json={"query": "{ hello }"}, headers={"accept": JSON, "if-none-match": tag}
    )
    assert response.status_code == 200
    assert "etag" not in response.headers
    assert response.headers["cache-control"] == "no-store"


def test_head_has_the_headers_of_get(client):
    got, head = get(client), get(client, method="HEAD")
    ignored = {"x-request-id", "date"}
    assert {k: v for k, v in got.headers.items() if k not in ignored} == {
        k: v for k, v in head.headers.items() if k not in ignored
    }


def test_a_store_that_is_away_is_an_error_and_no_tag(client_without_store):
    response = get(client_without_store, tags="*", accept=GRAPHQL_RESPONSE)
    assert response.status_code == 503
    assert "etag" not in response.headers


async def test_a_revision_that_takes_too_long_or_fails_is_not_known():
    async def sleep() -> str:
        await asyncio.sleep(60)
        return "1"

    async def fail() -> str:
        raise StoreError("the database is away")

    for revision in (sleep, fail):
        tags = AnswerTags(revision, server="toy", changing=("count",), seconds=0.01)
        assert await tags.foretell(GraphQLRequest(query="{ hello }"), MediaType.JSON) is None


async def test_the_server_itself_is_part_of_a_tag():
    async def revision() -> str:
        return "1"

    made = [
        await AnswerTags(revision, server=server, changing=("count",), seconds=1).foretell(
            GraphQLRequest(query="{ hello }"), MediaType.JSON
        )
        for server in ("old", "new")
    ]
    assert made[0] != made[1]
