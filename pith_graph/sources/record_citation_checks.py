"""What one citation of a record says of itself: its links, its work, its standing notice.

``record_checks`` calls it for every outbound and inbound citation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from pith_graph.errors import MalformedIdentifierError, shorten
from pith_graph.identifiers import is_arxiv_id, normalize_doi
from pith_graph.record_text import citation_links
from pith_graph.sources.record_model import (
    EventModel,
    ObservationModel,
    ReceiptModel,
    StandingNoticeModel,
)
from pith_graph.sources.record_problems import Problem
from pith_graph.vocabulary import MeasurementState, ResolutionStatus, UnavailableReason

_NO_WORK = UnavailableReason.CANONICAL_WORK_LINK_UNAVAILABLE


def check_citation(place: str, item: ObservationModel) -> Iterator[Problem]:
    """Yield every contradiction within one citation."""
    yield from _check_links(f"{place}.links", item)
    yield from _check_work(f"{place}.citation.cited_work", item)
    notice = item.standing_notice
    place = f"{place}.standing_notice"
    if item.citation.cited_work.work_id is None:
        yield from _check_without_work(place, notice)
    elif notice.state is MeasurementState.UNAVAILABLE:
        yield from _check_unavailable(place, notice)
    else:
        yield from _check_measured(place, notice)
    yield from _check_sentence(place, notice)


def check_one_per_source(place: str, sources: Iterable[str]) -> Iterator[Problem]:
    """Yield every source that a list has more than once."""
    for source, times in Counter(sources).items():
        if times > 1:
            yield Problem(place, f"expected one entry a source, found {times} of {source!r}")


def _check_links(place: str, item: ObservationModel) -> Iterator[Problem]:
    citation = item.citation
    cited = citation.cited_paper.arxiv_id if citation.cited_paper else None
    expected = citation_links(citation.citing_paper.arxiv_id, cited)
    found = item.links.model_dump(include=item.links.model_fields_set)
    for key in sorted(expected.keys() | found.keys()):
        if expected.get(key) == found.get(key):
            continue
        if key not in expected:
            yield Problem(f"{place}.{key}", "present although no cited paper is held")
        else:
            reason = f"expected {expected[key]!r}, found {found.get(key)!r}"
            yield Problem(f"{place}.{key}", reason)


def _check_work(place: str, item: ObservationModel) -> Iterator[Problem]:
    citation, work = item.citation, item.citation.cited_work
    cited = citation.cited_paper.arxiv_id if citation.cited_paper else None
    if work.pith_arxiv_id != cited:
        reason = f"expected cited_paper's id, {cited!r}, found {work.pith_arxiv_id!r}"
        yield Problem(f"{place}.pith_arxiv_id", reason)
    yield from _check_identifiers(place, item)
    if work.work_id is not None:
        return
    if work.metadata_source is not None:
        yield Problem(f"{place}.metadata_source", "expected null without a linked work")
    if work.snapshot_observed_at != citation.source_observed_at:
        reason = "expected source_observed_at, the observation's own time, without a linked work"
        yield Problem(f"{place}.snapshot_observed_at", reason)


def _check_identifiers(place: str, item: ObservationModel) -> Iterator[Problem]:
    """Check the identifiers; an entry that is said to be malformed keeps them as they are."""
    work = item.citation.cited_work
    if item.resolution.status is ResolutionStatus.MALFORMED_IDENTIFIER and work.work_id is None:
        return
    if work.arxiv_id is not None and not is_arxiv_id(work.arxiv_id):
        reason = f"expected a bare arXiv id such as 2509.00217, found {shorten(work.arxiv_id)}"
        yield Problem(f"{place}.arxiv_id", reason)
    if work.doi is not None:
        try:
            normalize_doi(work.doi)
        except MalformedIdentifierError as error:
            yield Problem(f"{place}.doi", str(error))


def _check_without_work(place: str, notice: StandingNoticeModel) -> Iterator[Problem]:
    if notice.state is not MeasurementState.UNAVAILABLE:
        yield Problem(f"{place}.state", "expected 'unavailable' without a linked work")
    elif notice.reason is not _NO_WORK:
        yield Problem(f"{place}.reason", f"expected {_NO_WORK.value!r} without a linked work")
    yield from _check_empty(place, notice)


def _check_unavailable(place: str, notice: StandingNoticeModel) -> Iterator[Problem]:
    if notice.reason is None:
        yield Problem(f"{place}.reason", "expected a reason where the state is unavailable")
    elif notice.reason is _NO_WORK:
        yield Problem(f"{place}.reason", f"{_NO_WORK.value!r} contradicts the linked work")
    yield from _check_empty(place, notice)


def _check_empty(place: str, notice: StandingNoticeModel) -> Iterator[Problem]:
    lists: tuple[tuple[str, list[EventModel] | list[ReceiptModel]], ...] = (
        ("events", notice.events),
        ("source_receipts", notice.source_receipts),
    )
    for key, entries in lists:
        if entries:
            reason = f"expected none where nothing was measured, found {len(entries)}"
            yield Problem(f"{place}.{key}", reason)


def _check_measured(place: str, notice: StandingNoticeModel) -> Iterator[Problem]:
    if notice.reason is not None:
        yield Problem(f"{place}.reason", "expected null where the state is measured")
    if not notice.source_receipts:
        reason = "expected a receipt of every source that was asked, found none"
        yield Problem(f"{place}.source_receipts", reason)
    sources = (receipt.source for receipt in notice.source_receipts)
    yield from check_one_per_source(f"{place}.source_receipts", sources)
    for index, event in enumerate(notice.events):
        if event in notice.events[:index]:
            yield Problem(f"{place}.events[{index}]", "the same event a second time")


def _check_sentence(place: str, notice: StandingNoticeModel) -> Iterator[Problem]:
    wanted = notice.state is MeasurementState.MEASURED and not notice.events
    if wanted and notice.observation is None:
        reason = "expected the sentence that no event was found, found nothing"
        yield Problem(f"{place}.observation", reason)
    if not wanted and notice.observation is not None:
        reason = "expected nothing unless measured without events"
        yield Problem(f"{place}.observation", reason)
