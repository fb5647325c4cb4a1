"""How large a made-up graph is, and what its rows look like: tables, columns, encodings.

``graph`` makes the rows, ``loading`` writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pith_graph.vocabulary import ResolutionStatus

Rows = list[tuple[Any, ...]]
Slice = Mapping[str, Rows]
"""Rows by table, in the order of `COLUMNS`."""

MEAN_REFERENCES = 27
"""How many references a paper has on average."""

_VERSION = ("observed_at", "commit_number")
_COUNTS = [status.value for status in ResolutionStatus]

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "loads": (
        *("id", "source", "file_name", "sha256", "size_bytes", "started_at", "ended_at"),
        *("records_read", "records_changed", "records_refused"),
    ),
    "commits": ("number", "committed_at", "load_id"),
    "papers": (
        *("id", "arxiv_id", "latest_version", "submitted_at", "last_updated"),
        *("snapshot_observed_at", *_VERSION, "primary_category", "title", "doi"),
    ),
    "paper_search": ("paper_id", "folded"),
    "paper_authors": ("paper_id", "position", "name", *_VERSION),
    "bibliographies": ("paper_id", "source", "version", "complete", *_VERSION),
    "cited_works": (
        *("id", "work_id", "year", "metadata_source", "snapshot_observed_at", *_VERSION),
        *("doi", "arxiv_id", "title", "venue"),
    ),
    "paper_references": (
        *("id", "observation_id", "citing_paper_id", "reference_index", "sub_index", "source"),
        *("source_observed_at", "cited_paper_id", "year", *_VERSION, "title"),
    ),
    "paper_reference_links": (
        *("reference_id", "cited_work_id", "status", "resolver_source", "resolved_at"),
        *("source_observed_at", *_VERSION),
    ),
    "scholarly_work_events": (
        *("id", "event_id", "cited_work_id", "doi", "kind", "raw_type", "notice_doi"),
        *("occurred_on", "source", *_VERSION),
    ),
    "retraction_status_cache": ("id", "source", "cited_work_id", *_VERSION),
    "external_citation_measurements": ("id", "paper_id", "source", "count", *_VERSION),
    "paper_citation_counts": (
        "paper_id",
        *(f"{direction}_{name}" for direction in ("outbound", "inbound") for name in _COUNTS),
    ),
    "work_citation_counts": ("work_id", *(f"citations_{name}" for name in _COUNTS)),
    "counters": ("name", "last_value"),
}
"""The columns of each table's rows; those not named are null, or have their default."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a graph is, and which one.

    Attributes:
        citations: About how many citations it has.
        seed: Another seed is another graph.
    """

    citations: int
    seed: int = 1

    @property
    def papers(self) -> int:
        """How many papers it has."""
        return max(2, self.citations // MEAN_REFERENCES)


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a database's driver takes an instant, given in microseconds, and a public id."""

    instant: Callable[[int], Any]
    public_id: Callable[[bytes], Any]
