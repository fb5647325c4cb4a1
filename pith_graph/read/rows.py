"""What the read layer hands out: frozen rows whose attributes are the graph's leaf fields.

Those that come by the hundred are named tuples, which Python makes fastest.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, NoReturn

from pith_graph.vocabulary import (
    BibliographySource,
    BibliographyState,
    CitationSource,
    CoverageLane,
    EventKind,
    LoadSource,
    MeasurementSource,
    MeasurementState,
    MetadataSource,
    ResolutionStatus,
    ResolverSource,
    StandingSource,
)


class NotReadError(Exception):
    """A value was used that its statement did not select: a fault of this program."""


class _NotRead:
    """Stands where a value was not selected. Whatever is done with it fails."""

    __slots__ = ()

    def _refuse(self, *_: object) -> NoReturn:
        raise NotReadError("a value was used that was not selected")

    __str__ = __eq__ = __hash__ = __bool__ = __getattr__ = _refuse

    def __repr__(self) -> str:
        return "<not read>"


NOT_READ: Any = _NotRead()


class PaperRow(NamedTuple):
    """A held paper. ``key`` is its integer id; None where a source has not said."""

    key: int
    arxiv_id: str
    title: str
    latest_version: int
    submitted_at: datetime
    last_updated: datetime
    snapshot_observed_at: datetime
    primary_category: str | None
    categories_text: str | None
    abstract: str | None
    comments: str | None
    journal_ref: str | None
    doi: str | None
    license: str | None


@dataclass(frozen=True, slots=True)
class AuthorRow:
    """One author of a paper or a work, in the order printed."""

    position: int
    name: str
    family: str | None
    given: str | None
    orcid: str | None


class WorkRow(NamedTuple):
    """A canonical work. ``key`` is its integer id."""

    key: int
    work_id: str
    doi: str | None
    arxiv_id: str | None
    title: str | None
    venue: str | None
    year: int | None
    metadata_source: MetadataSource | None
    metadata_source_raw: str | None
    snapshot_observed_at: datetime


class CitedReferenceRow(NamedTuple):
    """What a bibliography entry says; None where it does not, or where that is not known."""

    title: str | None
    year: int | None
    venue: str | None
    doi: str | None
    arxiv_id: str | None
    authors_text: str | None
    raw_text: str | None


class ResolutionRow(NamedTuple):
    """The typed state of a citation's link. ``observed_at`` is when the link was made."""

    status: ResolutionStatus
    resolver_source: ResolverSource | None
    resolver_source_raw: str | None
    observed_at: datetime


class CitationRow(NamedTuple):
    """One citation with the papers and the work at its ends.

    Attributes:
        key: Its integer id.
        work_key: The linked work's integer id; None without a link.
        sort_values: Where it stands in the list that it was read from, for cursors.
    """

    key: int
    work_key: int | None
    sort_values: tuple[Any, ...]
    observation_id: str
    reference_index: int
    sub_index: int
    source: CitationSource
    source_raw: str | None
    source_observed_at: datetime
    cited_as: CitedReferenceRow
    resolution: ResolutionRow
    citing_paper: PaperRow
    cited_paper: PaperRow | None
    cited_work: WorkRow | None


class ReceiptRow(NamedTuple):
    """That a standing source was consulted at a time."""

    source: StandingSource
    source_raw: str | None
    observed_at: datetime

    @property
    def spelling(self) -> str:
        """The source as it spells itself."""
        return self.source.spelling(self.source_raw)


class EventRow(NamedTuple):
    """One source's statement of one standing event."""

    kind: EventKind
    kind_raw: str | None
    raw_type: str | None
    notice_doi: str | None
    occurred_on: str | None
    source: StandingSource
    source_raw: str | None
    observed_at: datetime


class StandingRow(NamedTuple):
    """All that is stored of one work's standing: events as they came, one receipt per source."""

    events: tuple[EventRow, ...]
    receipts: tuple[ReceiptRow, ...]

    @property
    def checked_at(self) -> datetime | None:
        """The newest receipt's time, None without receipts."""
        return max((receipt.observed_at for receipt in self.receipts), default=None)


@dataclass(frozen=True, slots=True)
class MeasurementRow:
    """One source's own count of citations, dated."""

    source: MeasurementSource
    source_raw: str | None
    count: int
    observed_at: datetime
    url: str | None


@dataclass(frozen=True, slots=True)
class PaperNotes:
    """What belongs to a paper beside its citations: its counts and its record's sources."""

    measurements: tuple[MeasurementRow, ...]
    receipts: tuple[ReceiptRow, ...]


@dataclass(frozen=True, slots=True)
class HoldingsRow:
    """How much of a paper's citations is held.

    Attributes:
        bibliography: Where the bibliography is from; None where none is loaded.
        complete: Whether all its entries are held.
        outbound: Held entries by resolution status.
        inbound: Held citations of the paper by resolution status.
        declared_at: When the newest record of the paper was asserted; None without one.
        declared_outbound: The total of references it declares.
        declared_inbound: The total of inbound citations it declares.
        declared_lanes: The lane states it declares.
    """

    bibliography: BibliographySource | None
    complete: bool
    outbound: dict[ResolutionStatus, int]
    inbound: dict[ResolutionStatus, int]
    declared_at: datetime | None
    declared_outbound: int | None
    declared_inbound: int | None
    declared_lanes: dict[CoverageLane, MeasurementState]

    @property
    def state(self) -> BibliographyState:
        """Whether the bibliography is loaded, in part, or not at all."""
        if self.bibliography is None:
            return BibliographyState.NOT_LOADED
        return BibliographyState.LOADED if self.complete else BibliographyState.PARTIAL

    @property
    def total_outbound(self) -> int | None:
        """How many references the paper has, as far as is known; None where nothing says so."""
        return self.total_of(sum(self.outbound.values()))

    def total_of(self, held: int) -> int | None:
        """Return how many references the paper has where ``held`` of them are held."""
        if self.complete:
            return held
        return None if self.declared_outbound is None else max(held, self.declared_outbound)

    @property
    def total_inbound(self) -> int:
        """How many citations of the paper are known: those held, or more where so declared."""
        return max(sum(self.inbound.values()), self.declared_inbound or 0)


@dataclass(frozen=True, slots=True)
class LoadRow:
    """One file that was read into the store."""

    key: int
    source: LoadSource
    file_name: str
    sha256: str
    size_bytes: int
    started_at: datetime
    ended_at: datetime | None
    records_read: int
    records_changed: int
    records_refused: int


@dataclass(frozen=True, slots=True)
class SourceRow:
    """What was loaded of one kind of file."""

    source: LoadSource
    loads: int
    first_started_at: datetime
    last_started_at: datetime
    latest: LoadRow
