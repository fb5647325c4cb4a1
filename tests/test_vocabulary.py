"""The vocabularies: their codes are stored data and never change."""

from __future__ import annotations

import pytest

from pith_graph import vocabulary
from pith_graph.vocabulary import (
    CitationSource,
    CoverageLane,
    EventKind,
    OpenVocabulary,
    ResolutionStatus,
    Vocabulary,
)

FROZEN = {
    "ResolutionStatus": {
        "verified_exact": 1,
        "verified_fuzzy": 2,
        "metadata_mismatch": 3,
        "malformed_identifier": 4,
        "parse_uncertain": 5,
        "unresolved": 6,
    },
    "CitationSource": {
        "other": 0,
        "arxiv_source": 1,
        "crossref": 2,
        "openalex": 3,
        "opencitations": 4,
        "semantic_scholar": 5,
    },
    "ResolverSource": {
        "other": 0,
        "raw_fallback": 1,
        "crossref": 2,
        "openalex": 3,
        "arxiv": 4,
        "pith": 5,
    },
    "MetadataSource": {
        "other": 0,
        "raw_reference": 1,
        "crossref": 2,
        "openalex": 3,
        "arxiv": 4,
        "datacite": 5,
    },
    "StandingSource": {
        "other": 0,
        "crossref": 1,
        "retraction_watch": 2,
        "openalex": 3,
        "arxiv": 4,
        "pubmed": 5,
    },
    "MeasurementSource": {
        "other": 0,
        "crossref": 1,
        "openalex": 2,
        "semantic_scholar": 3,
        "opencitations": 4,
        "inspire": 5,
    },
    "EventKind": {
        "other": 0,
        "retraction": 1,
        "partial_retraction": 2,
        "withdrawal": 3,
        "removal": 4,
        "expression_of_concern": 5,
        "correction": 6,
        "reinstatement": 7,
        "replacement": 8,
        "informational": 9,
    },
    "MeasurementState": {"measured": 1, "unavailable": 2},
    "UnavailableReason": {
        "canonical_work_link_unavailable": 1,
        "standing_source_not_loaded": 2,
    },
    "CoverageLane": {
        "reference_resolution": 1,
        "standing_notices": 2,
        "inbound_itemization": 3,
        "external_citation_measurements": 4,
    },
    "BibliographySource": {"arxiv_source": 1, "record": 2, "crossref": 3},
    "BibliographyState": {"loaded": 1, "partial": 2, "not_loaded": 3},
    "LoadSource": {"record": 1},
    "StandingClass": {
        "other": 0,
        "retraction": 1,
        "partial_retraction": 2,
        "withdrawal": 3,
        "removal": 4,
        "expression_of_concern": 5,
        "correction": 6,
        "reinstatement": 7,
        "replacement": 8,
        "informational": 9,
        "no_event_found": 101,
        "unavailable": 102,
    },
    "CitationOrderField": {"reference_index": 1, "observed_at": 2, "year": 3},
    "OrderDirection": {"asc": 1, "desc": 2},
    "ChangeKind": {
        "paper": 1,
        "citation": 2,
        "resolution": 3,
        "work": 4,
        "standing_event": 5,
        "standing_receipt": 6,
        "measurement": 7,
        "bibliography": 8,
        "coverage": 9,
    },
    "ChangeAction": {"added": 1, "superseded": 2},
}

VOCABULARIES = [
    each
    for each in vars(vocabulary).values()
    if isinstance(each, type) and issubclass(each, Vocabulary) and len(each)
]


@pytest.mark.parametrize("name", FROZEN)
def test_a_code_that_was_given_stays(name):
    members = {str(member): member.code for member in getattr(vocabulary, name)}

    assert FROZEN[name].items() <= members.items()


def test_every_vocabulary_is_frozen_here():
    assert {each.__name__ for each in VOCABULARIES} == FROZEN.keys()


@pytest.mark.parametrize("each", VOCABULARIES)
def test_codes_are_unique_and_lead_back_to_their_members(each):
    assert [each.of_code(member.code) for member in each] == list(each)
    assert len({member.code for member in each}) == len(each)


@pytest.mark.parametrize("each", VOCABULARIES)
def test_a_code_that_was_never_given_is_an_error(each):
    with pytest.raises(ValueError, match=f"{each.__name__} has no code 9999"):
        each.of_code(9999)


@pytest.mark.parametrize(
    "each", [each for each in VOCABULARIES if issubclass(each, OpenVocabulary)]
)
def test_an_open_vocabulary_reads_what_it_does_not_know_as_other(each):
    unknown = each.read("a new source")

    assert unknown.name == "OTHER"
    assert unknown.spelling("a new source") == "a new source"


def test_a_known_value_is_spelled_as_defined_whatever_is_kept_beside_it():
    assert CitationSource.read("crossref") is CitationSource.CROSSREF
    assert CitationSource.CROSSREF.spelling("Crossref") == "crossref"
    assert EventKind.OTHER.spelling(None) == "other"


def test_members_print_as_their_value():
    assert f"{ResolutionStatus.UNRESOLVED}" == "unresolved"


def test_the_lanes_come_in_the_order_of_the_record():
    assert [lane.code for lane in CoverageLane] == [1, 2, 3, 4]
