"""What the parts of a Paper Citation Record say of each other: contradictions refuse it.

A fact that two places give differently, or that could not be printed back as it came, is a
problem; a derived value that differs is a warning (``record_warnings``). Called by ``pith_record``
once the shape is right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any
from uuid import UUID

from pith_graph.errors import shorten
from pith_graph.observations import PaperObservation, WorkObservation
from pith_graph.record_text import LANE_NOTES, LANE_SOURCES, paper_links
from pith_graph.sources.record_citation_checks import check_citation, check_one_per_source
from pith_graph.sources.record_model import CoverageModel, ObservationModel, RecordModel
from pith_graph.sources.record_observations import observe_held_paper, observe_paper, observe_work
from pith_graph.sources.record_problems import Problem
from pith_graph.vocabulary import CoverageLane

INBOUND_LANE = 2
"""The position of ``inbound_itemization``, whose denominator is the inbound total."""


def find_problems(record: RecordModel) -> Iterator[Problem]:
    """Yield every contradiction in a record."""
    yield from _check_links(record)
    yield from _check_lanes(record.coverage)
    yield from _check_totals(record)
    yield from _check_direction(record)
    for place, item in _items(record):
        yield from check_citation(place, item)
    yield from _check_ids(record)
    yield from _check_papers(record)
    yield from _check_works(record)
    yield from check_one_per_source(
        "standing_sources", (receipt.source for receipt in record.standing_sources)
    )
    yield from check_one_per_source(
        "external_citation_measurements",
        (measurement.source for measurement in record.external_citation_measurements),
    )


def _items(record: RecordModel) -> Iterator[tuple[str, ObservationModel]]:
    for index, item in enumerate(record.outbound):
        yield f"outbound[{index}]", item
    for index, item in enumerate(record.inbound):
        yield f"inbound[{index}]", item


def _check_links(record: RecordModel) -> Iterator[Problem]:
    found = record.links.model_dump(by_alias=True)
    for key, expected in paper_links(record.paper.arxiv_id).items():
        if found[key] != expected:
            reason = f"expected {expected!r}, found {shorten(found[key])}"
            yield Problem(f"links.{key}", reason)


def _check_lanes(coverage: list[CoverageModel]) -> Iterator[Problem]:
    lanes = [entry.lane for entry in coverage]
    if lanes != list(CoverageLane):
        expected = ", ".join(lane.value for lane in CoverageLane)
        found = ", ".join(lane.value for lane in lanes)
        yield Problem("coverage", f"expected the lanes {expected}, found {shorten(found)}")
        return
    for index, entry in enumerate(coverage):
        place = f"coverage[{index}]"
        if entry.source != LANE_SOURCES[entry.lane]:
            reason = f"expected {LANE_SOURCES[entry.lane]!r}, found {shorten(entry.source)}"
            yield Problem(f"{place}.source", reason)
        if entry.note != LANE_NOTES[entry.lane]:
            reason = f"expected {LANE_NOTES[entry.lane]!r}, found {shorten(entry.note)}"
            yield Problem(f"{place}.note", reason)
        ending = "+00:00" if entry.lane is CoverageLane.STANDING_NOTICES else "Z"
        if entry.source_observed_at and not entry.source_observed_at.endswith(ending):
            reason = f"{shorten(entry.source_observed_at)} does not end in {ending} as here"
            yield Problem(f"{place}.source_observed_at", reason)


def _check_totals(record: RecordModel) -> Iterator[Problem]:
    total = record.reference_resolution.total_outbound_references
    if total is not None and total < len(record.outbound):
        reason = f"{total} in all, but {len(record.outbound)} are displayed"
        yield Problem("reference_resolution.total_outbound_references", reason)
    for index, entry in enumerate(record.coverage):
        if entry.lane is not CoverageLane.INBOUND_ITEMIZATION:
            continue
        if entry.denominator < len(record.inbound):
            reason = f"{entry.denominator} in all, but {len(record.inbound)} are displayed"
            yield Problem(f"coverage[{index}].denominator", reason)


def _check_direction(record: RecordModel) -> Iterator[Problem]:
    """Check that the paper cites in ``outbound`` and is cited in ``inbound``."""
    paper = record.paper.arxiv_id
    for index, item in enumerate(record.outbound):
        found = item.citation.citing_paper.arxiv_id
        if found != paper:
            place = f"outbound[{index}].citation.citing_paper.arxiv_id"
            yield Problem(place, f"expected the record's paper {paper}, found {found}")
    for index, item in enumerate(record.inbound):
        cited = item.citation.cited_paper
        if cited is None or cited.arxiv_id != paper:
            place = f"inbound[{index}].citation.cited_paper"
            found = "null" if cited is None else cited.arxiv_id
            yield Problem(place, f"expected the record's paper {paper}, found {found}")


def _check_ids(record: RecordModel) -> Iterator[Problem]:
    """Check that an observation stands once; a paper that cites itself has it in both lists."""
    seen: dict[UUID, tuple[str, ObservationModel]] = {}
    for place, item in _items(record):
        first_place, first = seen.setdefault(item.observation_id, (place, item))
        both_ways = first_place.startswith("outbound") and place.startswith("inbound")
        if first_place != place and not (both_ways and first == item):
            reason = f"{item.observation_id} stands already at {first_place}"
            yield Problem(f"{place}.observation_id", reason)


@dataclass(frozen=True, slots=True)
class _Facts:
    """What a record says of one thing at one place, by the keys that it has there."""

    place: str
    thing: str
    values: dict[str, Any]


def _check_papers(record: RecordModel) -> Iterator[Problem]:
    yield from _check_facts(_state_papers(record))


def _check_works(record: RecordModel) -> Iterator[Problem]:
    yield from _check_facts(_state_works(record))


def _state_papers(record: RecordModel) -> Iterator[_Facts]:
    def state(place: str, paper: PaperObservation) -> _Facts:
        return _Facts(place, f"paper {paper.arxiv_id}", _values_of(paper))

    yield state("paper", replace(observe_paper(record.paper), primary_category=None))
    for place, item in _items(record):
        citation = item.citation
        citing = observe_held_paper(citation.citing_paper)
        yield state(f"{place}.citation.citing_paper", citing)
        if citation.cited_paper is not None:
            cited = observe_held_paper(citation.cited_paper)
            yield state(f"{place}.citation.cited_paper", cited)


def _state_works(record: RecordModel) -> Iterator[_Facts]:
    for place, item in _items(record):
        work = observe_work(item.citation.cited_work)
        if work is None:
            continue
        yield _Facts(f"{place}.citation.cited_work", f"work {work.work_id}", _values_of(work))
        notice = item.standing_notice
        values = {key: getattr(notice, key) for key in ("state", "reason", "events")}
        values["source_receipts"] = notice.source_receipts
        yield _Facts(f"{place}.standing_notice", f"the standing of work {work.work_id}", values)


def _values_of(observation: PaperObservation | WorkObservation) -> dict[str, Any]:
    return {field.name: getattr(observation, field.name) for field in fields(observation)}


def _check_facts(statements: Iterator[_Facts]) -> Iterator[Problem]:
    """Compare everything said of a thing with what was said of it first."""
    first: dict[str, _Facts] = {}
    for stated in statements:
        known = first.setdefault(stated.thing, stated)
        for key, value in stated.values.items():
            if value != known.values[key]:
                reason = f"{stated.thing} is shown with another {key} at {known.place}"
                yield Problem(f"{stated.place}.{key}", reason)
