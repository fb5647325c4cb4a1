"""A made-up citation graph of any size with the shape of the real one, the same for the same seed.

It comes as slices of rows, one commit each, in little memory: only the counts of papers and works
are kept. Half of all citations go to papers by a power law, a tenth to one hub, a fifth to works
that are no paper here, a fifth to nothing. ``loading`` writes it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import gcd
from random import Random
from typing import Any

from bench.shape import COLUMNS, Encoding, Rows, Shape, Slice
from bench.titles import make_name, make_title
from pith_graph.vocabulary import (
    BibliographySource,
    CitationSource,
    EventKind,
    LoadSource,
    MeasurementSource,
    MetadataSource,
    ResolutionStatus,
    ResolverSource,
    StandingSource,
)

FEWEST_REFERENCES, MOST_REFERENCES = 5, 300
HUB = 1
"""The hub's integer id."""

PAPERS_IN_SLICE = 500
_MEDIAN_LOG, _SPREAD = 3.0, 0.8  # of a log-normal number of references: median 20, mean 27
_TO_HUB, _TO_PAPERS, _TO_WORKS = 0.1, 0.6, 0.8  # bounds of a roll; beyond them nothing is found
_SKEW = 3  # a rank is a uniform number to this power: in-degrees then fall off as x ** -2.5
_NOTICE_EVERY, _RECEIPT_EVERY, _MEASURED_EVERY = 500, 10, 10
_PAPERS_IN_MONTH = 20_000
_SECOND = 1_000_000
_BEGIN = 1_577_836_800 * _SECOND  # 2020-01-01
_SPAN = 5 * 365 * 86_400 * _SECOND

_STATUSES = len(ResolutionStatus)
_EXACT, _FUZZY, _MISMATCH, _MALFORMED, _UNCERTAIN, _UNRESOLVED = (
    status.code for status in ResolutionStatus
)
# The statuses of found and of unfound references, as often as they are to occur.
_FOUND = (_EXACT,) * 15 + (_FUZZY,) * 3 + (_MISMATCH,) * 2
_UNFOUND = (_UNRESOLVED,) * 8 + (_MALFORMED, _UNCERTAIN)
_NOTICES = (EventKind.RETRACTION, EventKind.CORRECTION)


@dataclass(frozen=True, slots=True)
class _Stamp:
    """When a paper was observed, encoded, and the number of its commit and load."""

    at: Any
    resolved_at: Any
    number: int


def arxiv_id(paper: int) -> str:
    """Return the arXiv id of a paper by its integer id."""
    month, number = divmod(paper - 1, _PAPERS_IN_MONTH)
    year, month = divmod(month, 12)
    return f"{15 + year:02}{month + 1:02}.{number + 1:05}"


class Graph:
    """The rows of one graph. Take all slices, then the totals, which count what they held."""

    def __init__(self, shape: Shape, encoding: Encoding) -> None:
        self._shape = shape
        self._encoding = encoding
        self._papers = shape.papers
        self._names = max(1000, shape.papers // 10)
        self._stride = _coprime(shape.papers)
        self._outbound = array("i", bytes(4 * _STATUSES * (shape.papers + 1)))
        self._inbound = array("i", bytes(4 * _STATUSES * (shape.papers + 1)))
        # A work for each paper, of the same integer id, and as many that are no paper here.
        self._cited = array("i", bytes(4 * _STATUSES * (2 * shape.papers + 1)))
        self._last: dict[str, int] = {}

    @property
    def citations(self) -> int:
        """How many citations the slices taken so far have."""
        return self._last.get("paper_references", 0)

    def slices(self) -> Iterator[Slice]:
        """Make the graph, some hundred papers at a time."""
        for number, first in enumerate(range(1, self._papers + 1, PAPERS_IN_SLICE), 1):
            rng = Random(f"{self._shape.seed}:{number}")
            rows: dict[str, Rows] = {name: [] for name in COLUMNS}
            self._add_commit(rows, number, first)
            for paper in range(first, min(first + PAPERS_IN_SLICE, self._papers + 1)):
                at = self._time_of(paper)
                instant = self._encoding.instant
                stamp = _Stamp(instant(at), instant(at + 3600 * _SECOND), number)
                self._add_paper(rows, rng, paper, stamp)
                self._add_references(rows, rng, paper, stamp)
            yield rows

    def totals(self) -> Iterator[Slice]:
        """Make the kept counts and the counters, after all slices."""
        size = PAPERS_IN_SLICE * 10
        for first in range(1, self._papers + 1, size):
            papers = range(first, min(first + size, self._papers + 1))
            counts: Rows = [
                (paper, *_six(self._outbound, paper), *_six(self._inbound, paper))
                for paper in papers
            ]
            yield {"paper_citation_counts": counts}
        for first in range(1, 2 * self._papers + 1, size):
            works = range(first, min(first + size, 2 * self._papers + 1))
            counted: Rows = [(work, *six) for work in works if any(six := _six(self._cited, work))]
            yield {"work_citation_counts": counted}
        yield {"counters": list(self._last.items())}

    def _time_of(self, paper: int) -> int:
        return _BEGIN + _SPAN * paper // (self._papers + 1) // _SECOND * _SECOND

    def _next(self, table: str) -> int:
        self._last[table] = key = self._last.get(table, 0) + 1
        return key

    def _add_commit(self, rows: dict[str, Rows], number: int, paper: int) -> None:
        """Add a load and its commit; with the first, the receipts of whole sources."""
        at = self._encoding.instant(self._time_of(paper))
        self._last |= {"loads": number, "commits": number}
        rows["loads"].append(
            (number, LoadSource.RECORD.code, f"{number}.json", f"{number:064x}", 1, at, at, 1, 1, 0)
        )
        rows["commits"].append((number, at, number))
        if number == 1:
            for source in (StandingSource.CROSSREF, StandingSource.RETRACTION_WATCH):
                key = self._next("retraction_status_cache")
                receipt = (key, source.code, None, at, number)
                rows["retraction_status_cache"].append(receipt)

    def _add_paper(self, rows: dict[str, Rows], rng: Random, paper: int, stamp: _Stamp) -> None:
        at, version = stamp.at, (stamp.at, stamp.number)
        name, title = arxiv_id(paper), make_title(rng, self._names)
        doi = f"10.5555/p.{paper}" if paper % 3 == 0 else None
        self._last["papers"] = paper
        rows["papers"].append((paper, name, 1, at, at, at, *version, "cs.LG", title, doi))
        rows["paper_search"].append((paper, title.lower()))
        rows["paper_authors"] += [
            (paper, position, make_name(rng, self._names).title(), *version)
            for position in range(1, 2 + int(4 * rng.random()))
        ]
        rows["bibliographies"].append(
            (paper, BibliographySource.ARXIV_SOURCE.code, 1, True, *version)
        )
        if paper % _MEASURED_EVERY == 0:
            key = self._next("external_citation_measurements")
            source = MeasurementSource.OPENALEX.code
            rows["external_citation_measurements"].append((key, paper, source, paper, *version))
        self._add_work(rows, rng, paper, stamp, (doi, name, title, None))
        other = self._papers + paper
        said = (
            f"10.1000/w.{other}",
            None,
            make_title(rng, self._names),
            "Journal of Made-Up Results",
        )
        self._add_work(rows, rng, other, stamp, said)

    def _add_work(
        self, rows: dict[str, Rows], rng: Random, work: int, stamp: _Stamp, said: Sequence[Any]
    ) -> None:
        """Add a work, with a notice on one in 500 and a receipt of its own for one in ten."""
        version = (stamp.at, stamp.number)
        public_id = self._encoding.public_id
        year = 1990 + int(35 * rng.random())
        source = MetadataSource.CROSSREF if said[1] is None else MetadataSource.ARXIV
        self._last["cited_works"] = max(work, self._last.get("cited_works", 0))
        rows["cited_works"].append(
            (work, public_id(rng.randbytes(16)), year, source.code, stamp.at, *version, *said)
        )
        if work % _RECEIPT_EVERY == 0:
            key = self._next("retraction_status_cache")
            receipt = (key, StandingSource.OPENALEX.code, work, *version)
            rows["retraction_status_cache"].append(receipt)
        if work % _NOTICE_EVERY == 0:
            key, event_id = self._next("scholarly_work_events"), public_id(rng.randbytes(16))
            kind = _NOTICES[work // _NOTICE_EVERY % 2]
            notice = (kind.value.title(), f"10.5555/n.{work}", "2024-05-06")
            by = StandingSource.RETRACTION_WATCH
            rows["scholarly_work_events"].append(
                (key, event_id, work, said[0], kind.code, *notice, by.code, *version)
            )

    def _add_references(
        self, rows: dict[str, Rows], rng: Random, paper: int, stamp: _Stamp
    ) -> None:
        drawn = int(rng.lognormvariate(_MEDIAN_LOG, _SPREAD))
        count = min(max(drawn, FEWEST_REFERENCES), MOST_REFERENCES)
        first = self._last.get("paper_references", 0) + 1
        self._last["paper_references"] = first + count - 1
        ids, public_id = rng.randbytes(16 * count), self._encoding.public_id
        references, links = rows["paper_references"], rows["paper_reference_links"]
        at, resolved_at = stamp.at, stamp.resolved_at
        version = (at, stamp.number)
        said = rows["papers"][-1][-2]
        source, resolver = CitationSource.ARXIV_SOURCE.code, ResolverSource.CROSSREF.code
        for place in range(count):
            cited, work, status = self._target(rng)
            key, observation_id = first + place, public_id(ids[16 * place : 16 * place + 16])
            # Where a work is linked, what the entry says is not known: as in records.
            year, title = (2000 + place % 20, said) if work is None else (None, None)
            references.append(
                (key, observation_id, paper, place + 1, 0, source, at, cited, year, *version, title)
            )
            if status != _UNRESOLVED:
                by = None if work is None else resolver
                links.append((key, work, status, by, resolved_at, at, *version))
            self._outbound[paper * _STATUSES + status - 1] += 1
            if cited is not None and cited != paper:
                self._inbound[cited * _STATUSES + status - 1] += 1
            if work is not None:
                self._cited[work * _STATUSES + status - 1] += 1

    def _target(self, rng: Random) -> tuple[int | None, int | None, int]:
        """Choose a cited paper, its work or another one, and the status of the link."""
        roll, kind = rng.random(), rng.random()
        if roll >= _TO_WORKS:
            return None, None, _UNFOUND[int(len(_UNFOUND) * kind)]
        status = _FOUND[int(len(_FOUND) * kind)]
        if roll < _TO_HUB:
            return HUB, HUB, status
        rank = 1 + int((self._papers - 1) * rng.random() ** _SKEW)
        if roll < _TO_PAPERS:
            # The much cited papers lie scattered among the others.
            cited = rank * self._stride % self._papers + 1
            return cited, cited, status
        return None, self._papers + 1 + rank, status


def _six(counts: array[int], owner: int) -> tuple[int, ...]:
    return tuple(counts[owner * _STATUSES : (owner + 1) * _STATUSES])


def _coprime(number: int) -> int:
    """Return a stride near the golden ratio of a number that visits all its remainders."""
    stride = max(1, int(number * 0.618))
    while gcd(stride, number) != 1:
        stride += 1
    return stride
