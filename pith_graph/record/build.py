"""Building the Paper Citation Record from rows: pure, and anew each time it is asked for."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from pith_graph.canonical import digest_bytes, render_canonical
from pith_graph.instants import floor_to_minute, render_instant, render_offset_instant
from pith_graph.read.rows import CitationRow, MeasurementRow
from pith_graph.record.coverage import Lane, build_lanes, standing_sources
from pith_graph.record.facts import RecordFacts
from pith_graph.record.observation import Json, build_observation, build_receipts
from pith_graph.record_text import CAPS, REFUSAL, SCHEMA_NAME, paper_links, thesis
from pith_graph.vocabulary import CoverageLane, ResolutionStatus

_OUTSIDE_DIGEST = frozenset({"as_of", "context_digest"})


def build_record(facts: RecordFacts, *, as_of: datetime) -> Json:
    """Build the record; ``as_of`` is printed to the minute and not covered by the digest."""
    printed = floor_to_minute(as_of)
    paper = facts.paper
    record: Json = {
        "caps": dict(CAPS),
        "coverage": [_lane(lane) for lane in build_lanes(facts)],
        "external_citation_measurements": [_measurement(m) for m in facts.notes.measurements],
        "inbound": [_observation(facts, citation) for citation in facts.inbound],
        "links": paper_links(paper.arxiv_id),
        "outbound": [_observation(facts, citation) for citation in facts.outbound],
        "paper": {
            "arxiv_id": paper.arxiv_id,
            "last_updated": render_instant(paper.last_updated),
            "latest_version": paper.latest_version,
            "primary_category": paper.primary_category,
            "snapshot_observed_at": render_instant(paper.snapshot_observed_at),
            "submitted_at": render_instant(paper.submitted_at),
            "title": paper.title,
        },
        "reference_resolution": {
            "displayed": len(facts.outbound),
            "state_counts": {status.value: n for status, n in count_states(facts).items()},
            "total_outbound_references": facts.total_outbound,
        },
        "refusal": REFUSAL,
        "schema": SCHEMA_NAME,
        "standing_sources": build_receipts(standing_sources(facts)),
        "thesis": build_thesis(facts, as_of=printed),
    }
    return record | {
        "as_of": render_instant(printed),
        "context_digest": digest_bytes(render_canonical(record)),
    }


def record_bytes(record: Json) -> bytes:
    """Encode a whole record as canonical JSON."""
    return render_canonical(record)


def covered_bytes(record: Json) -> bytes:
    """Encode what a record's ``context_digest`` covers as canonical JSON."""
    return render_canonical({k: v for k, v in record.items() if k not in _OUTSIDE_DIGEST})


def count_states(facts: RecordFacts) -> dict[ResolutionStatus, int]:
    """Count the displayed outbound citations by resolution status; all six are listed."""
    counted = Counter(citation.resolution.status for citation in facts.outbound)
    return {status: counted[status] for status in ResolutionStatus}


def build_thesis(facts: RecordFacts, *, as_of: datetime) -> str:
    """Build the record's first sentence."""
    return thesis(
        as_of=as_of,
        displayed=len(facts.outbound),
        total_outbound=facts.total_outbound,
        total_inbound=facts.total_inbound,
        arxiv_id=facts.paper.arxiv_id,
    )


def _observation(facts: RecordFacts, citation: CitationRow) -> Json:
    work = citation.cited_work
    return build_observation(citation, None if work is None else facts.standing[work.key])


def _measurement(row: MeasurementRow) -> Json:
    return {
        "count": row.count,
        "observed_at": render_instant(row.observed_at),
        "source": row.source.spelling(row.source_raw),
        "url": row.url,
    }


def _lane(lane: Lane) -> Json:
    at = lane.source_observed_at
    # The standing sources' own spelling of UTC, as in their receipts.
    render = render_offset_instant if lane.lane is CoverageLane.STANDING_NOTICES else render_instant
    return {
        "denominator": lane.denominator,
        "lane": lane.lane.value,
        "note": lane.note,
        "records_observed": lane.records_observed,
        "source": lane.source,
        "source_observed_at": None if at is None else render(at),
        "state": lane.state.value,
    }
