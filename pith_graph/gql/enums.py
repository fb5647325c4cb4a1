"""The vocabularies as GraphQL enums: the members' names, with a sentence on what each means."""

from __future__ import annotations

from collections.abc import Mapping

import strawberry
from strawberry.types.enum import StrawberryEnumDefinition

from pith_graph import vocabulary
from pith_graph.vocabulary import Vocabulary

_EVENTS = {
    "retraction": "The work was retracted.",
    "partial_retraction": "A part of the work was retracted.",
    "withdrawal": "The work, or a version of it, was withdrawn.",
    "removal": "The work was removed.",
    "expression_of_concern": "The publisher expressed concern; neither a retraction nor cleared.",
    "correction": "The work was corrected; it neither retracts nor clears.",
    "reinstatement": "A retraction was taken back.",
    "replacement": "The work was retracted and replaced, or superseded.",
    "informational": "A new version, addendum or clarification.",
    "other": "A kind outside this list; `rawType` has what the source wrote.",
}

_MEANINGS: Mapping[type[Vocabulary], tuple[str, Mapping[str, str]]] = {
    vocabulary.ResolutionStatus: (
        "The typed state of the link from a citation to a canonical work.",
        {
            "verified_exact": "An identifier resolves and the metadata agrees.",
            "verified_fuzzy": "No usable identifier; the other fields agree.",
            "metadata_mismatch": "An identifier resolves to a work whose metadata disagrees.",
            "malformed_identifier": "An identifier is present and is not valid.",
            "parse_uncertain": "The entry could not be read with confidence.",
            "unresolved": "Nothing matched.",
        },
    ),
    vocabulary.CitationSource: ("Where a citation was observed.", {}),
    vocabulary.ResolverSource: (
        "What linked a citation to its work.",
        {"raw_fallback": "The work was made from the reference itself: it verifies nothing."},
    ),
    vocabulary.MetadataSource: (
        "Where a work's metadata comes from.",
        {"raw_reference": "From a bibliography entry alone."},
    ),
    vocabulary.StandingSource: ("Who says something about a work's standing.", {}),
    vocabulary.MeasurementSource: ("Who counted citations.", {}),
    vocabulary.EventKind: ("The class of a standing event.", _EVENTS),
    vocabulary.StandingClass: (
        "What citations can be filtered by: a kind of event about the linked work, or none.",
        {
            **_EVENTS,
            "no_event_found": "Sources were asked about the linked work and list no event.",
            "unavailable": "No linked work, or no source was asked: nothing is known.",
        },
    ),
    vocabulary.MeasurementState: (
        "Whether something was measured.",
        {
            "measured": "A source was consulted.",
            "unavailable": "No source was consulted, or it failed: never a negative answer.",
        },
    ),
    vocabulary.UnavailableReason: (
        "Why a standing notice is unavailable.",
        {
            "canonical_work_link_unavailable": "The citation is not linked to a canonical work.",
            "standing_source_not_loaded": "No standing source was asked about the work.",
        },
    ),
    vocabulary.CoverageLane: (
        "One lane of how complete an answer is.",
        {
            "reference_resolution": "The typed states of the displayed outbound citations.",
            "standing_notices": "One-hop checks for events about the works they link to.",
            "inbound_itemization": "The held papers that cite this one, itemized.",
            "external_citation_measurements": "Other sources' own counts, dated.",
        },
    ),
    vocabulary.BibliographyState: (
        "How much of a paper's own bibliography the store holds.",
        {
            "loaded": "All of it.",
            "partial": "Some entries; there are more, or it is not known whether there are.",
            "not_loaded": "None: what the paper cites is not known.",
        },
    ),
    vocabulary.LoadSource: (
        "What kind of file a load read.",
        {"record": "Paper Citation Records."},
    ),
    vocabulary.CitationOrderField: (
        "What a list of citations is ordered by.",
        {
            "reference_index": "The entry's place in the citing paper's bibliography.",
            "observed_at": "When the citation was observed in its source.",
            "year": (
                "The year of the other end: outbound, of what is cited (the linked work's, else "
                "the entry's); inbound and for a work, when the citing paper was submitted. "
                "Unknown years come last in both directions."
            ),
        },
    ),
    vocabulary.OrderDirection: (
        "Which way a list is ordered.",
        {"asc": "Smallest first, unknown last.", "desc": "Largest first, unknown last."},
    ),
    vocabulary.ChangeKind: (
        "What sort of row a change is about.",
        {
            "paper": "A paper's metadata.",
            "citation": "An entry of a paper's bibliography.",
            "resolution": "The state of a citation's link to a work.",
            "work": "A work's metadata.",
            "standing_event": "One source's statement of one event about a work.",
            "standing_receipt": "That a standing source was asked.",
            "measurement": "One source's own count of citations.",
            "bibliography": "Where a paper's bibliography is from, and whether it is whole.",
            "coverage": "The totals and lane states that a paper's newest record declares.",
        },
    ),
    vocabulary.ChangeAction: (
        "What a commit did to a row.",
        {
            "added": "The row is so since the time observed; a new version of a row counts too.",
            "superseded": "The row is not so any more: replaced, or no longer listed.",
        },
    ),
}


def register_enums() -> None:
    """Make each vocabulary a GraphQL enum, before the schema is built."""
    for enum, (description, meanings) in _MEANINGS.items():
        # A type that was read first has made its enums itself, and holds on to what it made.
        if "__strawberry_definition__" not in vars(enum):
            strawberry.enum(enum)
        definition: StrawberryEnumDefinition = enum.__strawberry_definition__  # type: ignore[attr-defined]  # Strawberry sets it
        definition.description = description
        for value in definition.values:
            value.description = meanings.get(enum[value.name].value)
