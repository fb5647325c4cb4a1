"""A made world of papers, works and citations, from which ``records`` lays records together.

What a ``Universe`` says of a thing depends on its seed and the thing's name alone, so that records
made from it agree with each other like one system's.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from pith_graph.instants import render_instant, render_offset_instant
from pith_graph.record_text import citation_links, no_event_sentence

EPOCH = datetime(2026, 8, 1, 12, tzinfo=UTC)
STANDING_CHECKED = {
    "crossref": datetime(2026, 8, 9, 6, 31, 4, 303077, tzinfo=UTC),
    "retraction_watch": datetime(2026, 8, 9, 6, 30, 57, tzinfo=UTC),
}

_ARCHIVES = ("hep-th", "math", "cond-mat", "astro-ph")
_WORDS = (
    *("Sharding", "café", "深度", "graph", "of", "Poincaré–Bendixson", "α-stable", "and"),
    *("<i>flows</i>", "&", "$H_0$", "“quoted”", 'O"Neil', "back\\slash", "İstanbul", "𝔘nicode"),
)
_LINKED = ("verified_exact", "verified_fuzzy", "metadata_mismatch")
_UNLINKED = ("unresolved", "parse_uncertain", "malformed_identifier")
_KINDS = ("retraction", "correction", "expression_of_concern", "retration")


@dataclass(frozen=True, slots=True)
class Universe:
    """A fixed graph.

    Attributes:
        seed: Everything follows from it.
        papers: How many papers are held and cited.
        works: How many works are linked to.
        references: The length of the longest bibliography.
    """

    seed: int = 0
    papers: int = 20
    works: int = 30
    references: int = 12

    def arxiv_id(self, number: int) -> str:
        """Name a paper by a number below 40,000; every fifth in the old style."""
        if number % 5:
            return f"{2501 + number % 12}.{number // 12 + 1:05}"
        return f"{_ARCHIVES[number % 4]}/{9801 + number // 4 % 12:04}{number // 48 + 1:03}"

    def paper(self, arxiv_id: str) -> dict[str, Any]:
        """Return a paper as citations show it."""
        random = self._random("paper", arxiv_id)
        submitted = datetime(2025, 1, 1, tzinfo=UTC) + timedelta(seconds=random.randrange(10**7))
        return {
            "arxiv_id": arxiv_id,
            "last_updated": render_instant(submitted + timedelta(days=random.randrange(3))),
            "snapshot_observed_at": render_instant(EPOCH + timedelta(hours=random.randrange(5))),
            "submitted_at": render_instant(submitted),
            "title": _title(random),
            "version": random.randint(1, 4),
        }

    def primary_category(self, arxiv_id: str) -> str | None:
        """Return a paper's category; some have none."""
        return self._random("category", arxiv_id).choice(("cs.LG", "math.GT", "hep-th", None))

    def bibliography(self, arxiv_id: str) -> list[dict[str, Any]]:
        """Return all citations that a paper of the graph makes, sometimes none."""
        length = self._random("length", arxiv_id).randint(0, self.references)
        return [self.citation(arxiv_id, index) for index in range(1, length + 1)]

    def citation(self, citing: str, index: int, *, cited: str | None = None) -> dict[str, Any]:
        """Return one citation without its digest; ``cited`` makes it point to that paper."""
        random = self._random("citation", citing, index, cited)
        seconds = random.choice((0, 0, 60, 120, 120.000507))
        at = EPOCH + timedelta(seconds=seconds)
        work = random.randrange(self.works) if random.random() < 0.5 else None
        name = (citing, index, cited)
        if cited is None and random.random() < 0.5:
            cited = self.arxiv_id(random.randrange(self.papers))
        shown = _reference(random, at) if work is None else self.work(work)
        return {
            "citation": {
                "cited_paper": None if cited is None else self.paper(cited),
                "cited_work": {**shown, "pith_arxiv_id": cited},
                "citing_paper": self.paper(citing),
                "reference_index": index,
                "source": random.choice(("arxiv_source", "arxiv_source", "a reading list")),
                "source_observed_at": render_instant(at),
            },
            "links": citation_links(citing, cited),
            "observation_digest": "",
            "observation_id": self._uuid("citation", *name),
            "resolution": {
                "observed_at": render_instant(at if work is None else at + timedelta(seconds=4)),
                "resolver_source": None if work is None else random.choice(("pith", "crossref")),
                "status": random.choice(_UNLINKED if work is None else _LINKED),
            },
            "standing_notice": self.standing(work),
        }

    def work(self, number: int) -> dict[str, Any]:
        """Return a work as citations show it, without the id of a held paper."""
        random = self._random("work", number)
        return {
            "arxiv_id": random.choice((None, self.arxiv_id(1000 + number))),
            "doi": random.choice((None, f"10.1234/Graph.{number}(A)<{number}>")),
            "metadata_source": random.choice(("raw_reference", "crossref", "a catalogue")),
            "snapshot_observed_at": render_instant(EPOCH + timedelta(minutes=random.randrange(3))),
            "title": random.choice((None, _title(random), _title(random))),
            "venue": random.choice((None, "Graph Drawing", "Journal of Façades")),
            "work_id": self._uuid("work", number),
            "year": random.choice((None, 1687, 2019, 2019, 2024)),
        }

    def standing(self, work: int | None) -> dict[str, Any]:
        """Return the standing notice of a work, or of none."""
        if work is None:
            return _unavailable("canonical_work_link_unavailable")
        random = self._random("standing", work)
        if random.random() < 0.1:
            return _unavailable("standing_source_not_loaded")
        kinds = random.sample(_KINDS, random.choice((0, 0, 0, 1, 2)))
        notice: dict[str, Any] = {
            "events": [_event(random, position, kind) for position, kind in enumerate(kinds)],
            "reason": None,
            "source_receipts": receipts(),
            "state": "measured",
        }
        if not notice["events"]:
            notice["observation"] = no_event_sentence(max(STANDING_CHECKED.values()))
        return notice

    def measurements(self, arxiv_id: str) -> list[dict[str, Any]]:
        """Return other sources' counts of a paper's citations, by source."""
        random = self._random("measurements", arxiv_id)
        return [
            {
                "count": random.randrange(5_000),
                "observed_at": render_instant(EPOCH + timedelta(seconds=random.randrange(60))),
                "source": source,
                "url": random.choice((None, f"https://example.org/{source}/{arxiv_id}")),
            }
            for source in ("crossref", "openalex", "semantic_scholar")
            if random.random() < 0.4
        ]

    def _random(self, *name: object) -> Random:
        return Random(repr((self.seed, *name)))

    def _uuid(self, *name: object) -> str:
        return str(uuid5(NAMESPACE_URL, repr((self.seed, *name))))


def receipts() -> list[dict[str, Any]]:
    """Return the standing sources with the time that each was asked."""
    return [
        {"observed_at": render_offset_instant(at), "source": source}
        for source, at in STANDING_CHECKED.items()
    ]


def _title(random: Random) -> str:
    return " ".join(random.choices(_WORDS, k=random.randint(2, 7)))


def _reference(random: Random, at: datetime) -> dict[str, Any]:
    """Return what an entry says that is linked to no work."""
    return {
        "arxiv_id": random.choice((None, None, "2301.00001")),
        "doi": random.choice((None, None, "https://doi.org/10.5555/Ref.1")),
        "metadata_source": None,
        "snapshot_observed_at": render_instant(at),
        "title": random.choice((None, "write newline", _title(random))),
        "venue": random.choice((None, "NeurIPS")),
        "work_id": None,
        "year": random.choice((None, 2019, 2020, 2020)),
    }


def _unavailable(reason: str) -> dict[str, Any]:
    return {"events": [], "reason": reason, "source_receipts": [], "state": "unavailable"}


def _event(random: Random, position: int, kind: str) -> dict[str, Any]:
    return {
        "kind": kind,
        "notice_doi": random.choice((None, f"10.1234/Notice.{position}")),
        "observed_at": render_offset_instant(STANDING_CHECKED["crossref"]),
        "occurred_on": random.choice((None, f"2026-0{position + 1}-11", f"2026-0{position + 1}")),
        "raw_type": random.choice((None, kind.title())),
        "source": random.choice(tuple(STANDING_CHECKED)),
    }
