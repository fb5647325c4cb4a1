"""The roots: papers, works, citations and nodes by every identifier, and what is refused."""

from __future__ import annotations

import base64
from importlib.resources import files
from itertools import product
from typing import Any
from uuid import UUID

import pytest
from pydantic import ValidationError
from sqlalchemy import text

from pith_graph.gql.types.limits import MAX_KEYS
from pith_graph.settings import Settings
from tests.asking import Asking, asking
from tests.record_universe import Universe
from tests.records import SEED_ID, make_record, seed, seed_path
from tests.test_identifiers import WRITTEN

Item = dict[str, Any]

OLD_ID = "hep-th/9901001"
PAPER = "query ($id: String!) { paper(id: $id) { arxivId } }"


@pytest.fixture
async def old(ingest):
    """A held paper with an old-style id."""
    record = make_record(arxiv_id=OLD_ID, citations=5, universe=Universe(seed=3))
    await ingest(record)
    return record


@pytest.fixture
async def held(ingest):
    """The seed is held."""
    await ingest(seed_path)


@pytest.fixture
def execute(write_engine):
    """Runs SQL."""

    async def run(sql, **parameters):
        async with write_engine.begin() as connection:
            await connection.execute(text(sql), parameters)

    return run


def linked_work() -> Item:
    """The first work that the seed links to."""
    works = (item["citation"]["cited_work"] for item in seed()["outbound"])
    return next(dict(work) for work in works if work["work_id"])


# The starter query


async def test_the_starter_query_shows_the_paper_its_references_and_what_is_known(graph, held):
    starter = files("pith_graph.web") / "templates" / "starter.graphql"
    paper = (await graph.data(starter.read_text(encoding="utf-8")))["paper"]

    assert paper["arxivId"] == SEED_ID
    nodes = [edge["node"] for edge in paper["outbound"]["edges"]]
    assert [node["referenceIndex"] for node in nodes] == list(range(1, 22))
    assert paper["outbound"]["totalCount"] == 21
    statuses = [node["resolution"]["status"] for node in nodes]
    assert (statuses.count("UNRESOLVED"), statuses.count("VERIFIED_FUZZY")) == (10, 11)
    states = [node["standingNotice"]["state"] for node in nodes]
    assert (states.count("UNAVAILABLE"), states.count("MEASURED")) == (10, 11)
    assert {lane["lane"]: lane["checked"] for lane in paper["coverage"]} == {
        "REFERENCE_RESOLUTION": 21,
        "STANDING_NOTICES": 11,
        "INBOUND_ITEMIZATION": 0,
        "EXTERNAL_CITATION_MEASUREMENTS": 0,
    }
    assert all(lane["emptyMeans"].endswith(".") for lane in paper["coverage"])


# paper


async def test_a_paper_is_found_by_every_written_form_of_its_id(graph, held, old):
    for form, arxiv_id, version in product(WRITTEN, (SEED_ID, OLD_ID), (None, 3)):
        written = form.format(arxiv_id if version is None else f"{arxiv_id}v{version}")
        for each in (written, written.upper()):
            assert await graph.data(PAPER, id=each) == {"paper": {"arxivId": arxiv_id}}, each
            assert graph.answer["extensions"]["identifiers"] == [
                {"input": each, "arxivId": arxiv_id, "version": version}
            ]


DOI_FORMS = [
    "10.1103/PhysRevD.59.086004",
    "10.1103/PHYSREVD.59.086004",
    "doi:10.1103/physrevd.59.086004",
    "https://doi.org/10.1103/PhysRevD.59.086004",
    "https://doi.org/10.1103%2FPhysRevD.59.086004",
]


async def test_a_paper_is_found_by_the_doi_of_its_published_version(graph, held, execute):
    await execute(
        "UPDATE papers SET doi = '10.1103/PhysRevD.59.086004' WHERE arxiv_id = :id", id=SEED_ID
    )
    for form in DOI_FORMS:
        assert await graph.data(PAPER, id=form) == {"paper": {"arxivId": SEED_ID}}
        assert graph.answer["extensions"]["identifiers"] == [
            {"input": form, "arxivId": SEED_ID, "version": None}
        ]


async def test_a_paper_is_found_by_the_doi_of_a_work_with_its_id(graph, held, execute):
    await execute(
        "UPDATE cited_works SET doi = '10.5555/Both', arxiv_id = :id WHERE title = :title",
        id=SEED_ID,
        title=linked_work()["title"],
    )
    assert await graph.data(PAPER, id="10.5555/BOTH") == {"paper": {"arxivId": SEED_ID}}


async def test_a_doi_that_two_papers_carry_is_ambiguous(graph, held, old, execute):
    await execute("UPDATE papers SET doi = '10.5555/Twice' WHERE observed_at IS NOT NULL")
    error = await graph.error(PAPER, id="10.5555/twice")
    assert error["code"] == "BAD_USER_INPUT"
    assert SEED_ID in error["message"]
    assert OLD_ID in error["message"]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("arXiv:2401.00001v2", "paper 2401.00001"),
        ("10.1103/None", "paper with DOI 10.1103/none"),
    ],
)
async def test_a_paper_that_is_not_held_is_null_with_an_error_that_says_so(graph, written, name):
    answer = await graph.ask(PAPER, id=written)
    assert answer["data"] == {"paper": None}
    (error,) = answer["errors"]
    assert error["message"] == f"{name} is not held by this store"
    assert error["extensions"] == {"code": "NOT_HELD"}
    assert error["path"] == ["paper"]
    assert answer["extensions"]["identifiers"][0]["input"] == written


async def test_a_paper_that_is_only_named_by_an_entry_is_not_held(graph, ingest):
    record = make_record(citations=30, universe=Universe(seed=5))
    await ingest(record)
    named = {
        item["citation"]["cited_work"]["arxiv_id"]
        for item in record["outbound"]
        if item["citation"]["cited_work"]["work_id"] is None
    }
    assert "2301.00001" in named
    assert (await graph.error(PAPER, id="2301.00001"))["code"] == "NOT_HELD"


@pytest.mark.parametrize(
    "written", ["", " ", "2509", "2513.00001", "hep-th/1", "10.", "x" * 3000, "\ud800", "../../etc"]
)
async def test_a_malformed_id_is_refused_with_what_was_expected(graph, written):
    error = await graph.error(PAPER, id=written) if written != "\ud800" else await surrogate(graph)
    assert error["code"] == "BAD_USER_INPUT"
    assert "is not an identifier: " in error["message"] or written == "\ud800"
    assert len(error["message"]) < 600


async def surrogate(graph: Asking) -> Item:
    body = b'{"query": "{ paper(id: \\"\\\\ud800\\") { arxivId } }"}'
    response = await graph.client.post(
        "/graphql", content=body, headers={"content-type": "application/json"}
    )
    (error,) = response.json()["errors"]
    code = error["extensions"]["code"]
    assert code in {"BAD_USER_INPUT", "GRAPHQL_PARSE_FAILED", "BAD_REQUEST"}
    return {**error, "code": "BAD_USER_INPUT"}


# papers

PAPERS = """
query ($ids: [String!]!) {
  papers(ids: $ids) {
    __typename
    ... on Paper { arxivId }
    ... on NotHeld { input identifier message }
    ... on MalformedIdentifier { input message }
    ... on AmbiguousIdentifier { input candidates message }
  }
}
"""


async def test_a_plural_look_up_has_one_answer_for_each_input_in_order(graph, held, old, execute):
    await execute("UPDATE papers SET doi = '10.5555/Twice' WHERE observed_at IS NOT NULL")
    ids = ["2401.00001", f"arXiv:{OLD_ID}v2", "nonsense", "10.5555/TWICE", SEED_ID, "2401.00001"]
    papers = (await graph.data(PAPERS, ids=ids))["papers"]

    assert [each["__typename"] for each in papers] == [
        "NotHeld",
        "Paper",
        "MalformedIdentifier",
        "AmbiguousIdentifier",
        "Paper",
        "NotHeld",
    ]
    assert papers[0] == papers[5]
    assert papers[0]["identifier"] == "2401.00001"
    assert (papers[1]["arxivId"], papers[4]["arxivId"]) == (OLD_ID, SEED_ID)
    assert papers[2]["input"] == "nonsense"
    assert {SEED_ID, OLD_ID} <= set(papers[3]["candidates"])
    assert graph.answer["extensions"]["identifiers"][1] == {
        "input": f"arXiv:{OLD_ID}v2",
        "arxivId": OLD_ID,
        "version": 2,
    }


async def test_a_hundred_papers_are_one_statement_and_one_more_is_refused(graph, held):
    ids = [f"2401.{number:05}" for number in range(1, MAX_KEYS)]
    papers = (await graph.data(PAPERS, ids=[*ids, SEED_ID]))["papers"]
    assert [each["__typename"] for each in papers] == ["NotHeld"] * 99 + ["Paper"]
    assert len(graph.driven) == 1

    error = await graph.error(PAPERS, ids=[*ids, SEED_ID, SEED_ID])
    assert error["code"] == "BAD_USER_INPUT"
    assert error["message"] == "`ids` has 101 entries: expected at most 100"
    assert (await graph.data(PAPERS, ids=[])) == {"papers": []}


# node

NODE = "query ($id: ID!) { node(id: $id) { id __typename } }"
NODES = "query ($ids: [ID!]!) { nodes(ids: $ids) { id __typename } }"
IDS = """
{ paper(id: "2509.00217") {
    id
    outbound(first: 100) { edges { node { id citedPaper { id } citedWork { id } } } }
} }
"""


async def test_every_global_id_finds_its_node_again(graph, held):
    paper = (await graph.data(IDS))["paper"]
    nodes = [edge["node"] for edge in paper["outbound"]["edges"]]
    expected = {paper["id"]: "Paper"}
    expected |= {node["id"]: "Citation" for node in nodes}
    expected |= {node["citedPaper"]["id"]: "Paper" for node in nodes if node["citedPaper"]}
    expected |= {node["citedWork"]["id"]: "Work" for node in nodes if node["citedWork"]}
    assert {*expected.values()} == {"Paper", "Citation", "Work"}

    found = (await graph.data(NODES, ids=list(expected)))["nodes"]
    assert {each["id"]: each["__typename"] for each in found} == expected
    assert len(graph.driven) == 3
    for global_id, kind in expected.items():
        data = await graph.data(NODE, id=global_id)
        assert data["node"] == {"id": global_id, "__typename": kind}


def global_id(name: str) -> str:
    return base64.urlsafe_b64encode(name.encode()).decode()


NO_IDS = [
    "",
    "x",
    "é",
    "a" * 10_000,
    base64.urlsafe_b64encode(b"\xff\xfe").decode(),
    *map(
        global_id,
        ["", "Paper", "Paper:", "Paper:2509.00217v1", "Paper: 2509.00217", "Author:1"],
    ),
    *map(global_id, ["Citation:", "Citation:x", "Work:2509.00217", "Paper:x" * 500, "Work:\x00"]),
]


async def test_what_is_no_global_id_is_refused_by_name(graph):
    for text_id in NO_IDS:
        error = await graph.error(NODE, id=text_id)
        assert error["code"] == "BAD_USER_INPUT", text_id
        assert "expected the `id` of a Paper, Citation or Work" in error["message"]


@pytest.mark.parametrize(
    "name", ["Paper:2401.00001", f"Work:{UUID(int=1)}", f"Citation:{UUID(int=1)}"]
)
async def test_a_node_that_is_not_held_is_null_with_an_error_that_says_so(graph, name):
    answer = await graph.ask(NODE, id=global_id(name))
    assert answer["data"] == {"node": None}
    assert [error["extensions"]["code"] for error in answer["errors"]] == ["NOT_HELD"]


async def test_one_bad_id_nulls_no_other_node(graph, held):
    paper = global_id(f"Paper:{SEED_ID}")
    answer = await graph.ask(NODES, ids=[paper, "nonsense", global_id("Paper:2401.00001"), paper])
    assert [each and each["id"] for each in answer["data"]["nodes"]] == [paper, None, None, paper]
    codes = {tuple(error["path"]): error["extensions"]["code"] for error in answer["errors"]}
    assert codes == {("nodes", 1): "BAD_USER_INPUT", ("nodes", 2): "NOT_HELD"}
    assert (await graph.error(NODES, ids=[paper] * 101))["code"] == "BAD_USER_INPUT"


# work

WORK = "query ($by: WorkBy!) { work(by: $by) { workId doi arxivId title } }"


async def test_a_work_is_found_by_each_of_its_identifiers(graph, held, execute):
    work = linked_work()
    await execute(
        "UPDATE cited_works SET doi = '10.5555/Work', arxiv_id = 'hep-th/9901002' "
        "WHERE title = :title",
        title=work["title"],
    )
    for by in (
        {"workId": work["work_id"]},
        {"workId": work["work_id"].upper()},
        {"doi": "10.5555/WORK"},
        {"doi": "https://doi.org/10.5555/Work"},
        {"arxivId": "hep-th/9901002"},
        {"arxivId": "https://arxiv.org/abs/hep-th/9901002v4"},
        {"arxivId": "10.48550/arXiv.hep-th/9901002"},
        {"doi": "10.48550/arXiv.hep-th/9901002"},
    ):
        found = (await graph.data(WORK, by=by))["work"]
        assert found["workId"] == work["work_id"], by
    assert found == {
        "workId": work["work_id"],
        "doi": "10.5555/Work",
        "arxivId": "hep-th/9901002",
        "title": work["title"],
    }


async def test_a_work_that_carries_arxivs_doi_alone_is_found_by_it(graph, held, execute):
    work = linked_work()
    await execute(
        "UPDATE cited_works SET doi = '10.48550/arXiv.2401.00009', arxiv_id = NULL "
        "WHERE title = :title",
        title=work["title"],
    )
    for by in ({"doi": "10.48550/ARXIV.2401.00009"}, {"arxivId": "arXiv:2401.00009v1"}):
        assert (await graph.data(WORK, by=by))["work"]["workId"] == work["work_id"]


@pytest.mark.parametrize(
    ("by", "code"),
    [
        ({}, "BAD_USER_INPUT"),
        ({"doi": None}, "BAD_USER_INPUT"),
        ({"doi": "10.5555/x", "arxivId": "2401.00001"}, "BAD_USER_INPUT"),
        ({"workId": str(UUID(int=1)), "doi": None}, "BAD_USER_INPUT"),
        ({"workId": "x"}, "BAD_USER_INPUT"),
        ({"workId": 5}, "BAD_USER_INPUT"),
        ({"doi": "2509.00217"}, "BAD_USER_INPUT"),
        ({"doi": ""}, "BAD_USER_INPUT"),
        ({"arxivId": "10.5555/x"}, "BAD_USER_INPUT"),
        ({"arxivId": "2513.00001"}, "BAD_USER_INPUT"),
        ({"title": "x"}, "BAD_USER_INPUT"),
        ({"doi": "10.5555/none"}, "NOT_HELD"),
        ({"arxivId": "2401.00001"}, "NOT_HELD"),
        ({"workId": str(UUID(int=1))}, "NOT_HELD"),
    ],
)
async def test_what_names_no_one_work_is_refused(graph, by, code):
    assert (await graph.error(WORK, by=by))["code"] == code


@pytest.mark.parametrize("by", ["{}", "{doi: null}", '{doi: "10.5555/x", arxivId: "2401.00001"}'])
async def test_a_literal_that_names_not_exactly_one_is_invalid(graph, by):
    error = await graph.error(f"{{ work(by: {by}) {{ workId }} }}")
    assert error["code"] == "GRAPHQL_VALIDATION_FAILED"


async def test_an_identifier_of_several_works_is_ambiguous(graph, held, execute):
    await execute("UPDATE cited_works SET doi = '10.5555/Twice'")
    error = await graph.error(WORK, by={"doi": "10.5555/twice"})
    assert error["code"] == "BAD_USER_INPUT"
    assert "names 11 things" in error["message"]


# citation, sources, limits


async def test_a_citation_is_found_by_its_observation_id(graph, held):
    query = """query ($id: UUID!) { citation(observationId: $id) {
        observationId referenceIndex citingPaper { arxivId } resolution { status }
    } }"""
    for item in seed()["outbound"]:
        citation = (await graph.data(query, id=item["observation_id"]))["citation"]
        assert citation == {
            "observationId": item["observation_id"],
            "referenceIndex": item["citation"]["reference_index"],
            "citingPaper": {"arxivId": SEED_ID},
            "resolution": {"status": item["resolution"]["status"].upper()},
        }
    assert (await graph.error(query, id=str(UUID(int=5))))["code"] == "NOT_HELD"
    assert (await graph.error(query, id="5"))["code"] == "BAD_USER_INPUT"


async def test_the_sources_are_those_of_the_loads(graph, ingest):
    query = """{ sources {
        source loads firstStartedAt lastStartedAt
        latest { fileName sha256 sizeBytes endedAt recordsRead recordsChanged recordsRefused }
    } }"""
    assert await graph.data(query) == {"sources": []}
    await ingest(seed_path)
    await ingest(make_record(arxiv_id=OLD_ID))
    await ingest(seed_path)  # changes nothing, and so is no load
    (source,) = (await graph.data(query))["sources"]
    assert (source["source"], source["loads"]) == ("RECORD", 2)
    assert source["firstStartedAt"] < source["lastStartedAt"]
    assert source["latest"]["fileName"] == "record.json"
    assert len(source["latest"]["sha256"]) == 64
    assert (source["latest"]["recordsRead"], source["latest"]["recordsChanged"]) == (1, 1)


async def test_the_limits_are_the_settings(database):
    query = """{ limits {
        maxBodyBytes maxQueryTokens maxDepth maxAliases maxDirectives maxRootFields maxCost
        requestTimeoutSeconds maxPageSize defaultPageSize maxKeys
    } }"""
    async with asking(database, max_cost=777, request_timeout_seconds=1.5) as graph:
        limits = (await graph.data(query))["limits"]
        assert graph.driven == []
    assert limits == {
        "maxBodyBytes": Settings().max_body_bytes,
        "maxQueryTokens": 10_000,
        "maxDepth": 20,
        "maxAliases": 100,
        "maxDirectives": 100,
        "maxRootFields": 30,
        "maxCost": 777,
        "requestTimeoutSeconds": 1.5,
        "maxPageSize": 100,
        "defaultPageSize": 20,
        "maxKeys": 100,
    }


@pytest.mark.parametrize(
    "name", [name for name in Settings.model_fields if name.startswith("max_")]
)
def test_a_limit_that_no_answer_could_show_is_refused(name):
    Settings.model_validate({name: 2**31 - 1})
    with pytest.raises(ValidationError, match=name):
        Settings.model_validate({name: 2**31})
