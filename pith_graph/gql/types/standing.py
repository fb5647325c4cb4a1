"""StandingNotice: whether anything says that a work is retracted, corrected or questioned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import strawberry

from pith_graph.gql.scalars import DOI
from pith_graph.read.rows import EventRow, ReceiptRow, StandingRow
from pith_graph.record.observation import notice_sentence, notice_state
from pith_graph.vocabulary import EventKind, MeasurementState, StandingSource, UnavailableReason


@dataclass(frozen=True, slots=True)
class NoticeSource:
    """A notice's source object: the standing of a linked work, None without one."""

    standing: StandingRow | None


@dataclass(frozen=True, slots=True)
class EventSource:
    """An event's source object: the statements of all sources about one event, as they came."""

    statements: tuple[EventRow, ...]

    @property
    def first(self) -> EventRow:
        """The statement that came first."""
        return self.statements[0]


@strawberry.type(description="That a source was consulted at a time.")
class SourceReceipt:
    """A receipt; its source is a ``ReceiptRow``."""

    source: StandingSource = strawberry.field(description="Who was consulted.")
    observed_at: datetime = strawberry.field(description="When.")

    @strawberry.field(description="The source as it spells itself.")
    def source_raw(parent: strawberry.Parent[ReceiptRow]) -> str:
        """Return the spelling."""
        return parent.spelling


@strawberry.type(description="One source's statement of an event.")
class EventReceipt:
    """A receipt of an event; its source is an ``EventRow``."""

    source: StandingSource = strawberry.field(description="Who states it.")
    raw_type: str | None = strawberry.field(description="The kind as the source spells it.")
    observed_at: datetime = strawberry.field(description="When the source stated it.")

    @strawberry.field(description="The source as it spells itself.")
    def source_raw(parent: strawberry.Parent[EventRow]) -> str:
        """Return the spelling."""
        return parent.source.spelling(parent.source_raw)


@strawberry.type(
    description=(
        "One event about a work: a kind, a notice, a date. Several sources may state it; each "
        "has its receipt."
    )
)
class StandingEvent:
    """An event; its source is an ``EventSource``."""

    @strawberry.field(description="The class of the event.")
    def kind(parent: strawberry.Parent[EventSource]) -> EventKind:
        """Return the class."""
        return parent.first.kind

    @strawberry.field(description="The class as its record spells it, where `kind` is `OTHER` too.")
    def kind_raw(parent: strawberry.Parent[EventSource]) -> str:
        """Return the spelling."""
        return parent.first.kind.spelling(parent.first.kind_raw)

    @strawberry.field(description="The kind as the first source spells it.")
    def raw_type(parent: strawberry.Parent[EventSource]) -> str | None:
        """Return the raw type."""
        return parent.first.raw_type

    @strawberry.field(description="DOI of the notice; null where the source gives none.")
    def notice_doi(parent: strawberry.Parent[EventSource]) -> DOI | None:
        """Return the notice."""
        doi = parent.first.notice_doi
        return None if doi is None else DOI(doi)

    @strawberry.field(description="The day, month or year of the event as the source writes it.")
    def occurred_on(parent: strawberry.Parent[EventSource]) -> str | None:
        """Return the date."""
        return parent.first.occurred_on

    @strawberry.field(description="The source that stated it first in this store.")
    def source(parent: strawberry.Parent[EventSource]) -> StandingSource:
        """Return the first source."""
        return parent.first.source

    @strawberry.field(
        description="Each source's own statement, in the order they came; never empty.",
        graphql_type=list[EventReceipt],
    )
    def receipts(parent: strawberry.Parent[EventSource]) -> Sequence[EventRow]:
        """Return the statements."""
        return parent.statements


@strawberry.type(
    description=(
        "The one-hop answer to: does anything say that this work is retracted, corrected, "
        "withdrawn or questioned? Without events it is `MEASURED` with a receipt for each source "
        "that was asked, or `UNAVAILABLE` with a reason; it never says that a work is sound."
    )
)
class StandingNotice:
    """A notice; its source is a ``NoticeSource``."""

    @strawberry.field(description="Whether a source was consulted.")
    def state(parent: strawberry.Parent[NoticeSource]) -> MeasurementState:
        """Return the state."""
        return notice_state(parent.standing)[0]

    @strawberry.field(description="Why it is unavailable; null where it was measured.")
    def reason(parent: strawberry.Parent[NoticeSource]) -> UnavailableReason | None:
        """Return the reason."""
        return notice_state(parent.standing)[1]

    @strawberry.field(
        description="The sentence of a measured notice without events; null in any other case."
    )
    def observation(parent: strawberry.Parent[NoticeSource]) -> str | None:
        """Return the sentence."""
        return notice_sentence(parent.standing)

    @strawberry.field(description="The newest receipt's time; null without receipts.")
    def checked_at(parent: strawberry.Parent[NoticeSource]) -> datetime | None:
        """Return the time."""
        return None if parent.standing is None else parent.standing.checked_at

    @strawberry.field(
        description="What the sources say. Empty means what `state` and `observation` say of it.",
        graphql_type=list[StandingEvent],
    )
    def events(parent: strawberry.Parent[NoticeSource]) -> Sequence[EventSource]:
        """Return the events, the statements of one event together."""
        grouped: dict[tuple[str | None, ...], list[EventRow]] = {}
        for event in parent.standing.events if parent.standing else ():
            kind = event.kind.spelling(event.kind_raw)
            grouped.setdefault((kind, event.notice_doi, event.occurred_on), []).append(event)
        return [EventSource(tuple(statements)) for statements in grouped.values()]

    @strawberry.field(
        description="The sources consulted, newest receipt each. Empty means that none was.",
        graphql_type=list[SourceReceipt],
    )
    def source_receipts(parent: strawberry.Parent[NoticeSource]) -> Sequence[ReceiptRow]:
        """Return the receipts."""
        return parent.standing.receipts if parent.standing else ()
