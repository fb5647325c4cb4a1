"""Request bodies: the limit, the polite reading past it, and flat memory."""

from __future__ import annotations

import asyncio
import json
import socket
import time
import tracemalloc
from collections.abc import Awaitable, Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect

from pith_graph.web.body import BodyLimits, read_body
from pith_graph.web.refusal import RequestRefusedError

MIB = 1024 * 1024
LIMITS = BodyLimits(kept_bytes=10, drained_bytes=100, drained_seconds=0.05, seconds=0.05)

Receive = Callable[[], Awaitable[dict[str, Any]]]


def receiving(*chunks: bytes, then: str = "end") -> Receive:
    """Receive these chunks; then the end, a disconnect, or nothing more for ever."""
    messages = [
        {"type": "http.request", "body": chunk, "more_body": then != "end" or n < len(chunks) - 1}
        for n, chunk in enumerate(chunks)
    ]

    async def receive() -> dict[str, Any]:
        if messages:
            return messages.pop(0)
        if then == "disconnect":
            return {"type": "http.disconnect"}
        await asyncio.sleep(60)
        pytest.fail("the body was read past its end")

    return receive


async def test_a_body_at_the_limit_is_taken_whole():
    body = await read_body(Headers(), receiving(b"12345", b"", b"67890"), LIMITS)
    assert body == b"1234567890"


@pytest.mark.parametrize("chunks", [(b"12345678901",), (b"1234567890", b"1"), (b"1" * 9,) * 11])
async def test_a_body_over_the_limit_is_read_to_its_end_and_the_connection_kept(chunks):
    with pytest.raises(RequestRefusedError, match="the limit is 10 bytes") as caught:
        await read_body(Headers(), receiving(*chunks), LIMITS)
    assert (caught.value.status, caught.value.headers) == (413, {})


@pytest.mark.parametrize(
    ("headers", "receive"),
    [
        ({}, receiving(b"1" * 60, b"1" * 60, then="silence")),
        ({}, receiving(b"1" * 60, then="silence")),
        ({"content-length": "101"}, receiving(then="silence")),
        ({"content-length": "11", "expect": "100-continue"}, receiving(then="silence")),
        ({"content-length": "11"}, receiving(b"1" * 5, then="silence")),
    ],
    ids=["too long to read", "too slow", "announced too long", "waits for consent", "stalls"],
)
async def test_the_connection_is_closed_on_what_is_not_read_to_its_end(headers, receive):
    with pytest.raises(RequestRefusedError) as caught:
        await read_body(Headers(headers), receive, LIMITS)
    assert (caught.value.status, caught.value.headers) == (413, {"connection": "close"})


async def test_a_body_that_does_not_arrive_is_given_up():
    with pytest.raises(RequestRefusedError, match="did not arrive") as caught:
        await read_body(Headers(), receiving(b"1", then="silence"), LIMITS)
    assert (caught.value.status, caught.value.headers) == (408, {"connection": "close"})


@pytest.mark.parametrize("length", [3, 50])
async def test_a_client_that_goes_away_ends_the_reading(length):
    with pytest.raises(ClientDisconnect):
        await read_body(Headers(), receiving(b"1" * length, then="disconnect"), LIMITS)


async def test_memory_is_flat_whatever_is_sent():
    sent = 0

    async def receive() -> dict[str, Any]:
        nonlocal sent
        sent += 1
        return {"type": "http.request", "body": bytes(64 * 1024), "more_body": sent < 400}

    tracemalloc.start()
    try:
        with pytest.raises(RequestRefusedError):
            await read_body(Headers(), receive, BodyLimits(kept_bytes=MIB))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert sent == 400
    assert peak < 3 * MIB


def assert_refused(response: httpx2.Response) -> None:
    assert response.status_code == 413
    (error,) = response.json()["errors"]
    assert error["extensions"]["code"] == "PAYLOAD_TOO_LARGE"
    assert "the limit is 1048576 bytes" in error["message"]


@pytest.mark.parametrize("chunked", [False, True])
def test_an_ordinary_client_sees_the_refusal_of_20_mb_and_goes_on(live_server, chunked):
    body = bytes(20 * MIB)
    content: Any = (body[n : n + MIB] for n in range(0, len(body), MIB)) if chunked else body
    headers = {"content-type": "application/json"}
    with httpx2.Client(base_url=live_server) as client:
        tracemalloc.start()
        try:
            response = client.post("/graphql", content=content, headers=headers)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert_refused(response)
        assert "connection" not in response.headers
        assert peak < 8 * MIB
        after = client.post("/graphql", json={"query": "{ hello }"})
        assert after.json()["data"] == {"hello": "world"}


def speak(base_url: str, head: str, chunks: Iterator[bytes]) -> tuple[bytes, int]:
    """Send a request by hand; return what came back, and how many bytes were taken."""
    address = urlsplit(base_url)
    sent = 0
    with socket.create_connection((address.hostname, address.port or 80), timeout=10) as wire:
        wire.sendall(f"POST /graphql HTTP/1.1\r\nHost: x\r\n{head}\r\n\r\n".encode())
        try:
            for chunk in chunks:
                wire.sendall(chunk)
                sent += len(chunk)
        except (BrokenPipeError, ConnectionResetError):
            pass
        answer = b""
        try:
            while data := wire.recv(65_536):
                answer += data
        except ConnectionResetError:
            pass
    return answer, sent


def test_a_client_that_waits_for_consent_sends_nothing(live_server):
    head = "Content-Type: application/json\r\nContent-Length: 20971520\r\nExpect: 100-continue"
    answer, _ = speak(live_server, head, iter(()))
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"connection: close" in answer.lower()
    assert b"100 Continue" not in answer


def test_a_client_that_waits_for_consent_to_a_small_body_gets_it(live_server):
    body = json.dumps({"query": "{ hello }"}).encode()
    head = (
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        "Expect: 100-continue\r\nConnection: close"
    )

    def after_consent() -> Iterator[bytes]:
        time.sleep(0.1)
        yield body

    answer, _ = speak(live_server, head, after_consent())
    assert answer.startswith(b"HTTP/1.1 100 Continue")
    assert b'"hello":"world"' in answer


def test_a_client_that_never_stops_is_cut_off(live_server):
    def endless() -> Iterator[bytes]:
        while True:
            yield b"10000\r\n" + bytes(0x10000) + b"\r\n"

    head = "Content-Type: application/json\r\nTransfer-Encoding: chunked"
    started = time.monotonic()
    _, sent = speak(live_server, head, endless())
    assert sent < 64 * MIB
    assert time.monotonic() - started < 10
