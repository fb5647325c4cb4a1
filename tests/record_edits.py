"""Changing records at a path, and what reading them then refuses: for the tests of ``sources``."""

from __future__ import annotations

from typing import Any

import pytest

from pith_graph.errors import RecordRefusedError
from pith_graph.sources.pith_record import parse_record
from tests.record_universe import Universe
from tests.records import make_record

Path = tuple[str | int, ...]

RICH_ID = "2501.00041"


def value_at(record: Any, path: Path) -> Any:
    for step in path:
        record = record[step]
    return record


def change(record: Any, path: Path, value: Any) -> None:
    value_at(record, path[:-1])[path[-1]] = value


def refusal_of(record: dict[str, Any]) -> RecordRefusedError:
    with pytest.raises(RecordRefusedError) as refused:
        parse_record(record)
    return refused.value


def rich_record() -> dict[str, Any]:
    """A made record with something in every list."""
    record = make_record(arxiv_id=RICH_ID, inbound=3, universe=Universe(seed=2))
    notices = [item["standing_notice"] for item in record["outbound"]]
    assert record["external_citation_measurements"]
    assert any(notice["events"] for notice in notices)
    return record
