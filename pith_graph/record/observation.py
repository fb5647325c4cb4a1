"""One citation as the record prints it: the observation, its standing notice and its digest."""

from __future__ import annotations

from typing import Any

from pith_graph.canonical import digest_bytes, render_canonical
from pith_graph.instants import render_instant, render_offset_instant
from pith_graph.read.rows import (
    CitationRow,
    EventRow,
    PaperRow,
    ReceiptRow,
    StandingRow,
)
from pith_graph.record_text import citation_links, no_event_sentence
from pith_graph.vocabulary import MeasurementState, UnavailableReason

Json = dict[str, Any]


def build_observation(citation: CitationRow, standing: StandingRow | None) -> Json:
    """Build a citation's observation with its digest.

    Args:
        citation: The citation.
        standing: The standing of its linked work; None without one.
    """
    observation = build_undigested(citation, standing)
    return observation | {"observation_digest": digest_bytes(render_canonical(observation))}


def build_undigested(citation: CitationRow, standing: StandingRow | None) -> Json:
    """Build what a citation's ``observation_digest`` covers."""
    cited = citation.cited_paper
    return {
        "citation": {
            "cited_paper": None if cited is None else _cited_paper(cited),
            "cited_work": _cited_work(citation),
            "citing_paper": _cited_paper(citation.citing_paper),
            "reference_index": citation.reference_index,
            "source": citation.source.spelling(citation.source_raw),
            "source_observed_at": render_instant(citation.source_observed_at),
        },
        "links": citation_links(
            citation.citing_paper.arxiv_id, None if cited is None else cited.arxiv_id
        ),
        "observation_id": citation.observation_id,
        "resolution": _resolution(citation),
        "standing_notice": build_standing_notice(standing),
    }


def notice_state(
    standing: StandingRow | None,
) -> tuple[MeasurementState, UnavailableReason | None]:
    """Say whether a standing was measured, and why not.

    Args:
        standing: What is stored of a linked work's standing; None without a linked work.
    """
    if standing is None:
        return MeasurementState.UNAVAILABLE, UnavailableReason.CANONICAL_WORK_LINK_UNAVAILABLE
    if not standing.receipts and not standing.events:
        return MeasurementState.UNAVAILABLE, UnavailableReason.STANDING_SOURCE_NOT_LOADED
    return MeasurementState.MEASURED, None


def notice_sentence(standing: StandingRow | None) -> str | None:
    """Return the sentence of a measured notice without events, else None."""
    if standing is None or standing.events or standing.checked_at is None:
        return None
    return no_event_sentence(standing.checked_at)


def build_standing_notice(standing: StandingRow | None) -> Json:
    """Build the standing notice of a linked work, or of none."""
    state, reason = notice_state(standing)
    notice: Json = {
        "events": [] if standing is None else [_event(event) for event in standing.events],
        "reason": None if reason is None else reason.value,
        "source_receipts": [] if standing is None else build_receipts(standing.receipts),
        "state": state.value,
    }
    sentence = notice_sentence(standing)
    return notice if sentence is None else notice | {"observation": sentence}


def build_receipts(receipts: tuple[ReceiptRow, ...]) -> list[Json]:
    """Build receipts as the record prints them, with ``+00:00``."""
    return [
        {"observed_at": render_offset_instant(row.observed_at), "source": row.spelling}
        for row in receipts
    ]


def _event(event: EventRow) -> Json:
    return {
        "kind": event.kind.spelling(event.kind_raw),
        "notice_doi": event.notice_doi,
        "observed_at": render_offset_instant(event.observed_at),
        "occurred_on": event.occurred_on,
        "raw_type": event.raw_type,
        "source": event.source.spelling(event.source_raw),
    }


def _resolution(citation: CitationRow) -> Json:
    resolution = citation.resolution
    source = resolution.resolver_source
    return {
        "observed_at": render_instant(resolution.observed_at),
        "resolver_source": None
        if source is None
        else source.spelling(resolution.resolver_source_raw),
        "status": resolution.status.value,
    }


def _cited_paper(paper: PaperRow) -> Json:
    return {
        "arxiv_id": paper.arxiv_id,
        "last_updated": render_instant(paper.last_updated),
        "snapshot_observed_at": render_instant(paper.snapshot_observed_at),
        "submitted_at": render_instant(paper.submitted_at),
        "title": paper.title,
        "version": paper.latest_version,
    }


def _cited_work(citation: CitationRow) -> Json:
    """Build ``cited_work``: the linked work's fields, or without one what the entry says."""
    work, said, paper = citation.cited_work, citation.cited_as, citation.cited_paper
    shown: Json = {"pith_arxiv_id": None if paper is None else paper.arxiv_id}
    if work is None:
        return shown | {
            "arxiv_id": said.arxiv_id,
            "doi": said.doi,
            "metadata_source": None,
            "snapshot_observed_at": render_instant(citation.source_observed_at),
            "title": said.title,
            "venue": said.venue,
            "work_id": None,
            "year": said.year,
        }
    source = work.metadata_source
    return shown | {
        "arxiv_id": work.arxiv_id,
        "doi": work.doi,
        "metadata_source": None if source is None else source.spelling(work.metadata_source_raw),
        "snapshot_observed_at": render_instant(work.snapshot_observed_at),
        "title": work.title,
        "venue": work.venue,
        "work_id": work.work_id,
        "year": work.year,
    }
