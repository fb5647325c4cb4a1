"""From a written identifier to what is held, with its echo.

``types/test_query.py`` has all the written forms.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pith_graph.errors import MalformedIdentifierError, NotHeldError
from pith_graph.gql.context import open_context
from pith_graph.gql.identify import load_paper, load_work
from pith_graph.settings import Settings
from tests.records import SEED_ID, seed_path


@pytest.fixture
async def context(read_engine, ingest):
    await ingest(seed_path)
    now = datetime(2026, 8, 10, tzinfo=UTC)
    async with open_context(read_engine, Settings(), clock=lambda: now) as opened:
        yield opened


async def test_a_version_that_was_asked_for_is_echoed(context):
    paper = await load_paper(context, f"arXiv:{SEED_ID}v4")
    assert paper.arxiv_id == SEED_ID
    assert context.identifiers == [
        {"input": f"arXiv:{SEED_ID}v4", "arxivId": SEED_ID, "version": 4}
    ]


async def test_what_is_not_held_is_echoed_and_what_is_malformed_is_not(context):
    with pytest.raises(NotHeldError):
        await load_paper(context, "2401.00001v2")
    with pytest.raises(NotHeldError):
        await load_paper(context, "10.5555/none")
    with pytest.raises(MalformedIdentifierError):
        await load_paper(context, "nonsense")
    assert context.identifiers == [
        {"input": "2401.00001v2", "arxivId": "2401.00001", "version": 2},
        {"input": "10.5555/none", "arxivId": None, "version": None},
    ]


async def test_a_work_is_not_asked_for_by_another_kind_of_identifier(context):
    with pytest.raises(MalformedIdentifierError):
        await load_work(context, doi="2509.00217")
    with pytest.raises(MalformedIdentifierError, match="it is a DOI, but none of arXiv's"):
        await load_work(context, arxiv_id="10.5555/x")
    assert context.statements == 0
