"""Work ends when its client hangs up."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
from typing import Any
from urllib.parse import urlsplit

import pytest
from starlette.requests import ClientDisconnect

from pith_graph.web.disconnect import run_while_connected


async def stay() -> dict[str, Any]:
    await asyncio.sleep(60)
    return {"type": "http.disconnect"}


async def leave() -> dict[str, Any]:
    return {"type": "http.disconnect"}


class Work:
    """Work that takes long, and knows whether it was cancelled and cleaned up."""

    def __init__(self) -> None:
        self.cleaned = False

    async def run(self) -> str:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            self.cleaned = True
        return "done"


async def test_the_result_is_returned_while_the_client_waits():
    async def work() -> str:
        return "done"

    assert await run_while_connected(work(), stay) == "done"


async def test_work_whose_client_leaves_is_cancelled_and_has_ended():
    work = Work()
    with pytest.raises(ClientDisconnect):
        await run_while_connected(work.run(), leave)
    assert work.cleaned


async def test_a_cancelled_request_has_ended_its_work():
    work = Work()
    task = asyncio.create_task(run_while_connected(work.run(), stay))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert work.cleaned


async def test_a_failure_is_raised_as_it_is():
    async def work() -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await run_while_connected(work(), stay)


async def test_work_cancelled_from_inside_is_a_failure_and_no_cancellation():
    async def work() -> str:
        raise asyncio.CancelledError

    with pytest.raises(RuntimeError, match="from inside"):
        await run_while_connected(work(), stay)


async def test_a_failure_while_the_client_leaves_is_not_told_to_it():
    async def work() -> str:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            raise ZeroDivisionError from None
        return "done"

    with pytest.raises(ClientDisconnect):
        await run_while_connected(work(), leave)
    assert not cancellations()


async def test_work_that_goes_on_after_the_client_left_is_not_answered():
    async def work() -> str:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        return "done"

    with pytest.raises(ClientDisconnect):
        await run_while_connected(work(), leave)
    assert not cancellations()


async def test_a_connection_that_cannot_be_read_is_gone():
    async def broken() -> dict[str, Any]:
        raise OSError

    work = Work()
    with pytest.raises(ClientDisconnect):
        await run_while_connected(work.run(), broken)
    assert work.cleaned


async def test_a_client_that_leaves_as_the_request_is_cancelled_does_not_hide_that():
    leaving = asyncio.Event()

    async def leave_then() -> dict[str, Any]:
        await leaving.wait()
        return {"type": "http.disconnect"}

    task = asyncio.create_task(run_while_connected(Work().run(), leave_then))
    await asyncio.sleep(0.01)
    leaving.set()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_nothing_watches_any_more_when_the_work_has_ended():
    async def work() -> str:
        await asyncio.sleep(0)
        return "done"

    before = asyncio.all_tasks()
    await run_while_connected(work(), stay)
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == before


@pytest.fixture
def settings(settings):
    return settings.model_copy(update={"request_timeout_seconds": 30.0})


def test_a_client_that_hangs_up_releases_the_context_at_once(live_server, releases):
    address = urlsplit(live_server)
    body = json.dumps({"query": "{ slow }"}).encode()
    head = (
        "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection((address.hostname, address.port or 80)) as wire:
        wire.sendall(head.encode() + body)
        wait_until(lambda: releases.opened == 1)
        assert releases.released == 0
    wait_until(lambda: releases.released == 1)


def cancellations() -> int:
    task = asyncio.current_task()
    return task.cancelling() if task else 0


def wait_until(condition) -> None:
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline, "it did not happen within 5 s"
        time.sleep(0.01)
