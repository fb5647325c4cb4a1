"""Request ids, the headers of all answers, unanswered exceptions, and CORS."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from pith_graph.settings import Settings
from pith_graph.web.middleware import build_middleware, request_id_of


async def show_id(request: Request) -> Response:
    return PlainTextResponse(request_id_of(request.scope))


async def fail(_request: Request) -> Response:
    raise ZeroDivisionError("secret")


def client_for(settings: Settings) -> TestClient:
    return TestClient(
        Starlette(
            routes=[Route("/id", show_id), Route("/fail", fail)],
            middleware=build_middleware(settings, make_id=lambda: "made-here"),
        )
    )


@pytest.fixture
def client() -> TestClient:
    return client_for(Settings())


@pytest.mark.parametrize("identifier", ["a", "A-1_b.c", "x" * 64])
def test_a_well_formed_id_of_the_client_is_kept(client, identifier):
    response = client.get("/id", headers={"x-request-id": identifier})
    assert response.text == response.headers["x-request-id"] == identifier


@pytest.mark.parametrize("identifier", ["", "x" * 65, "a b", "a\tb", "ü", "<script>", "a,b"])
def test_any_other_id_is_replaced(client, identifier):
    response = client.get("/id", headers={"x-request-id": identifier.encode()})
    assert response.text == response.headers["x-request-id"] == "made-here"


@pytest.mark.parametrize("path", ["/id", "/nowhere", "/fail"])
def test_every_answer_has_an_id_and_forbids_guessing_its_type(client, path):
    headers = client.get(path).headers
    assert headers["x-request-id"] == "made-here"
    assert headers["x-content-type-options"] == "nosniff"


def test_an_exception_nobody_answered_is_masked_and_logged(client, caplog):
    response = client.get("/fail")
    assert response.status_code == 500
    assert response.json() == {
        "errors": [
            {
                "message": "Internal server error",
                "extensions": {"code": "INTERNAL_SERVER_ERROR", "requestId": "made-here"},
            }
        ]
    }
    assert "made-here" in caplog.text
    assert "ZeroDivisionError" in caplog.text


def preflight(client: TestClient, origin: str) -> Response:
    return client.options(  # type: ignore[return-value]
        "/id",
        headers={
            "origin": origin,
            "access-control-request-method": "POST",
            "access-control-request-headers": "content-type, x-anything",
        },
    )


def test_any_origin_may_ask_by_default_but_not_with_credentials(client):
    before = preflight(client, "https://example.org")
    assert before.status_code == 200
    assert before.headers["access-control-allow-origin"] == "*"
    assert "POST" in before.headers["access-control-allow-methods"]
    assert "x-anything" in before.headers["access-control-allow-headers"]
    assert int(before.headers["access-control-max-age"]) > 0
    answer = client.get("/id", headers={"origin": "https://example.org", "cookie": "a=b"})
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-expose-headers"] == "X-Request-Id, ETag"
    for response in (before, answer):
        assert "access-control-allow-credentials" not in response.headers
        assert response.headers["x-request-id"] == "made-here"


def test_only_the_origins_of_the_settings_may_ask():
    client = client_for(Settings(cors_origins="https://a.example, https://b.example"))
    for origin in ("https://a.example", "https://b.example"):
        assert preflight(client, origin).headers["access-control-allow-origin"] == origin
        answer = client.get("/id", headers={"origin": origin})
        assert answer.headers["access-control-allow-origin"] == origin
        assert "Origin" in answer.headers["vary"]
    assert preflight(client, "https://c.example").status_code == 400
    answer = client.get("/id", headers={"origin": "https://c.example"})
    assert "access-control-allow-origin" not in answer.headers


def test_an_id_of_a_request_outside_the_middleware_is_unknown():
    assert request_id_of({"type": "http"}) == "unknown"
