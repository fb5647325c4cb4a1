"""What the parts of a record say of each other: each contradiction is refused at its place."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest

from pith_graph.sources.pith_record import parse_record
from tests.record_edits import RICH_ID, Path, change, refusal_of, rich_record
from tests.record_universe import Universe
from tests.records import seed, with_derived, with_digests

CONTRADICTIONS: dict[str, tuple[Path, Any, str, str]] = {
    "schema": (("schema",), "pith.paper-citation-record.v2", "schema", "v1', found"),
    "refusal": (("refusal",), "It does.", "refusal", "expected 'A citation records"),
    "as_of": (("as_of",), "2026-08-10T10:32:01Z", "as_of", "printed to the minute"),
    "as_of spelling": (("as_of",), "2026-08-10T10:32:00+00:00", "as_of", "with Z at its end"),
    "standing spelling": (
        ("standing_sources", 0, "observed_at"),
        "2026-08-10T06:31:04.303077Z",
        "standing_sources[0].observed_at",
        r"with \+00:00 at its end",
    ),
    "lane spelling": (
        ("coverage", 1, "source_observed_at"),
        "2026-08-10T06:31:04.303077Z",
        "coverage[1].source_observed_at",
        r"does not end in \+00:00",
    ),
    "lane note": (("coverage", 0, "note"), "x", "coverage[0].note", "expected 'Typed states"),
    "lane source": (("coverage", 3, "source"), "x", "coverage[3].source", "expected 'cited_works'"),
    "lane name": (("coverage", 0, "lane"), "x", "coverage[0].lane", "none of reference_resolution"),
    "lane order": (("coverage", 0, "lane"), "standing_notices", "coverage", "expected the lanes"),
    "total": (
        ("reference_resolution", "total_outbound_references"),
        20,
        "reference_resolution.total_outbound_references",
        "20 in all, but 21 are displayed",
    ),
    "paper's id": (("paper", "arxiv_id"), "2509.00217v1", "paper.arxiv_id", "a bare arXiv id"),
    "paper's title": (
        ("paper", "title"),
        "x",
        "outbound[0].citation.citing_paper.title",
        "paper 2509.00217 is shown with another title at paper; .* and 16 more",
    ),
    "citing paper": (
        ("outbound", 4, "citation", "citing_paper", "arxiv_id"),
        "2509.00218",
        "outbound[4].citation.citing_paper.arxiv_id",
        "expected the record's paper 2509.00217, found 2509.00218",
    ),
    "citing version": (
        ("outbound", 4, "citation", "citing_paper", "version"),
        2,
        "outbound[4].citation.citing_paper.version",
        "shown with another version at paper",
    ),
    "held paper's id": (
        ("outbound", 0, "citation", "cited_work", "pith_arxiv_id"),
        None,
        "outbound[0].citation.cited_work.pith_arxiv_id",
        "expected cited_paper's id, '2507.07120', found None",
    ),
    "unlinked source": (
        ("outbound", 0, "citation", "cited_work", "metadata_source"),
        "crossref",
        "outbound[0].citation.cited_work.metadata_source",
        "expected null without a linked work",
    ),
    "unlinked time": (
        ("outbound", 0, "citation", "cited_work", "snapshot_observed_at"),
        "2026-08-05T13:52:28.348754Z",
        "outbound[0].citation.cited_work.snapshot_observed_at",
        "the observation's own time",
    ),
    "doi": (
        ("outbound", 1, "citation", "cited_work", "doi"),
        "10.1/x",
        "outbound[1].citation.cited_work.doi",
        "is not an identifier: the prefix",
    ),
    "work's arxiv id": (
        ("outbound", 1, "citation", "cited_work", "arxiv_id"),
        "math.GT/0309136",
        "outbound[1].citation.cited_work.arxiv_id",
        "expected a bare arXiv id",
    ),
    "year": (
        ("outbound", 1, "citation", "cited_work", "year"),
        2101,
        "outbound[1].citation.cited_work.year",
        "less than or equal to 2100, found 2101",
    ),
    "index": (
        ("outbound", 1, "citation", "reference_index"),
        -1,
        "outbound[1].citation.reference_index",
        "greater than or equal to 0, found -1",
    ),
    "uuid": (
        ("outbound", 1, "observation_id"),
        "6A79779B-d657-4fdc-a734-2e37e0500b3e",
        "outbound[1].observation_id",
        "not a UUID in lower case",
    ),
    "twice": (
        ("outbound", 1, "observation_id"),
        "24514ff3-c30a-4254-a4ec-ed5a690fdb0a",
        "outbound[1].observation_id",
        r"stands already at outbound\[0\]",
    ),
    "status": (
        ("outbound", 1, "resolution", "status"),
        "verified",
        "outbound[1].resolution.status",
        "'verified' is none of verified_exact",
    ),
    "link": (
        ("outbound", 0, "links", "cited_paper"),
        "/paper/2507.07121",
        "outbound[0].links.cited_paper",
        "expected '/paper/2507.07120'",
    ),
    "link to nothing": (
        ("outbound", 1, "links", "cited_paper"),
        "/paper/2507.07121",
        "outbound[1].links.cited_paper",
        "present although no cited paper is held",
    ),
    "page link": (("links", "json"), "/x.json", "links.json", "expected '/paper/2509.00217"),
    "measured without work": (
        ("outbound", 0, "standing_notice", "state"),
        "measured",
        "outbound[0].standing_notice.state",
        "expected 'unavailable' without a linked work",
    ),
    "reason without work": (
        ("outbound", 0, "standing_notice", "reason"),
        "standing_source_not_loaded",
        "outbound[0].standing_notice.reason",
        "expected 'canonical_work_link_unavailable'",
    ),
    "sentence without work": (
        ("outbound", 0, "standing_notice", "observation"),
        "No event found.",
        "outbound[0].standing_notice.observation",
        "expected nothing unless measured without events",
    ),
    "no receipt": (
        ("outbound", 1, "standing_notice", "source_receipts"),
        [],
        "outbound[1].standing_notice.source_receipts",
        "expected a receipt of every source",
    ),
    "receipts of one source": (
        ("outbound", 1, "standing_notice", "source_receipts", 1, "source"),
        "crossref",
        "outbound[1].standing_notice.source_receipts",
        "expected one entry a source, found 2 of 'crossref'",
    ),
    "standing sources": (
        ("standing_sources", 1, "source"),
        "crossref",
        "standing_sources",
        "expected one entry a source",
    ),
    "reason though measured": (
        ("outbound", 1, "standing_notice", "reason"),
        "canonical_work_link_unavailable",
        "outbound[1].standing_notice.reason",
        "expected null where the state is measured",
    ),
    "unavailable with receipts": (
        ("outbound", 1, "standing_notice", "state"),
        "unavailable",
        "outbound[1].standing_notice.reason",
        "expected a reason",
    ),
    "no sentence": (
        ("outbound", 1, "standing_notice", "observation"),
        None,
        "outbound[1].standing_notice.observation",
        "expected the sentence",
    ),
    "work shown differently": (
        ("outbound", 4, "citation", "cited_work", "work_id"),
        "5ba66983-5cf2-456d-80cf-602f36483974",
        "outbound[4].citation.cited_work.title",
        r"shown with another title at outbound\[1\].citation.cited_work",
    ),
    "blank source": (
        ("outbound", 1, "citation", "source"),
        " ",
        "outbound[1].citation.source",
        "a name",
    ),
    "long text": (("thesis",), "x" * 10_001, "thesis", "at most 10000 characters"),
    "large count": (("caps", "inbound"), 2**31, "caps.inbound", "less than or equal to 2147483647"),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_contradiction_is_refused_though_its_digests_are_right(name):
    path, value, place, reason = CONTRADICTIONS[name]
    record = seed()
    change(record, path, value)

    error = refusal_of(with_digests(record))

    assert error.place == place
    assert re.search(reason, error.reason)


def test_an_inbound_citation_points_to_the_paper():
    record = rich_record()
    record["inbound"][1]["citation"]["cited_paper"]["arxiv_id"] = "2501.00042"

    error = refusal_of(with_digests(record))

    assert error.place == "inbound[1].citation.cited_paper"
    assert "expected the record's paper 2501.00041, found 2501.00042" in error.reason


def test_fewer_inbound_in_all_than_displayed_is_refused():
    record = rich_record()
    record["coverage"][2]["denominator"] = 2

    assert refusal_of(with_digests(record)).place == "coverage[2].denominator"


def test_a_paper_that_cites_itself_has_the_citation_in_both_lists():
    record = rich_record()
    itself = Universe(seed=2).citation(RICH_ID, 13, cited=RICH_ID)
    record["outbound"].append(itself)
    record["inbound"].insert(0, copy.deepcopy(itself))
    record["reference_resolution"]["total_outbound_references"] += 1
    record["coverage"][2]["denominator"] += 1

    parse_record(with_derived(record))

    record["inbound"][0]["citation"]["source"] = "crossref"
    assert refusal_of(with_derived(record)).place == "inbound[0].observation_id"


def test_two_standings_of_one_work_are_refused():
    record = seed()
    first, second = (record["outbound"][index] for index in (1, 4))
    second["citation"]["cited_work"] = copy.deepcopy(first["citation"]["cited_work"])
    parse_record(with_digests(record))

    second["standing_notice"]["source_receipts"].pop()

    assert refusal_of(with_digests(record)).place == "outbound[4].standing_notice.source_receipts"
