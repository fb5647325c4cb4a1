"""The facts that one record is built from, and reading them, of now or of any time.

Of now they come through a request's loaders, so that what the request also shows is not read twice;
of a past time from the history twins. At most six statements either way.
"""

from __future__ import annotations

from asyncio import gather
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pith_graph.errors import NotHeldError
from pith_graph.instants import render_instant
from pith_graph.read.history import fetch_past_citations, fetch_past_paper
from pith_graph.read.lists import CitationList
from pith_graph.read.loaders import Loaders
from pith_graph.read.pages import PageRequest
from pith_graph.read.rows import (
    CitationRow,
    HoldingsRow,
    PaperNotes,
    PaperRow,
    StandingRow,
)
from pith_graph.read.snapshot import Snapshot
from pith_graph.read.standing import fetch_paper_notes, fetch_standing
from pith_graph.record_text import CAPS

OUTBOUND_PAGE = PageRequest.first(CitationList.OUTBOUND, CAPS["outbound"])
INBOUND_PAGE = PageRequest.first(CitationList.INBOUND, CAPS["inbound"])


@dataclass(frozen=True, slots=True)
class RecordFacts:
    """All that a Paper Citation Record says, as rows of one snapshot.

    Attributes:
        outbound: The displayed citations that the paper makes, at most 100.
        inbound: The displayed citations of the paper, at most 100.
        total_outbound: How many references it has; None where no bibliography is loaded.
        standing: The standing of the displayed works, by integer id.
    """

    paper: PaperRow
    holdings: HoldingsRow
    outbound: tuple[CitationRow, ...]
    inbound: tuple[CitationRow, ...]
    total_outbound: int | None
    total_inbound: int
    standing: Mapping[int, StandingRow]
    notes: PaperNotes


async def load_facts(loaders: Loaders, paper: PaperRow) -> RecordFacts:
    """Load the facts of now through a request's loaders."""
    pages, holdings, notes = await gather(
        loaders.pages.load_all([(OUTBOUND_PAGE, paper.key), (INBOUND_PAGE, paper.key)]),
        loaders.holdings.load(paper.key),
        loaders.paper_notes.load(paper.key),
    )
    outbound = pages[OUTBOUND_PAGE, paper.key].items
    inbound = pages[INBOUND_PAGE, paper.key].items
    return RecordFacts(
        paper=paper,
        holdings=holdings,
        outbound=outbound,
        inbound=inbound,
        total_outbound=holdings.total_outbound,
        total_inbound=holdings.total_inbound,
        standing=await loaders.standing.load_all(_works([*outbound, *inbound])),
        notes=notes,
    )


async def fetch_past_facts(snapshot: Snapshot, arxiv_id: str, *, at: datetime) -> RecordFacts:
    """Read the facts as they were known at a time.

    Raises:
        NotHeldError: The paper was not held then.
    """
    past = await fetch_past_paper(snapshot, arxiv_id, at=at)
    if past is None:
        raise NotHeldError("paper", f"{arxiv_id} as of {render_instant(at)}")
    paper, key = past.paper, past.paper.key
    outbound = await fetch_past_citations(
        snapshot, CitationList.OUTBOUND, key, at=at, size=CAPS["outbound"]
    )
    inbound = await fetch_past_citations(
        snapshot, CitationList.INBOUND, key, at=at, size=CAPS["inbound"]
    )
    works = _works([*outbound.items, *inbound.items])
    holdings = past.holdings
    return RecordFacts(
        paper=paper,
        holdings=holdings,
        outbound=outbound.items,
        inbound=inbound.items,
        total_outbound=holdings.total_of(outbound.total),
        total_inbound=max(inbound.total, holdings.declared_inbound or 0),
        standing=await fetch_standing(snapshot, works, at=at),
        notes=(await fetch_paper_notes(snapshot, [key], at=at))[key],
    )


def _works(citations: list[CitationRow]) -> list[int]:
    return sorted({c.cited_work.key for c in citations if c.cited_work is not None})
