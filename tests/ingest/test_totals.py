"""Totals that records declare, and a record that does not know its own."""

from __future__ import annotations

import json
from datetime import timedelta

from tests.records import SEED_AS_OF, SEED_ID, cut, seed, with_digests


async def test_a_record_without_a_total_erases_none_that_is_known(ingest, export):
    await ingest(seed())
    later = cut(seed(), 5)
    later["as_of"] = "2026-08-11T10:32:00Z"
    later["reference_resolution"]["total_outbound_references"] = None
    await ingest(with_digests(later))
    record = json.loads(await export(SEED_ID, at=SEED_AS_OF + timedelta(days=1)))
    assert len(record["outbound"]) == 21
    assert record["reference_resolution"]["total_outbound_references"] == 21


async def test_a_total_that_nothing_declares_is_unknown(ingest, export):
    partial = cut(seed(), 5)
    partial["reference_resolution"]["total_outbound_references"] = None
    await ingest(with_digests(partial))
    record = json.loads(await export(SEED_ID, at=SEED_AS_OF))
    assert len(record["outbound"]) == 5
    assert record["reference_resolution"]["total_outbound_references"] is None
    assert "5 of an unknown number of outbound references" in record["thesis"]
