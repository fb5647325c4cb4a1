"""Paper Citation Records for tests: the seed, cut and stamped copies of it, and made ones.

Made records are valid and agree with each other. The JSON is laid together here, without the code
that the tests are about.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from pith_graph.canonical import canonical_json, digest
from pith_graph.instants import parse_instant, render_instant, render_offset_instant
from pith_graph.record_text import (
    CAPS,
    LANE_NOTES,
    LANE_SOURCES,
    REFUSAL,
    SCHEMA_NAME,
    no_event_sentence,
    paper_links,
    thesis,
)
from pith_graph.vocabulary import CoverageLane, ResolutionStatus
from tests.record_universe import Universe, receipts

SEED_ID = "2509.00217"
SEED_AS_OF = datetime(2026, 8, 10, 10, 32, tzinfo=UTC)
seed_path = Path(__file__).parents[1] / "seed" / f"{SEED_ID}.citation-record.json"


def seed() -> dict[str, Any]:
    """Return the bundled record, parsed anew."""
    record: dict[str, Any] = json.loads(seed_path.read_bytes())
    return record


def encode(record: dict[str, Any]) -> bytes:
    """Return a record as its canonical bytes."""
    return canonical_json(record)


def with_digests(record: dict[str, Any]) -> dict[str, Any]:
    """Return a copy with every digest computed anew."""
    stamped = copy.deepcopy(record)
    for item in [*stamped["outbound"], *stamped["inbound"]]:
        item["observation_digest"] = digest(item, without=frozenset({"observation_digest"}))
    stamped["context_digest"] = digest(stamped, without=frozenset({"as_of", "context_digest"}))
    return stamped


def with_derived(record: dict[str, Any]) -> dict[str, Any]:
    """Return a copy with counts, coverage, thesis, sentences and digests computed anew.

    The declared totals stay.
    """
    made = copy.deepcopy(record)
    outbound, totals = made["outbound"], made["reference_resolution"]
    counts = Counter(item["resolution"]["status"] for item in outbound)
    totals["displayed"] = len(outbound)
    totals["state_counts"] = {status.value: counts[status.value] for status in ResolutionStatus}
    total_inbound = made["coverage"][2]["denominator"]
    made["coverage"] = _cover(made, total_inbound)
    for item in [*outbound, *made["inbound"]]:
        notice = item["standing_notice"]
        if "observation" in notice:
            times = [parse_instant(each["observed_at"]) for each in notice["source_receipts"]]
            notice["observation"] = no_event_sentence(max(times))
    made["thesis"] = thesis(
        as_of=parse_instant(made["as_of"]),
        displayed=len(outbound),
        total_outbound=totals["total_outbound_references"],
        total_inbound=total_inbound,
        arxiv_id=made["paper"]["arxiv_id"],
    )
    return with_digests(made)


def cut(record: dict[str, Any], n: int) -> dict[str, Any]:
    """Return a copy that displays the first ``n`` outbound citations of the declared total."""
    return with_derived({**record, "outbound": record["outbound"][:n]})


def shift_times(record: dict[str, Any], delta: timedelta) -> dict[str, Any]:
    """Return a copy that was observed, and asked for, later by whole minutes."""

    def shift(value: Any, key: str) -> Any:
        if isinstance(value, dict):
            return {name: shift(inner, name) for name, inner in value.items()}
        if isinstance(value, list):
            return [shift(inner, key) for inner in value]
        if isinstance(value, str) and (key == "as_of" or key.endswith("observed_at")):
            at = parse_instant(value) + delta
            return render_instant(at) if value.endswith("Z") else render_offset_instant(at)
        return value

    return with_derived(shift(record, ""))


def make_record(
    *,
    arxiv_id: str = SEED_ID,
    citations: int = 12,
    inbound: int = 0,
    as_of: datetime = SEED_AS_OF,
    universe: Universe | None = None,
) -> dict[str, Any]:
    """Make a record of one paper with so many citations in each direction.

    Records of one universe agree on papers and works. The citing papers of ``inbound`` are taken
    from a range beyond its own, by the paper's name, so that other records do not contradict them.
    """
    world = universe or Universe()
    outbound = [world.citation(arxiv_id, index) for index in range(1, citations + 1)]
    citing = map(world.arxiv_id, Random(arxiv_id).sample(range(10_000, 40_000), inbound))
    incoming = [world.citation(each, 1, cited=arxiv_id) for each in citing]
    return compose_record(world, arxiv_id, outbound=outbound, inbound=incoming, as_of=as_of)


def make_records(universe: Universe, *, as_of: datetime = SEED_AS_OF) -> list[dict[str, Any]]:
    """Make the records of all papers of a universe, each with its inbound citations."""
    names = [universe.arxiv_id(number) for number in range(universe.papers)]
    whole = {name: universe.bibliography(name) for name in names}
    incoming: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for item in (item for items in whole.values() for item in items):
        cited = item["citation"]["cited_paper"]
        if cited is not None:
            incoming[cited["arxiv_id"]].append(item)
    return [
        compose_record(universe, name, outbound=whole[name], inbound=incoming[name], as_of=as_of)
        for name in names
    ]


def compose_record(
    universe: Universe,
    arxiv_id: str,
    *,
    outbound: list[dict[str, Any]],
    inbound: list[dict[str, Any]],
    as_of: datetime,
) -> dict[str, Any]:
    """Lay a record together. At most 100 citations of each direction are displayed.

    Inbound citations come newest first, then by the text of their id.
    """
    paper = universe.paper(arxiv_id)
    incoming = sorted(inbound, key=lambda item: item["observation_id"])
    incoming.sort(key=_observed_at, reverse=True)
    record = {
        "as_of": render_instant(as_of),
        "caps": dict(CAPS),
        "context_digest": "",
        "coverage": [{}, {}, {"denominator": len(inbound)}, {}],
        "external_citation_measurements": universe.measurements(arxiv_id),
        "inbound": incoming[: CAPS["inbound"]],
        "links": paper_links(arxiv_id),
        "outbound": outbound[: CAPS["outbound"]],
        "paper": {
            **{key: value for key, value in paper.items() if key != "version"},
            "latest_version": paper["version"],
            "primary_category": universe.primary_category(arxiv_id),
        },
        "reference_resolution": {"total_outbound_references": len(outbound)},
        "refusal": REFUSAL,
        "schema": SCHEMA_NAME,
        "standing_sources": receipts(),
        "thesis": "",
    }
    return with_derived(record)


def _cover(record: dict[str, Any], total_inbound: int) -> list[dict[str, Any]]:
    """Compute the four lanes; an unavailable one stays so."""
    displayed, measurements = len(record["outbound"]), record["external_citation_measurements"]
    answers = [*record["standing_sources"]]
    for item in record["outbound"]:
        answers += item["standing_notice"]["source_receipts"]
    asked = [parse_instant(receipt["observed_at"]) for receipt in answers]
    measured = [parse_instant(each["observed_at"]) for each in measurements]
    rows = (
        (displayed, displayed, _latest(map(_observed_at, record["outbound"]))),
        (displayed, displayed, render_offset_instant(max(asked)) if asked else None),
        (total_inbound, len(record["inbound"]), _latest(map(_observed_at, record["inbound"]))),
        (1, min(1, len(measurements)), _latest(measured)),
    )
    return [
        {
            "denominator": denominator,
            "lane": lane.value,
            "note": LANE_NOTES[lane],
            "records_observed": observed,
            "source": LANE_SOURCES[lane],
            "source_observed_at": at,
            "state": before.get("state", "measured"),
        }
        for lane, (denominator, observed, at), before in zip(
            CoverageLane, rows, record["coverage"], strict=True
        )
    ]


def _observed_at(item: dict[str, Any]) -> datetime:
    return parse_instant(item["citation"]["source_observed_at"])


def _latest(times: Any) -> str | None:
    newest = max(times, default=None)
    return None if newest is None else render_instant(newest)
