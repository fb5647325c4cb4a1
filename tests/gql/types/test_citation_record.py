"""The Paper Citation Record by GraphQL: all of it in one query, true, and in few statements."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from sqlalchemy import text

from pith_graph.canonical import canonical_json, digest_bytes
from tests.asking import NOW, asking
from tests.record_universe import Universe
from tests.record_versions import revise
from tests.records import SEED_AS_OF, SEED_ID, make_record, seed
from tests.whole_record import QUERY, Json, citations_of, count_leaves, record_of, with_instants

MADE_ID = "2501.00041"


def made() -> Json:
    """A record with something in every list, and more of it than is displayed."""
    record = make_record(
        arxiv_id=MADE_ID, citations=130, inbound=120, universe=Universe(seed=2, works=40)
    )
    notices = [item["standing_notice"] for item in record["outbound"] + record["inbound"]]
    assert len(record["outbound"]) == len(record["inbound"]) == 100
    assert record["external_citation_measurements"]
    assert any(event["kind"] == "retration" for notice in notices for event in notice["events"])
    return record


def sorted_ties(record: Json) -> Json:
    """Sort the inbound citations of one time, and leave out the digest that covers their order."""
    inbound = sorted(record["inbound"], key=lambda item: item["observation_id"])
    inbound.sort(key=lambda item: item["citation"]["source_observed_at"], reverse=True)
    if len({item["citation"]["source_observed_at"] for item in inbound}) == len(inbound):
        return record
    return {**record, "inbound": inbound, "context_digest": None}


@pytest.mark.parametrize(
    ("record", "leaves"), [(seed(), 700), (made(), 6000)], ids=["seed", "made"]
)
async def test_every_value_of_a_record_is_in_one_query_of_few_statements(
    graph, ingest, record, leaves
):
    await ingest(record)
    data = await graph.data(QUERY, id=record["paper"]["arxiv_id"])

    assert with_instants(sorted_ties(record_of(data))) == with_instants(sorted_ties(record))
    assert count_leaves(record) > leaves
    assert 0 < len(graph.driven) <= record["caps"]["database_statements"]
    assert graph.answer["extensions"]["cost"]["databaseStatements"] == len(graph.driven)


@pytest.mark.parametrize("record", [seed(), made()], ids=["seed", "made"])
async def test_every_digest_is_that_of_its_canonical_form(graph, ingest, record):
    await ingest(record)
    data = await graph.data(QUERY, id=record["paper"]["arxiv_id"])

    citations = citations_of(data, "outbound") + citations_of(data, "inbound")
    assert len(citations) == len(record["outbound"]) + len(record["inbound"])
    for citation in citations:
        form = citation["canonicalForm"].encode()
        assert digest_bytes(form) == citation["observationDigest"]
        assert canonical_json(json.loads(form)) == form
    form = data["paper"]["record"]["canonicalForm"].encode()
    assert digest_bytes(form) == data["paper"]["record"]["contextDigest"]
    assert canonical_json(json.loads(form)) == form


RECORD = """
query ($id: String = "2509.00217", $asOf: DateTime) {
  paper(id: $id) {
    record(asOf: $asOf) {
      asOf json contextDigest thesis
      links { json } caps { outbound inbound databaseStatements }
      coverage { lane recordsObserved } referenceResolution { displayed }
      standingSources { source }
    }
  }
}
"""


async def test_the_json_is_the_records_bytes(graph, ingest):
    await ingest(seed())
    data = await graph.data(RECORD)
    assert data["paper"]["record"]["json"].encode() == canonical_json(seed())
    data = await graph.data(RECORD, asOf="2026-08-10T10:32:00Z")
    assert data["paper"]["record"]["json"].encode() == canonical_json(seed())
    assert len(graph.driven) <= 6


async def test_an_earlier_time_shows_the_record_as_it_was_known_then(database, ingest):
    versions = [revise(seed(), number) for number in range(3)]
    for version in versions:
        assert [report.result for report in await ingest(version)] != ["refused"]
    async with asking(database, clock=lambda: NOW + timedelta(hours=1)) as graph:
        for version in versions:
            data = await graph.data(RECORD, asOf=version["as_of"])
            assert data["paper"]["record"]["json"].encode() == canonical_json(version)
            assert len(graph.driven) <= 6
        now = (await graph.data(RECORD))["paper"]["record"]
    assert now["contextDigest"] == versions[-1]["context_digest"]
    assert now["asOf"] == "2026-08-10T11:32:00Z"


async def test_a_bare_day_is_its_first_moment_in_utc(graph, ingest):
    await ingest(seed())
    day = (await graph.data(RECORD, asOf="2026-08-10"))["paper"]["record"]
    moment = (await graph.data(RECORD, asOf="2026-08-10T02:00:00+02:00"))["paper"]["record"]
    assert day == moment
    assert day["asOf"] == "2026-08-10T00:00:00Z"
    assert day["thesis"].startswith("As of 10 August 2026, ")


async def test_a_paper_is_not_held_before_it_was_observed(graph, ingest):
    await ingest(seed())
    error = await graph.error(RECORD, asOf="2026-08-01T00:00:00Z")
    assert error["code"] == "NOT_HELD"
    assert error["message"] == (
        "paper 2509.00217 as of 2026-08-01T00:00:00Z is not held by this store"
    )
    assert error["path"] == ["paper", "record"]


async def test_a_time_that_is_yet_to_come_is_refused(graph, ingest):
    await ingest(seed())
    error = await graph.error(RECORD, asOf="2026-08-10T10:32:31Z")
    assert error["code"] == "BAD_USER_INPUT"
    assert "2026-08-10T10:32:31Z, which is yet to come" in error["message"]


@pytest.mark.parametrize("at", ["yesterday", "2026-13-01", "", 5, None, "0001-01-01", "9999-12-31"])
async def test_any_time_is_answered_or_refused_by_name(graph, ingest, at):
    await ingest(seed())
    response = await graph.client.post(
        "/graphql", json={"query": RECORD, "variables": {"asOf": at}}
    )
    answer = response.json()
    if at is None:
        assert answer["data"]["paper"]["record"]["asOf"] == "2026-08-10T10:32:00Z"
        return
    assert {error["extensions"]["code"] for error in answer["errors"]} <= {
        "BAD_USER_INPUT",
        "NOT_HELD",
    }


async def test_a_title_changed_in_the_database_changes_both_digests(graph, ingest, write_engine):
    await ingest(seed())
    linked = next(item for item in seed()["outbound"] if item["citation"]["cited_work"]["work_id"])
    work_id = linked["citation"]["cited_work"]["work_id"]
    before = await graph.data(QUERY, id=SEED_ID)
    async with write_engine.begin() as connection:
        await connection.execute(text("UPDATE cited_works SET title = 'Another title'"))
    after = await graph.data(QUERY, id=SEED_ID)

    def digests(data: Json) -> Json:
        return {
            node["citedWork"]["workId"]: node["observationDigest"]
            for node in citations_of(data, "outbound")
            if node["citedWork"]
        }

    assert digests(before)[work_id] == linked["observation_digest"]
    assert digests(after)[work_id] != digests(before)[work_id]
    assert after["paper"]["record"]["contextDigest"] != seed()["context_digest"]
    assert SEED_AS_OF.isoformat()[:16] in after["paper"]["record"]["asOf"]
