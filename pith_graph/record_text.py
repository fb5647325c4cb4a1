"""The fixed sentences, texts and addresses of a Paper Citation Record, each written once.

Sources check records against them, ``record/`` builds records from them, GraphQL shows them. Every
function is pure: no stored copy of a sentence is served back.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from pith_graph.instants import render_offset_instant
from pith_graph.vocabulary import CoverageLane

SCHEMA_NAME: Final = "pith.paper-citation-record.v1"

REFUSAL: Final = (
    "A citation records a reference. It does not transfer a finding from one paper to another."
)

CAPS: Final[Mapping[str, int]] = {"outbound": 100, "inbound": 100, "database_statements": 6}
"""Citations displayed in each direction at most, and statements that a record may spend."""

LANE_SOURCES: Final[Mapping[CoverageLane, str]] = {
    CoverageLane.REFERENCE_RESOLUTION: "paper_references, paper_reference_links",
    CoverageLane.STANDING_NOTICES: "scholarly_work_events, retraction_status_cache",
    CoverageLane.INBOUND_ITEMIZATION: "paper_references, paper_reference_links",
    CoverageLane.EXTERNAL_CITATION_MEASUREMENTS: "cited_works",
}

LANE_NOTES: Final[Mapping[CoverageLane, str]] = {
    CoverageLane.REFERENCE_RESOLUTION: "Typed states for the displayed outbound observations.",
    CoverageLane.STANDING_NOTICES: "One-hop event checks from named stored sources.",
    CoverageLane.INBOUND_ITEMIZATION: ("Pith citing papers itemized under the disclosed page cap."),
    CoverageLane.EXTERNAL_CITATION_MEASUREMENTS: (
        "A source-named dated measurement, never combined with another source."
    ),
}

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def no_event_sentence(newest: datetime) -> str:
    """Render the sentence of a measured standing notice without events.

    Args:
        newest: The time of the newest receipt.
    """
    at = render_offset_instant(newest)
    return f"No event found in the named queried sources as of {at}."


def thesis(
    *,
    as_of: datetime,
    displayed: int,
    total_outbound: int | None,
    total_inbound: int,
    arxiv_id: str,
) -> str:
    """Render the record's first sentence, which names the day and the counts.

    ``total_outbound`` is None where nothing says how many references the paper has.
    """
    total = "an unknown number of" if total_outbound is None else total_outbound
    day = f"{as_of.day} {_MONTHS[as_of.month - 1]} {as_of.year}"
    return (
        f"As of {day}, this Paper Citation Record lists {displayed} of {total} outbound "
        f"references and {total_inbound} inbound Pith citation observations for arXiv:{arxiv_id}."
    )


def paper_links(arxiv_id: str) -> dict[str, str]:
    """Return the addresses that a record gives for its paper."""
    paper = f"/paper/{arxiv_id}"
    return {
        "evidence": "/evidence",
        "html": f"{paper}/citation-record",
        "integrity": f"{paper}/integrity",
        "json": f"{paper}/citation-record.json",
        "paper": paper,
    }


def citation_links(citing: str, cited: str | None) -> dict[str, str]:
    """Return the addresses that a citation gives, from arXiv ids; ``cited`` where it is held."""
    links = {"citing_paper": f"/paper/{citing}"}
    if cited is not None:
        links["cited_paper"] = f"/paper/{cited}"
    return links
