"""The endpoint: who gets which answer, status, media type and code."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import httpx2
import pytest
from graphql import get_introspection_query
from httpx2 import Response
from starlette.testclient import TestClient

GRAPHQL_RESPONSE = "application/graphql-response+json"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


def post(
    client: TestClient, query: str, *, accept: str = GRAPHQL_RESPONSE, **parameters: Any
) -> Response:
    return client.post("/graphql", json={"query": query, **parameters}, headers={"accept": accept})


def get(
    client: TestClient, query: str, *, accept: str = GRAPHQL_RESPONSE, **parameters: Any
) -> Response:
    return client.get("/graphql", params={"query": query, **parameters}, headers={"accept": accept})


def code_of(response: Response) -> str:
    (error,) = response.json()["errors"]
    return str(error["extensions"]["code"])


def test_a_query_is_answered_with_its_data_and_cost(client):
    response = post(client, "{ hello }")
    assert response.status_code == 200
    assert response.headers["content-type"] == f"{GRAPHQL_RESPONSE}; charset=utf-8"
    assert response.json() == {
        "data": {"hello": "world"},
        "extensions": {
            "cost": {
                "requested": 0,
                "limit": 100_000,
                "databaseStatements": 0,
            }
        },
    }


def test_the_cost_and_the_statements_are_those_of_the_request(client):
    response = post(
        client,
        "query ($n: Int) { items(first: $n) { edges { node { number } } } a: count b: count }",
        variables={"n": 7},
    )
    assert response.json()["extensions"]["cost"] == {
        "requested": 15,
        "limit": 100_000,
        "databaseStatements": 2,
    }


def test_a_get_answers_queries_with_variables(client):
    response = get(
        client,
        "query Q($t: String!) { echo(text: $t) }",
        variables=json.dumps({"t": "ü"}),
        operationName="Q",
    )
    assert response.json()["data"] == {"echo": "ü"}
    assert response.headers["cache-control"] == "no-cache"


def test_a_post_is_never_stored(client):
    assert post(client, "{ hello }").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("accept", [GRAPHQL_RESPONSE, "application/json"])
def test_a_mutation_by_get_is_refused_with_405(client, accept):
    response = get(client, "mutation { change }", accept=accept)
    assert response.status_code == 405
    assert response.headers["allow"] == "POST"
    assert code_of(response) == "BAD_REQUEST"
    assert post(client, "mutation { change }").json()["data"] == {"change": "changed"}


def test_a_subscription_by_get_is_refused_with_405_though_there_are_none(client):
    assert get(client, "subscription { change }").status_code == 405


def test_head_has_the_headers_of_get_and_no_body(live_server):
    url = f"{live_server}/graphql?query={quote('{ hello }')}"
    head, full = httpx2.head(url), httpx2.get(url)
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["content-length"] == str(len(full.content))
    assert head.headers["content-type"] == full.headers["content-type"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused_and_told_which_are_allowed(client, method):
    response = client.request(method, "/graphql", headers={"accept": "image/png"})
    assert response.status_code == 405
    assert response.headers["allow"] == "GET, HEAD, POST"
    assert code_of(response) == "BAD_REQUEST"


def test_a_browser_gets_graphiql_and_its_queries_get_answers(client):
    page = client.get("/graphql", headers={"accept": BROWSER})
    assert page.headers["content-type"].startswith("text/html")
    answer = get(client, "{ hello }", accept=BROWSER)
    assert answer.json()["data"] == {"hello": "world"}


@pytest.mark.parametrize("accept", ["*/*", GRAPHQL_RESPONSE, "application/json"])
def test_other_clients_without_a_query_are_told_that_it_is_missing(client, accept):
    response = client.get("/graphql", headers={"accept": accept})
    assert response.status_code == 400
    assert "`query` is missing" in response.json()["errors"][0]["message"]


def test_an_answer_that_nobody_accepts_is_refused(client):
    response = post(client, "{ hello }", accept="text/html")
    assert response.status_code == 406
    assert code_of(response) == "NOT_ACCEPTABLE"


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_what_another_site_may_send_unasked_is_refused(client, content_type):
    response = client.post(
        "/graphql", content=b'{"query":"{ hello }"}', headers={"content-type": content_type}
    )
    assert response.status_code == 415
    assert response.headers["accept-post"] == "application/json"
    assert code_of(response) == "UNSUPPORTED_MEDIA_TYPE"


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("{", "GRAPHQL_PARSE_FAILED"),
        ("{ nothing }", "GRAPHQL_VALIDATION_FAILED"),
        ("{ ...Unknown }", "GRAPHQL_VALIDATION_FAILED"),
        ("query A { hello } query B { hello }", "OPERATION_RESOLUTION_FAILURE"),
        ("fragment F on Query { hello }", "GRAPHQL_VALIDATION_FAILED"),
        ("query ($t: String!) { echo(text: $t) }", "BAD_USER_INPUT"),
        ("{ items { edges { node " + "{ again " * 20 + "{ number }" + "}" * 23,
         "DEPTH_LIMIT_EXCEEDED"),
        ("{" + " ".join(f"a{n}: hello" for n in range(31)) + "}", "COST_LIMIT_EXCEEDED"),
    ],
)  # fmt: skip
def test_a_refused_document_is_400_or_200_by_media_type_and_has_no_data(client, query, code):
    new, old = post(client, query), post(client, query, accept="application/json")
    assert (new.status_code, old.status_code) == (400, 200)
    for response in (new, old):
        assert {e["extensions"]["code"] for e in response.json()["errors"]} == {code}
        assert "data" not in response.json()
        assert response.json()["extensions"]["cost"]["limit"] == 100_000


def test_the_cost_of_a_refused_request_is_shown(settings, releases, make_client):
    client = make_client(settings.model_copy(update={"max_cost": 10}))
    response = post(client, "{ items { edges { node { number } } } }")
    assert code_of(response) == "COST_LIMIT_EXCEEDED"
    assert response.json()["extensions"]["cost"] == {
        "requested": 41,
        "limit": 10,
        "databaseStatements": 0,
    }
    assert releases.opened == 0


def test_an_operation_is_run_by_its_name_and_an_unknown_name_is_told_the_known(client):
    document = "query A { hello } query B { b: hello }"
    assert post(client, document, operationName="B").json()["data"] == {"b": "world"}
    for name in (None, "C"):
        error = post(client, document, operationName=name).json()["errors"][0]
        assert error["extensions"]["code"] == "OPERATION_RESOLUTION_FAILURE"
        assert "'A', 'B'" in error["message"]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ('{ paper(id: "2509.99999") { number } }', "NOT_HELD"),
        ("{ malformed }", "BAD_USER_INPUT"),
        ("{ unreachable }", "SERVICE_UNAVAILABLE"),
    ],
)
def test_a_failed_field_is_null_with_its_code_beside_the_rest(client, query, code):
    response = post(client, query)
    assert response.status_code == 200
    assert None in response.json()["data"].values()
    assert code_of(response) == code


def test_identifiers_are_echoed_only_where_there_are_any(client):
    with_one = post(client, '{ paper(id: "x") { number } }').json()["extensions"]
    assert with_one["identifiers"] == [{"input": "x"}]
    assert "identifiers" not in post(client, "{ hello }").json()["extensions"]


@pytest.mark.parametrize("query", ["{ broken }", "{ brokenRoot }"])
def test_an_unexpected_failure_is_masked_and_logged_under_the_request_id(client, query, caplog):
    response = client.post(
        "/graphql", json={"query": query}, headers={"x-request-id": "from-the-client"}
    )
    (error,) = response.json()["errors"]
    assert response.status_code == 200
    assert error["message"] == "Internal server error"
    assert error["extensions"] == {
        "code": "INTERNAL_SERVER_ERROR",
        "requestId": "from-the-client",
    }
    assert "secret" not in response.text
    assert "from-the-client" in caplog.text
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("accept", [GRAPHQL_RESPONSE, "application/json"])
@pytest.mark.parametrize(
    "failure",
    [
        ("{ slow }", 504, "TIMEOUT"),
        ("{ surrogate }", 500, "INTERNAL_SERVER_ERROR"),
        ("{ cancelled }", 500, "INTERNAL_SERVER_ERROR"),
    ],
)
def test_what_is_not_the_documents_fault_has_its_status_in_both_media_types(
    client, releases, accept, failure
):
    query, status, code = failure
    response = post(client, query, accept=accept)
    assert response.status_code == status
    assert code_of(response) == code
    assert releases.opened == releases.released == 1


def test_a_store_that_is_away_is_503(client_without_store):
    response = post(client_without_store, "{ hello }")
    assert response.status_code == 503
    assert code_of(response) == "SERVICE_UNAVAILABLE"


def test_a_long_query_string_is_refused(make_client, settings):
    client = make_client(settings.model_copy(update={"max_body_bytes": 2000}))
    response = get(client, "{ hello }" + " " * 2000)
    assert response.status_code == 413
    assert code_of(response) == "PAYLOAD_TOO_LARGE"


def test_every_answer_names_accept_as_what_it_varies_by(client):
    assert "Accept" in post(client, "{ hello }").headers["vary"]


def test_the_standard_introspection_query_passes_the_default_limits(client):
    query = get_introspection_query(
        descriptions=True,
        specified_by_url=True,
        directive_is_repeatable=True,
        schema_description=True,
        input_value_deprecation=True,
        one_of=True,
    )
    answer = post(client, query).json()
    assert "errors" not in answer
    assert answer["extensions"]["cost"]["requested"] == 0
