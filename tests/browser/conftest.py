"""A real Chromium and a live server for the tests of the pages."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, sync_playwright

from pith_graph.ingest.records import Ingest
from pith_graph.settings import Settings
from pith_graph.store.engine import create_write_engine
from pith_graph.web.app import create_app
from tests.databases import Database, made_database
from tests.records import seed_path
from tests.serving import serving

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
def live_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base URL of a server that holds the seed record; no slash at its end."""
    with made_database("sqlite", tmp_path_factory.mktemp("browser")) as database:
        # In a thread of its own: Playwright's loop may be running in this one.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, _ingest_seed(database)).result()
        with serving(create_app(Settings(database_url=database.text))) as base_url:
            yield base_url


async def _ingest_seed(database: Database) -> None:
    engine = create_write_engine(database.url)
    await Ingest(engine, database.url, lambda: datetime.now(UTC)).run(str(seed_path))
    await engine.dispose()


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
