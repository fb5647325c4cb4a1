"""The whole record asked for in one GraphQL query, and the record's JSON laid together from it.

``whole_record.graphql`` is the query. Times become instants on both sides, since GraphQL prints
them in one spelling and the record in two.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pith_graph.instants import parse_instant

Json = dict[str, Any]

QUERY = Path(__file__).with_suffix(".graphql").read_text(encoding="utf-8")

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)")


def with_instants(value: Any) -> Any:
    """Return a copy of JSON in which each string that is a time is a datetime."""
    if isinstance(value, dict):
        return {key: with_instants(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [with_instants(inner) for inner in value]
    if isinstance(value, str) and _INSTANT.fullmatch(value):
        return parse_instant(value)
    return value


def count_leaves(value: Any) -> int:
    """Count the values of JSON that hold no others; an empty list is one."""
    inner = list(value.values()) if isinstance(value, dict) else value
    if isinstance(inner, list) and inner:
        return sum(map(count_leaves, inner))
    return 1


def citations_of(data: Json, direction: str) -> list[Json]:
    """Return the citation nodes of an answer to the query."""
    return [edge["node"] for edge in data["paper"][direction]["edges"]]


def record_of(data: Json) -> Json:
    """Lay a record together from the data of an answer to the query."""
    paper, record = data["paper"], data["paper"]["record"]
    resolution = paper["referenceResolution"]
    counts = {entry["status"].lower(): entry["count"] for entry in resolution["stateCounts"]}
    made: Json = {
        "as_of": record["asOf"],
        "caps": _snake(record["caps"]),
        "context_digest": record["contextDigest"],
        "coverage": [
            _snake(lane) | {"lane": lane["lane"].lower(), "state": lane["state"].lower()}
            for lane in paper["coverage"]
        ],
        "external_citation_measurements": [
            _snake(_raw(each, "source")) for each in paper["externalCitationMeasurements"]
        ],
        "inbound": [_observation(node) for node in citations_of(data, "inbound")],
        "links": paper["links"],
        "outbound": [_observation(node) for node in citations_of(data, "outbound")],
        "paper": _paper(paper, version="latest_version")
        | {"primary_category": paper["primaryCategory"]},
        "reference_resolution": {
            "displayed": resolution["displayed"],
            "state_counts": counts,
            "total_outbound_references": resolution["totalOutboundReferences"],
        },
        "refusal": record["refusal"],
        "schema": record["schema"],
        "standing_sources": [_snake(_raw(each, "source")) for each in record["standingSources"]],
        "thesis": record["thesis"],
    }
    return made


def _observation(node: Json) -> Json:
    cited = node["citedPaper"]
    links = {"citing_paper": node["links"]["citingPaper"]}
    if node["links"]["citedPaper"] is not None:
        links["cited_paper"] = node["links"]["citedPaper"]
    resolution = _snake(_raw(node["resolution"], "resolverSource"))
    return {
        "citation": {
            "cited_paper": None if cited is None else _paper(cited),
            "cited_work": _work(node),
            "citing_paper": _paper(node["citingPaper"]),
            "reference_index": node["referenceIndex"],
            "source": node["sourceRaw"],
            "source_observed_at": node["sourceObservedAt"],
        },
        "links": links,
        "observation_digest": node["observationDigest"],
        "observation_id": node["observationId"],
        "resolution": resolution | {"status": resolution["status"].lower()},
        "standing_notice": _notice(node["standingNotice"]),
    }


def _work(node: Json) -> Json:
    """Return ``cited_work``: the linked work, or without one what the entry says."""
    cited, work = node["citedPaper"], node["citedWork"]
    shown = {"pith_arxiv_id": None if cited is None else cited["arxivId"]}
    if work is not None:
        return shown | _snake(_raw(work, "metadataSource"))
    return {
        **shown,
        **_snake(node["citedAs"]),
        "metadata_source": None,
        "snapshot_observed_at": node["sourceObservedAt"],
        "work_id": None,
    }


def _notice(notice: Json) -> Json:
    events = [
        {
            "kind": event["kindRaw"],
            "notice_doi": event["noticeDoi"],
            "observed_at": receipt["observedAt"],
            "occurred_on": event["occurredOn"],
            "raw_type": receipt["rawType"],
            "source": receipt["sourceRaw"],
        }
        for event in notice["events"]
        for receipt in event["receipts"]
    ]
    made: Json = {
        "events": events,
        "reason": notice["reason"] and notice["reason"].lower(),
        "source_receipts": [_snake(_raw(each, "source")) for each in notice["sourceReceipts"]],
        "state": notice["state"].lower(),
    }
    if notice["observation"] is not None:
        made["observation"] = notice["observation"]
    return made


def _paper(paper: Json, *, version: str = "version") -> Json:
    return {
        "arxiv_id": paper["arxivId"],
        "last_updated": paper["lastUpdated"],
        "snapshot_observed_at": paper["snapshotObservedAt"],
        "submitted_at": paper["submittedAt"],
        "title": paper["title"],
        version: paper["latestVersion"],
    }


def _raw(value: Json, key: str) -> Json:
    """Return an object whose ``…Raw`` field has the name of the enum beside it."""
    return {key if name == f"{key}Raw" else name: inner for name, inner in value.items()}


def _snake(value: Json) -> Json:
    return {re.sub(r"(?<!^)([A-Z])", r"_\1", key).lower(): inner for key, inner in value.items()}
