"""The real application over a database of the test's own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.asking import Asking, asking
from tests.databases import Database


@pytest.fixture
async def graph(database: Database) -> AsyncIterator[Asking]:
    async with asking(database) as asked:
        yield asked
