"""A live HTTP server of an ASGI application, for the tests that need one."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp


@contextmanager
def serving(app: ASGIApp) -> Iterator[str]:
    """Serve ``app`` on a free port, from a thread, until the block ends; yield its base URL."""
    config = uvicorn.Config(app, log_level="warning", ws="none", timeout_graceful_shutdown=2)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            deadline = time.monotonic() + 10
            while not server.started:
                assert thread.is_alive(), "the server ended before it had started"
                assert time.monotonic() < deadline, "the server did not start within 10 s"
                time.sleep(0.01)
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(10)
