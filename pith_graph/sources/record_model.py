"""The shape of a Paper Citation Record as pydantic models: its keys, types, forms and bounds.

Strict: every key is required, an unknown one is refused by name, nothing is converted but times,
UUIDs and enum values in their exact spelling. What one part says of another is checked in
``record_checks``. Only ``pith_record`` and its neighbours use the models.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from pith_graph.record_text import REFUSAL, SCHEMA_NAME
from pith_graph.sources.record_fields import (
    BareArxivId,
    Count,
    Digest,
    InstantText,
    LowerUuid,
    Minute,
    Name,
    OffsetInstant,
    State,
    Text,
    Version,
    WrittenDoi,
    Year,
    ZInstant,
    exactly,
    member_of,
)
from pith_graph.vocabulary import CoverageLane, ResolutionStatus, UnavailableReason


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class HeldPaperModel(_Model):
    """A citing or cited paper, without its category."""

    arxiv_id: BareArxivId
    title: Text
    version: Version
    submitted_at: ZInstant
    last_updated: ZInstant
    snapshot_observed_at: ZInstant


class PaperModel(_Model):
    """The paper that the record is about."""

    arxiv_id: BareArxivId
    title: Text
    latest_version: Version
    primary_category: Name | None
    submitted_at: ZInstant
    last_updated: ZInstant
    snapshot_observed_at: ZInstant


class CitedWorkModel(_Model):
    """The linked work, or without one the cited reference."""

    arxiv_id: Text | None
    doi: Text | None
    metadata_source: Name | None
    pith_arxiv_id: BareArxivId | None
    snapshot_observed_at: ZInstant
    title: Text | None
    venue: Text | None
    work_id: LowerUuid | None
    year: Year | None


class CitationModel(_Model):
    """What was observed: an entry of one paper's bibliography."""

    cited_paper: HeldPaperModel | None
    cited_work: CitedWorkModel
    citing_paper: HeldPaperModel
    reference_index: Annotated[int, Field(ge=0, le=100_000)]
    source: Name
    source_observed_at: ZInstant


class CitationLinksModel(_Model):
    """Addresses; ``cited_paper`` is present exactly where it is held."""

    citing_paper: Text
    cited_paper: Text = ""


class ResolutionModel(_Model):
    """The state of the link to a work."""

    observed_at: ZInstant
    resolver_source: Name | None
    status: Annotated[ResolutionStatus, member_of(ResolutionStatus)]


class EventModel(_Model):
    """One standing event."""

    kind: Name
    raw_type: Text | None
    notice_doi: WrittenDoi | None
    occurred_on: Annotated[Text, Field(max_length=100)] | None
    source: Name
    observed_at: OffsetInstant


class ReceiptModel(_Model):
    """That a standing source was asked at a time."""

    source: Name
    observed_at: OffsetInstant


class StandingNoticeModel(_Model):
    """Standing of the work; ``observation`` is the sentence where nothing was found."""

    events: list[EventModel]
    observation: Text | None = None
    reason: Annotated[UnavailableReason, member_of(UnavailableReason)] | None
    source_receipts: list[ReceiptModel]
    state: State


class ObservationModel(_Model):
    """One item of ``outbound`` or ``inbound``."""

    citation: CitationModel
    links: CitationLinksModel
    observation_digest: Digest
    observation_id: LowerUuid
    resolution: ResolutionModel
    standing_notice: StandingNoticeModel


class CapsModel(_Model):
    """Bounds that the record was made under."""

    database_statements: Count
    inbound: Count
    outbound: Count


class CoverageModel(_Model):
    """One lane."""

    denominator: Count
    lane: Annotated[CoverageLane, member_of(CoverageLane)]
    note: Text
    records_observed: Count
    source: Text
    source_observed_at: InstantText | None
    state: State


class MeasurementModel(_Model):
    """One source's own count of the paper's citations."""

    source: Name
    count: Count
    observed_at: ZInstant
    url: Text | None


class StateCountsModel(_Model):
    """Displayed outbound citations by resolution state; all six are listed."""

    malformed_identifier: Count
    metadata_mismatch: Count
    parse_uncertain: Count
    unresolved: Count
    verified_exact: Count
    verified_fuzzy: Count


class ReferenceResolutionModel(_Model):
    """The totals of the outbound citations."""

    displayed: Count
    state_counts: StateCountsModel
    total_outbound_references: Count | None


class PaperLinksModel(_Model):
    """Addresses of the paper's pages."""

    evidence: Text
    html: Text
    integrity: Text
    json_: Annotated[Text, Field(alias="json")]
    paper: Text


class RecordModel(_Model):
    """A whole record."""

    as_of: Minute
    caps: CapsModel
    context_digest: Digest
    coverage: list[CoverageModel]
    external_citation_measurements: list[MeasurementModel]
    inbound: list[ObservationModel]
    links: PaperLinksModel
    outbound: list[ObservationModel]
    paper: PaperModel
    reference_resolution: ReferenceResolutionModel
    refusal: Annotated[str, exactly(REFUSAL)]
    schema_: Annotated[str, Field(alias="schema"), exactly(SCHEMA_NAME)]
    standing_sources: list[ReceiptModel]
    thesis: Text
