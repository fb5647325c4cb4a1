"""Compression: which answers have a coding, what their headers say, and that HEAD is as GET."""

from __future__ import annotations

import threading
import zlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import NoReturn

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from pith_graph.web import compression
from pith_graph.web.compression import LEAST_BYTES, CompressionMiddleware
from tests.serving import serving
from tests.web.decoding import content_of

TEXT = b"A paper names another. " * 400
GZIP = {"accept-encoding": "gzip"}
NONE = {"accept-encoding": "identity"}


def client_for(answer: Response | Callable[..., Response], **arguments: object) -> TestClient:
    async def endpoint(_request: Request) -> Response:
        return answer if isinstance(answer, Response) else answer(**arguments)

    return TestClient(app_of(endpoint), follow_redirects=False)


def app_of(endpoint: Callable[[Request], object]) -> Starlette:
    route = Route("/", endpoint, methods=["GET", "HEAD"])
    return Starlette(routes=[route], middleware=[Middleware(CompressionMiddleware)])


def text(content: bytes = TEXT, **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(content, media_type="application/json", headers=named)


def fail() -> NoReturn:
    raise ZeroDivisionError


@pytest.mark.parametrize("coding", ["zstd", "br", "gzip"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_large_text_has_the_coding_that_was_asked_for(coding, method):
    response = client_for(text()).request(method, "/", headers={"accept-encoding": coding})
    assert response.headers["content-encoding"] == coding
    assert response.headers["vary"] == "Accept-Encoding"
    assert int(response.headers["content-length"]) < len(TEXT) / 5
    if method == "GET":
        assert content_of(response) == TEXT


@pytest.mark.parametrize(
    "media_type",
    [
        "application/graphql-response+json; charset=utf-8",
        "Application/JSON",
        "text/html; charset=utf-8",
        "text/plain",
        "text/javascript",
        "image/svg+xml",
    ],
)
def test_all_kinds_of_text_are_coded(media_type):
    response = client_for(Response(TEXT, headers={"content-type": media_type})).get(
        "/", headers=GZIP
    )
    assert response.headers["content-encoding"] == "gzip"


def test_without_a_coding_the_bytes_are_the_same_and_vary_is_said():
    for headers in (NONE, {"accept-encoding": ""}):
        response = client_for(text()).get("/", headers=headers)
        assert response.content == TEXT
        assert "content-encoding" not in response.headers
        assert response.headers["content-length"] == str(len(TEXT))
        assert response.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize(("size", "coded"), [(LEAST_BYTES - 1, False), (LEAST_BYTES, True)])
def test_only_what_is_large_enough_is_coded(size, coded):
    response = client_for(text(b"a" * size)).get("/", headers=GZIP)
    assert ("content-encoding" in response.headers) is coded
    assert response.headers["vary"] == "Accept-Encoding"
    assert response.content == b"a" * size


@pytest.mark.parametrize(
    "answer",
    [
        Response(TEXT, media_type="font/woff2"),
        Response(TEXT),
        text(content_encoding="br2"),
        text(cache_control="public, no-transform"),
        Response(TEXT, 206, media_type="text/plain", headers={"content-range": "bytes 0-9199/*"}),
        Response(status_code=204),
        Response(status_code=304, headers={"etag": '"x"'}),
        RedirectResponse("/elsewhere"),
    ],
)
def test_what_is_no_text_or_already_coded_or_a_part_is_left_alone(answer):
    before = answer.headers.get("content-encoding")
    response = client_for(answer).get("/", headers=GZIP)
    assert response.headers.get("content-encoding") == before
    assert response.headers.get("etag") == answer.headers.get("etag")


def test_not_modified_has_the_vary_of_what_it_stands_for():
    answer = Response(status_code=304, headers={"vary": "Accept"})
    response = client_for(answer).get("/", headers=GZIP)
    assert response.headers["vary"] == "Accept, Accept-Encoding"


@pytest.mark.parametrize(("tag", "sent"), [('"x"', 'W/"x"'), ('W/"x"', 'W/"x"')])
def test_a_strong_tag_of_the_bytes_is_weak_for_the_coded_ones(tag, sent):
    coded = client_for(text(etag=tag)).get("/", headers=GZIP)
    assert coded.headers["etag"] == sent
    assert client_for(text(etag=tag)).get("/", headers=NONE).headers["etag"] == tag


@pytest.mark.parametrize("content", [b"short", bytes(5000)])
@pytest.mark.parametrize("media_type", ["application/json", "font/woff2"])
def test_where_no_coding_is_ruled_out_every_body_has_one(content, media_type):
    headers = {"accept-encoding": "gzip, identity;q=0"}
    response = client_for(Response(content, media_type=media_type)).get("/", headers=headers)
    assert response.headers["content-encoding"] == "gzip"
    assert response.content == content


def test_a_header_that_allows_no_answer_is_refused_before_anything_is_done():
    response = client_for(fail).get("/", headers={"accept-encoding": "*;q=0"})
    assert response.status_code == 406
    (error,) = response.json()["errors"]
    assert error["extensions"] == {"code": "NOT_ACCEPTABLE"}
    assert response.headers["vary"] == "Accept-Encoding"


def test_several_headers_are_one_list():
    headers = [("accept-encoding", "gzip;q=0.5"), ("accept-encoding", "br")]
    assert client_for(text()).get("/", headers=headers).headers["content-encoding"] == "br"


@pytest.mark.parametrize("coding", ["zstd", "br", "gzip"])
def test_a_stream_is_coded_piece_by_piece(coding):
    async def pieces() -> AsyncIterator[bytes]:
        yield b""
        for start in range(0, len(TEXT), 1000):
            yield TEXT[start : start + 1000]

    client = client_for(StreamingResponse, content=pieces(), media_type="text/plain")
    response = client.get("/", headers={"accept-encoding": coding})
    assert response.headers["content-encoding"] == coding
    assert "content-length" not in response.headers
    assert content_of(response) == TEXT


@pytest.mark.parametrize("size", [100, 10_000, 300_000])
def test_a_file_is_the_same_in_every_coding_and_head_agrees(tmp_path, size):
    file = tmp_path / "file.js"
    file.write_bytes((TEXT * 40)[:size])

    def answer(_request: Request) -> Response:
        return FileResponse(file, media_type="text/javascript")

    with serving(app_of(answer)) as base:
        check_file(base, file)


def check_file(base: str, file: Path) -> None:
    large = file.stat().st_size >= LEAST_BYTES
    for coding in ("zstd", "br", "gzip"):
        headers = {"accept-encoding": coding}
        got, head = httpx2.get(base, headers=headers), httpx2.head(base, headers=headers)
        assert content_of(got) == file.read_bytes()
        assert ("content-encoding" in got.headers) is large
        assert ("accept-ranges" in got.headers) is not large
        for name in ("content-encoding", "etag", "vary", "accept-ranges"):
            assert head.headers.get(name) == got.headers.get(name)
        # Left out where it is known only when the content is made.
        assert head.headers.get("content-length") in {None, got.headers.get("content-length")}
    part = httpx2.get(base, headers={**GZIP, "range": "bytes=0-49"})
    assert (part.status_code, part.content) == (206, file.read_bytes()[:50])
    assert "content-encoding" not in part.headers


@pytest.mark.parametrize(("size", "threaded"), [(1000, False), (200_000, True)])
def test_a_very_large_body_is_coded_in_a_thread(monkeypatch, size, threaded):
    ran_in, loop_in = [], []

    def encode(_coding: object, body: bytes) -> bytes:
        ran_in.append(threading.current_thread())
        return zlib.compress(body, wbits=31)

    async def endpoint(_request: Request) -> Response:
        loop_in.append(threading.current_thread())
        return text(b"a" * size)

    monkeypatch.setattr(compression, "encode_whole", encode)
    headers = {"accept-encoding": "gzip, identity;q=0"}
    assert TestClient(app_of(endpoint)).get("/", headers=headers).content == b"a" * size
    assert (ran_in != loop_in) is threaded


async def test_other_messages_and_other_protocols_pass_unchanged():
    sent: list[object] = []

    async def send(message: object) -> None:
        sent.append(message)

    async def app(_scope: object, _receive: object, send_: object) -> None:
        await send_({"type": "http.response.start", "status": 200, "headers": []})  # type: ignore[operator]
        await send_({"type": "http.response.pathsend", "path": "/x"})  # type: ignore[operator]

    middleware = CompressionMiddleware(app)
    headers = [(b"accept-encoding", b"gzip")]
    for kind in ("http", "lifespan"):
        sent.clear()
        scope = {"type": kind, "method": "GET", "headers": headers}
        await middleware(scope, None, send)  # type: ignore[arg-type]
        assert sent == [
            {"type": "http.response.start", "status": 200, "headers": []},
            {"type": "http.response.pathsend", "path": "/x"},
        ]
