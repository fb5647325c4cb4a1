"""The lists of citations that records amount to, computed from their JSON: what paging must yield.

Ties are left open: they go by observation, in an order that a record does not say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pith_graph.instants import parse_instant
from pith_graph.vocabulary import EventKind

Item = dict[str, Any]


@dataclass(frozen=True)
class Listed:
    """One list of citations.

    Attributes:
        field: Its connection: ``outbound``, ``inbound`` or ``citations``.
        parent: The arXiv id of its paper or the id of its work.
    """

    field: str
    parent: str

    def members(self, records: Iterable[Item]) -> dict[str, Item]:
        """Return the citations of the list by observation id."""
        items = {
            item["observation_id"]: item
            for record in records
            for item in (*record["outbound"], *record["inbound"])
        }
        return {name: item for name, item in items.items() if self._holds(item["citation"])}

    def sort_value(self, order: str, item: Item) -> Any:
        """Return what a citation is sorted by; None sorts last."""
        citation = item["citation"]
        if order == "REFERENCE_INDEX":
            return citation["reference_index"]
        if order == "OBSERVED_AT":
            return parse_instant(citation["source_observed_at"])
        if self.field == "outbound":
            return citation["cited_work"]["year"]
        return parse_instant(citation["citing_paper"]["submitted_at"])

    def _holds(self, citation: Item) -> bool:
        citing, cited = citation["citing_paper"]["arxiv_id"], citation["cited_paper"]
        if self.field == "outbound":
            return bool(citing == self.parent)
        if self.field == "citations":
            return bool(citation["cited_work"]["work_id"] == self.parent)
        return cited is not None and cited["arxiv_id"] == self.parent != citing


def lists_of(records: Sequence[Item]) -> list[Listed]:
    """Return all lists that hold anything, the longest of each kind first."""
    citations = [item["citation"] for record in records for item in record["outbound"]]
    papers = sorted({record["paper"]["arxiv_id"] for record in records})
    works = sorted({c["cited_work"]["work_id"] for c in citations} - {None})
    found = [
        *(Listed("outbound", paper) for paper in papers),
        *(Listed("inbound", paper) for paper in papers),
        *(Listed("citations", work) for work in works),
    ]
    found.sort(key=lambda each: len(each.members(records)), reverse=True)
    return sorted(
        (each for each in found if each.members(records)),
        key=lambda each: ("outbound", "inbound", "citations").index(each.field),
    )


def standing_classes(item: Item) -> set[str]:
    """Return the classes of standing that a citation can be filtered by."""
    notice = item["standing_notice"]
    if notice["state"] == "unavailable":
        return {"UNAVAILABLE"}
    kinds = {EventKind.read(event["kind"]).name for event in notice["events"]}
    return kinds or {"NO_EVENT_FOUND"}


def passes(item: Item, only: dict[str, list[str]] | None) -> bool:
    """Return whether a citation passes a filter as GraphQL takes it."""
    resolution, standing = (only or {}).get("resolution"), (only or {}).get("standing")
    if resolution is not None and item["resolution"]["status"].upper() not in resolution:
        return False
    return standing is None or bool(standing_classes(item) & set(standing))
