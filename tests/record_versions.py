"""Newer records of a paper: what was observed stays, what can change has changed."""

from __future__ import annotations

import copy
from datetime import timedelta
from typing import Any

from pith_graph.instants import parse_instant, render_instant, render_offset_instant
from tests.records import with_derived


def revise(record: dict[str, Any], number: int) -> dict[str, Any]:
    """Return the record of so many minutes later: another version, title and newer receipts.

    What changed was observed at the new record's own time, so that it was not known before. Number
    0 is the record as it is.
    """
    if number == 0:
        return record
    made = copy.deepcopy(record)
    at = parse_instant(record["as_of"]) + timedelta(minutes=number)
    made["as_of"] = render_instant(at)
    paper = made["paper"]
    shown = [item["citation"]["citing_paper"] for item in made["outbound"]]
    shown += [item["citation"]["cited_paper"] for item in made["inbound"]]
    for each in (paper, *shown):
        each["title"] = f"{record['paper']['title']} (version {number + 1})"
        each["snapshot_observed_at"] = render_instant(at)
        each["latest_version" if each is paper else "version"] += number
    notices = [item["standing_notice"] for item in made["outbound"] + made["inbound"]]
    for receipt in (*made["standing_sources"], *(r for n in notices for r in n["source_receipts"])):
        receipt["observed_at"] = render_offset_instant(at)
    return with_derived(made)
