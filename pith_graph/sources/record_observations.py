"""Turning a validated record into the observations that the writer takes. Pure.

``pith_record`` calls ``observe_record``; ``record_checks`` compares what the parts observe.
"""

from __future__ import annotations

from pith_graph.observations import (
    CitationObservation,
    CitedReferenceObservation,
    EventObservation,
    MeasurementObservation,
    PaperObservation,
    ReceiptObservation,
    RecordObservation,
    ResolutionObservation,
    WorkObservation,
)
from pith_graph.sources.record_model import (
    CitedWorkModel,
    EventModel,
    HeldPaperModel,
    MeasurementModel,
    ObservationModel,
    PaperModel,
    ReceiptModel,
    RecordModel,
)
from pith_graph.vocabulary import CoverageLane


def observe_record(record: RecordModel) -> RecordObservation:
    """Make the observations of a record that has passed ``record_checks``."""
    lanes = {lane.lane: lane for lane in record.coverage}
    return RecordObservation(
        as_of=record.as_of,
        paper=observe_paper(record.paper),
        outbound=tuple(map(observe_citation, record.outbound)),
        inbound=tuple(map(observe_citation, record.inbound)),
        total_outbound=record.reference_resolution.total_outbound_references,
        total_inbound=lanes[CoverageLane.INBOUND_ITEMIZATION].denominator,
        standing_sources=tuple(map(observe_receipt, record.standing_sources)),
        measurements=tuple(map(_observe_measurement, record.external_citation_measurements)),
        lanes={lane.lane: lane.state for lane in record.coverage},
        context_digest=record.context_digest,
    )


def observe_paper(paper: PaperModel) -> PaperObservation:
    """Observe the paper that a record is about."""
    return PaperObservation(
        arxiv_id=paper.arxiv_id,
        title=paper.title,
        version=paper.latest_version,
        submitted_at=paper.submitted_at,
        last_updated=paper.last_updated,
        snapshot_observed_at=paper.snapshot_observed_at,
        primary_category=paper.primary_category,
    )


def observe_held_paper(paper: HeldPaperModel) -> PaperObservation:
    """Observe a citing or cited paper; its category is not said."""
    return PaperObservation(
        arxiv_id=paper.arxiv_id,
        title=paper.title,
        version=paper.version,
        submitted_at=paper.submitted_at,
        last_updated=paper.last_updated,
        snapshot_observed_at=paper.snapshot_observed_at,
    )


def observe_work(work: CitedWorkModel) -> WorkObservation | None:
    """Observe the linked work; None where there is none."""
    if work.work_id is None:
        return None
    return WorkObservation(
        work_id=work.work_id,
        doi=work.doi,
        arxiv_id=work.arxiv_id,
        title=work.title,
        venue=work.venue,
        year=work.year,
        metadata_source=work.metadata_source,
        snapshot_observed_at=work.snapshot_observed_at,
    )


def observe_citation(item: ObservationModel) -> CitationObservation:
    """Observe one citation with its link and its work's standing."""
    citation, standing, cited = item.citation, item.standing_notice, item.citation.cited_paper
    return CitationObservation(
        observation_id=item.observation_id,
        citing_paper=observe_held_paper(citation.citing_paper),
        reference_index=citation.reference_index,
        source=citation.source,
        source_observed_at=citation.source_observed_at,
        cited_as=_observe_reference(citation.cited_work),
        cited_paper=None if cited is None else observe_held_paper(cited),
        work=observe_work(citation.cited_work),
        resolution=ResolutionObservation(
            status=item.resolution.status,
            resolver_source=item.resolution.resolver_source,
            observed_at=item.resolution.observed_at,
        ),
        events=tuple(map(observe_event, standing.events)),
        receipts=tuple(map(observe_receipt, standing.source_receipts)),
    )


def observe_event(event: EventModel) -> EventObservation:
    """Observe one standing event."""
    return EventObservation(
        kind=event.kind,
        raw_type=event.raw_type,
        notice_doi=event.notice_doi,
        occurred_on=event.occurred_on,
        source=event.source,
        observed_at=event.observed_at,
    )


def observe_receipt(receipt: ReceiptModel) -> ReceiptObservation:
    """Observe that a standing source was asked."""
    return ReceiptObservation(source=receipt.source, observed_at=receipt.observed_at)


def _observe_reference(work: CitedWorkModel) -> CitedReferenceObservation:
    """Observe what the entry says, which a record shows only where no work is linked."""
    if work.work_id is not None:
        return CitedReferenceObservation()
    return CitedReferenceObservation(
        title=work.title,
        year=work.year,
        venue=work.venue,
        doi=work.doi,
        arxiv_id=work.arxiv_id,
    )


def _observe_measurement(measurement: MeasurementModel) -> MeasurementObservation:
    return MeasurementObservation(
        source=measurement.source,
        count=measurement.count,
        observed_at=measurement.observed_at,
        url=measurement.url,
    )
