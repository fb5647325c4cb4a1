"""The benchmarks' client reads whole answers, however they are framed."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from bench.client import Client
from tests.serving import serving


async def echo(request: Request) -> Response:
    body = await request.body()
    if body == b"refuse":
        return PlainTextResponse("no", status_code=400)
    if body.startswith(b"stream"):
        return StreamingResponse(iter([b"a" * 70_000, b"0\r\n\r\n", body]))
    return Response(body)


@pytest.fixture
def client():
    app = Starlette(routes=[Route("/graphql", echo, methods=["POST"])])
    with serving(app) as address, Client(int(address.rsplit(":", 1)[1])) as opened:
        yield opened


def test_answers_come_one_after_the_other_on_one_connection(client):
    for size in (1, 100_000, 0, 7):
        assert client.post(b"x" * size) == b"x" * size


def test_chunks_are_joined(client):
    assert client.post(b"stream") == b"a" * 70_000 + b"0\r\n\r\nstream"
    assert client.post(b"after") == b"after"


def test_a_refusal_is_an_error(client):
    with pytest.raises(RuntimeError, match="400"):
        client.post(b"refuse")
