"""A small world of papers that changes over time, and the records that were made of it on the way.

Each change has its own time, later than the record before it and not later than the next, so that
the records are what one honest system says at different times. Two papers cite each other, share
works and both cite a third, which is held only later.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

from pith_graph.instants import parse_instant, render_instant, render_offset_instant
from pith_graph.record_text import (
    CAPS,
    REFUSAL,
    SCHEMA_NAME,
    citation_links,
    no_event_sentence,
    paper_links,
)
from tests.records import with_derived

FIRST, SECOND, CITED = "2601.00001", "2601.00002", "2601.00003"
START = datetime(2026, 3, 1, tzinfo=UTC)
SOURCES = ("crossref", "retraction_watch")

Json = dict[str, Any]


class World:
    """Its state at present, and the moves that change it.

    Attributes:
        now: The time of the last record.
    """

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.now = START
        self._last = START - timedelta(hours=1)
        self._count = 0
        self.papers = {name: self._new_paper(name) for name in (FIRST, SECOND)}
        self.works = [self._new_work() for _ in range(2)]
        self.entries: dict[str, list[Json]] = {FIRST: [], SECOND: []}
        self.removed: dict[str, list[Json]] = {FIRST: [], SECOND: []}
        self.asked = {source: self._tick() for source in SOURCES}
        self.measurements: dict[str, Json] = {}
        for name in (FIRST, SECOND):
            self._read_anew(name)

    @property
    def moves(self) -> list[Callable[[], None]]:
        """All that can change, each a change of something at random."""
        return [
            self.retitle_paper,
            self.retitle_work,
            self.link,
            self.unlink,
            self.remove,
            self.add,
            self.put_back,
            self.ask,
            self.measure,
            self.hold,
            self.reextract,
        ]

    def next_hour(self) -> None:
        """Let an hour begin: what changes from now on is new to the next record."""
        self._last, self.now = self.now, self.now + timedelta(hours=1)

    def move(self) -> None:
        """Let an hour pass, in which some things change."""
        self.next_hour()
        for chosen in self.random.choices(self.moves, k=self.random.randint(2, 18)):
            chosen()

    def record(self, name: str) -> Json:
        """Make the record of a paper at present."""
        paper, other = self.papers[name], SECOND if name == FIRST else FIRST
        inbound = [
            entry for entry in self._shown(other) if entry["citation"]["cited_paper"] is not None
        ]
        inbound = [e for e in inbound if e["citation"]["cited_paper"]["arxiv_id"] == name]
        inbound.sort(key=lambda entry: entry["citation"]["source_observed_at"], reverse=True)
        outbound = self._shown(name)
        return with_derived(
            {
                "as_of": render_instant(self.now),
                "caps": dict(CAPS),
                "context_digest": "",
                "coverage": [{}, {}, {"denominator": len(inbound)}, {}],
                "external_citation_measurements": self._measured(name),
                "inbound": inbound,
                "links": paper_links(name),
                "outbound": outbound,
                "paper": {
                    **{key: value for key, value in paper.items() if key != "version"},
                    "latest_version": paper["version"],
                    "primary_category": "cs.LG" if name == FIRST else None,
                },
                "reference_resolution": {"total_outbound_references": len(outbound)},
                "refusal": REFUSAL,
                "schema": SCHEMA_NAME,
                "standing_sources": self._receipts(),
                "thesis": "",
            }
        )

    def _tick(self) -> datetime:
        """Return a time of this hour, no two alike."""
        self._count += 1
        span = (self.now - self._last) / timedelta(microseconds=1)
        return self.now - timedelta(microseconds=int(self.random.random() * span * 0.99))

    def _either(self) -> str:
        return self.random.choice((FIRST, SECOND))

    def _uuid(self) -> str:
        return str(UUID(int=self.random.getrandbits(128), version=4))

    def _new_paper(self, name: str) -> Json:
        return {
            "arxiv_id": name,
            "last_updated": "2026-01-05T00:00:00Z",
            "snapshot_observed_at": render_instant(self._tick()),
            "submitted_at": "2026-01-01T00:00:00Z",
            "title": f"Paper {name}",
            "version": 1,
        }

    def _new_work(self) -> Json:
        number = self._tick()
        return {
            "arxiv_id": None,
            "doi": f"10.1234/{self._count}",
            "metadata_source": "crossref",
            "snapshot_observed_at": render_instant(number),
            "title": f"Work {self._count}",
            "venue": None,
            "work_id": self._uuid(),
            "year": 2020,
            "events": [],
        }

    def _new_entry(self, index: int) -> Json:
        self._count += 1
        cited = self.random.choice((None, None, FIRST, SECOND, CITED))
        return {
            "id": self._uuid(),
            "index": index,
            "seen": self._tick(),
            "said": cited,
            "title": f"Reference {self._count}",
            "link": self._new_link() if self.random.random() < 0.5 else None,
        }

    def _new_link(self) -> Json:
        return {
            "at": self._tick(),
            "work": self.random.choice(self.works),
            "status": self.random.choice(("verified_exact", "verified_fuzzy")),
        }

    def retitle_paper(self) -> None:
        """Give a paper another title."""
        paper = self.papers[self.random.choice(sorted(self.papers))]
        self._count += 1
        paper |= {
            "title": f"Title {self._count}",
            "snapshot_observed_at": render_instant(self._tick()),
        }

    def retitle_work(self) -> None:
        """Give a work another title."""
        self._count += 1
        self.random.choice(self.works).update(
            title=f"Work {self._count}", snapshot_observed_at=render_instant(self._tick())
        )

    def _pick(self, name: str, *, cited_too: bool) -> Json | None:
        """Choose an entry; where only one record may speak of it, one that cites neither paper."""
        found = [e for e in self.entries[name] if cited_too or e["said"] not in {FIRST, SECOND}]
        return self.random.choice(found) if found else None

    def link(self) -> None:
        """Link an entry to a work, or to another one."""
        entry = self._pick(self._either(), cited_too=True)
        if entry is not None:
            entry["link"] = self._new_link()

    def unlink(self) -> None:
        """Take an entry's link away."""
        entry = self._pick(self._either(), cited_too=False)
        if entry is not None:
            entry["link"] = None

    def remove(self) -> None:
        """Leave an entry out."""
        name = self._either()
        entry = self._pick(name, cited_too=False)
        if entry is not None:
            self.entries[name].remove(entry)
            self.removed[name].append(entry)

    def put_back(self) -> None:
        """Show an entry again that was left out."""
        name = self._either()
        if self.removed[name]:
            self.entries[name].append(self.removed[name].pop())
            self.entries[name].sort(key=lambda entry: entry["index"])

    def add(self) -> None:
        """Show one entry more."""
        name = self._either()
        indexes = [entry["index"] for entry in (*self.entries[name], *self.removed[name])]
        self.entries[name].append(self._new_entry(max(indexes, default=0) + 1))

    def reextract(self) -> None:
        """Read a bibliography anew: other observations, of fewer or more entries."""
        self._read_anew(self._either())

    def _read_anew(self, name: str) -> None:
        cited = {e["index"]: e["said"] for e in self.entries[name] if e["said"] in {FIRST, SECOND}}
        length = max([self.random.randint(1, 4), *cited])
        self.entries[name] = [self._new_entry(index) for index in range(1, length + 1)]
        for entry in self.entries[name]:
            entry["said"] = cited.get(entry["index"], entry["said"])
        self.removed[name] = []

    def ask(self) -> None:
        """Ask the standing sources about all works: they list another event, or one less."""
        for source in SOURCES:
            self.asked[source] = max(self._tick(), self.asked[source])
        work = self.random.choice(self.works)
        if work["events"] and self.random.random() < 0.4:
            work["events"].remove(self.random.choice(work["events"]))
            return
        self._count += 1
        source = self.random.choice(SOURCES)
        seen = self.asked[source] - timedelta(microseconds=self._count)
        work["events"].append(
            {
                "kind": self.random.choice(("retraction", "correction", "retration")),
                "notice_doi": f"10.1234/notice.{self._count}",
                "observed_at": render_offset_instant(seen),
                "occurred_on": "2026-02",
                "raw_type": None,
                "source": source,
            }
        )
        work["events"].sort(key=lambda event: parse_instant(event["observed_at"]))

    def measure(self) -> None:
        """Count the first paper's citations anew by one source, or no longer."""
        if self.measurements and self.random.random() < 0.3:
            del self.measurements[self.random.choice(sorted(self.measurements))]
            return
        self._count += 1
        source = self.random.choice(("crossref", "openalex"))
        self.measurements[source] = {
            "count": self._count,
            "observed_at": render_instant(self._tick()),
            "source": source,
            "url": None,
        }

    def hold(self) -> None:
        """Begin to hold the paper that the others cite."""
        if CITED not in self.papers:
            self.papers[CITED] = self._new_paper(CITED)

    def _measured(self, name: str) -> list[Json]:
        found = self.measurements if name == FIRST else {}
        return [dict(found[source]) for source in sorted(found)]

    def _receipts(self) -> list[Json]:
        return [
            {"observed_at": render_offset_instant(self.asked[source]), "source": source}
            for source in SOURCES
        ]

    def _shown(self, name: str) -> list[Json]:
        return [self._citation(name, entry) for entry in self.entries[name]]

    def _citation(self, name: str, entry: Json) -> Json:
        held, link = self.papers.get(entry["said"] or ""), entry["link"]
        cited = None if held is None else held["arxiv_id"]
        seen = render_instant(entry["seen"])
        return {
            "citation": {
                "cited_paper": copy.deepcopy(held),
                "cited_work": {
                    **(_reference(entry, seen) if link is None else _work(link["work"])),
                    "pith_arxiv_id": cited,
                },
                "citing_paper": dict(self.papers[name]),
                "reference_index": entry["index"],
                "source": "arxiv_source",
                "source_observed_at": seen,
            },
            "links": citation_links(name, cited),
            "observation_digest": "",
            "observation_id": entry["id"],
            "resolution": {
                "observed_at": seen if link is None else render_instant(link["at"]),
                "resolver_source": None if link is None else "pith",
                "status": "unresolved" if link is None else link["status"],
            },
            "standing_notice": self._notice(link),
        }

    def _notice(self, link: Json | None) -> Json:
        if link is None:
            return {
                "events": [],
                "reason": "canonical_work_link_unavailable",
                "source_receipts": [],
                "state": "unavailable",
            }
        notice: Json = {
            "events": copy.deepcopy(link["work"]["events"]),
            "reason": None,
            "source_receipts": self._receipts(),
            "state": "measured",
        }
        if not notice["events"]:
            notice["observation"] = no_event_sentence(max(self.asked.values()))
        return notice


def _work(work: Json) -> Json:
    return {key: value for key, value in work.items() if key != "events"}


def _reference(entry: Json, seen: str) -> Json:
    return {
        "arxiv_id": entry["said"],
        "doi": None,
        "metadata_source": None,
        "snapshot_observed_at": seen,
        "title": entry["title"],
        "venue": None,
        "work_id": None,
        "year": 2019,
    }


def make_history(seed: int, length: int) -> list[Json]:
    """Make records of the two papers, one an hour, in the order of their time."""
    world = World(seed)
    names = [FIRST, *world.random.choices((FIRST, SECOND), k=length - 1)]
    records = []
    for name in names:
        records.append(world.record(name))
        world.move()
    return records


def as_of(record: Json) -> datetime:
    """Return when a record was made."""
    return parse_instant(record["as_of"])
