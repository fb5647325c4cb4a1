"""A real Chromium and a live server for the tests of the pages."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import uvicorn
from graphql import build_schema, graphql_sync
from playwright.sync_api import Browser, sync_playwright
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from pith_graph.web import pages

CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def live_server() -> Iterator[str]:
    """The base URL of a server that answers the starter query; no slash at its end."""
    with serving(stand_in_app()) as base_url:
        yield base_url


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    path = os.environ.get("PITH_TEST_CHROMIUM") or shutil.which("chromium")
    if not path:
        pytest.fail(
            "no Chromium for the browser tests: install it (Debian: `apt-get install chromium`) "
            "or name its program in PITH_TEST_CHROMIUM"
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        yield browser
        browser.close()


@contextmanager
def serving(app: ASGIApp) -> Iterator[str]:
    """Serve ``app`` on a free port, from a thread, until the block ends."""
    config = uvicorn.Config(app, log_level="warning", ws="none", timeout_graceful_shutdown=2)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
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
            thread.join()


STAND_IN_SCHEMA = '''
"""Serves one paper; an edge means that one paper names another."""
schema { query: Query }
type Query { paper(id: String!): Paper }
"A paper that the store holds."
type Paper {
  arxivId: String! title: String! latestVersion: Int primaryCategory: String submittedAt: String
  outbound(first: Int = 20): Citations!
  referenceResolution: ReferenceResolution!
  coverage: [Coverage!]!
}
type Citations { totalCount: Int edges: [CitationEdge!]! }
type CitationEdge { node: Citation! }
type Citation {
  referenceIndex: Int! observationId: ID! citedAs: CitedReference! citedPaper: Paper
  citedWork: Work resolution: Resolution! standingNotice: StandingNotice!
}
type CitedReference { title: String year: Int }
type Work { workId: ID! title: String year: Int doi: String }
type Resolution { status: String! resolverSource: String observedAt: String }
type StandingNotice {
  state: String! reason: String observation: String checkedAt: String
  sourceReceipts: [SourceReceipt!]!
}
type SourceReceipt { source: String! observedAt: String! }
type ReferenceResolution {
  displayed: Int! totalOutboundReferences: Int stateCounts: [StateCount!]!
}
type StateCount { status: String! count: Int! }
type Coverage {
  lane: String! state: String! denominator: Int recordsObserved: Int checked: Int source: String
  sourceObservedAt: String note: String emptyMeans: String
}
'''


def stand_in_app() -> Starlette:
    """The pages over a schema that has just what the starter query asks for."""
    schema = build_schema(STAND_IN_SCHEMA)
    paper = {
        "arxivId": "2509.00217",
        "title": "A stand-in paper",
        "outbound": {"totalCount": 0, "edges": []},
        "referenceResolution": {"displayed": 0, "stateCounts": []},
        "coverage": [],
    }

    async def endpoint(request: Request) -> Response:
        if request.method == "GET":
            return pages.graphiql_response(starter=pages.starter_query())
        body = await request.json()
        result = graphql_sync(
            schema,
            body["query"],
            {"paper": paper},
            variable_values=body.get("variables"),
            operation_name=body.get("operationName"),
        )
        return JSONResponse(result.formatted)

    return Starlette(
        routes=[
            Route("/", pages.home),
            Route("/graphql", endpoint, methods=["GET", "POST"]),
            pages.static_mount(),
        ]
    )
