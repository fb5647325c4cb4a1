"""Typed observations: what a source says, before it is written.

Sources make them, the writer takes them. A field is None where the source does not say. All
instants are aware UTC datetimes. Open vocabularies travel as the source's own spelling; the writer
maps them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from pith_graph.vocabulary import CoverageLane, MeasurementState, ResolutionStatus


@dataclass(frozen=True, slots=True)
class PaperObservation:
    """A paper's metadata as one snapshot shows it.

    A cited paper comes without a category; what a snapshot does not say never erases what is known.
    """

    arxiv_id: str
    title: str
    version: int
    submitted_at: datetime
    last_updated: datetime
    snapshot_observed_at: datetime
    primary_category: str | None = None


@dataclass(frozen=True, slots=True)
class CitedReferenceObservation:
    """What a bibliography entry says. All None where only the linked work is shown."""

    title: str | None = None
    year: int | None = None
    venue: str | None = None
    doi: str | None = None
    arxiv_id: str | None = None


@dataclass(frozen=True, slots=True)
class WorkObservation:
    """A canonical work's metadata as one snapshot shows it."""

    work_id: UUID
    doi: str | None
    arxiv_id: str | None
    title: str | None
    venue: str | None
    year: int | None
    metadata_source: str | None
    snapshot_observed_at: datetime


@dataclass(frozen=True, slots=True)
class EventObservation:
    """One standing event about a work, as one source states it. ``occurred_on`` is as written."""

    kind: str
    raw_type: str | None
    notice_doi: str | None
    occurred_on: str | None
    source: str
    observed_at: datetime


@dataclass(frozen=True, slots=True)
class ReceiptObservation:
    """That a standing source was consulted at a time."""

    source: str
    observed_at: datetime


@dataclass(frozen=True, slots=True)
class ResolutionObservation:
    """The link from a citation to a work, or the typed reason that there is none."""

    status: ResolutionStatus
    resolver_source: str | None
    observed_at: datetime


@dataclass(frozen=True, slots=True)
class CitationObservation:
    """One entry of one paper's bibliography, with its link and its work's standing.

    ``cited_paper`` is the held paper that the entry points to, ``work`` the canonical work that it
    is linked to. ``events`` and ``receipts`` speak of ``work`` and are empty without one.
    """

    observation_id: UUID
    citing_paper: PaperObservation
    reference_index: int
    source: str
    source_observed_at: datetime
    cited_as: CitedReferenceObservation
    cited_paper: PaperObservation | None
    work: WorkObservation | None
    resolution: ResolutionObservation
    events: tuple[EventObservation, ...]
    receipts: tuple[ReceiptObservation, ...]


@dataclass(frozen=True, slots=True)
class MeasurementObservation:
    """One source's own count of a paper's citations, dated."""

    source: str
    count: int
    observed_at: datetime
    url: str | None


@dataclass(frozen=True, slots=True)
class RecordObservation:
    """All that one Paper Citation Record observes.

    ``outbound`` and ``inbound`` are in the record's order. ``total_outbound`` (None where the
    record does not know it) and
    ``total_inbound`` are the totals that it declares; where more entries are declared than shown
    the record is partial. ``lanes`` has the state of all four coverage lanes.
    """

    as_of: datetime
    paper: PaperObservation
    outbound: tuple[CitationObservation, ...]
    inbound: tuple[CitationObservation, ...]
    total_outbound: int | None
    total_inbound: int
    standing_sources: tuple[ReceiptObservation, ...]
    measurements: tuple[MeasurementObservation, ...]
    lanes: dict[CoverageLane, MeasurementState]
    context_digest: str
