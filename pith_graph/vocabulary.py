"""The vocabularies: every enum of the domain, defined once.

Tables store the small ``code``, the record prints the ``value``, GraphQL shows the member's name.
Codes are part of stored data: members are appended, never renumbered. An open vocabulary ends in
``OTHER``, and what the source wrote is kept beside it, so that a new source breaks no client.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Self, TypeVar

OTHER_CODE = 0

Member = TypeVar("Member", bound="Vocabulary")


class Vocabulary(StrEnum):
    """A string enum whose members also have the small integer that the tables store."""

    code: int

    def __new__(cls, value: str, code: int) -> Self:
        """Make a member from its printed value and its stored code."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.code = code
        return member

    def __str__(self) -> str:
        return str(self.value)

    @classmethod
    def of_code(cls, code: int) -> Self:
        """Return the member with a stored code.

        Raises:
            ValueError: No member has it.
        """
        member: Self | None = _members(cls).get(code)
        if member is None:
            raise ValueError(f"{cls.__name__} has no code {code}")
        return member


@cache
def _members(vocabulary: type[Member]) -> Mapping[int, Member]:
    return {member.code: member for member in vocabulary}


class OpenVocabulary(Vocabulary):
    """A vocabulary that sources extend: a value outside it is ``OTHER`` with the raw text kept."""

    @classmethod
    def read(cls, raw: str) -> Self:
        """Return the member that a source's spelling names, or ``OTHER``."""
        try:
            return cls(raw)  # type: ignore[call-arg]  # lookup by value; __new__ is for members
        except ValueError:
            return cls.of_code(OTHER_CODE)

    def spelling(self, raw: str | None) -> str:
        """Return what a source wrote: the value, or for ``OTHER`` the raw text kept beside it."""
        return raw if self.code == OTHER_CODE and raw is not None else str(self.value)


class ResolutionStatus(Vocabulary):
    """The typed state of the link from a citation to a work."""

    VERIFIED_EXACT = "verified_exact", 1
    VERIFIED_FUZZY = "verified_fuzzy", 2
    METADATA_MISMATCH = "metadata_mismatch", 3
    MALFORMED_IDENTIFIER = "malformed_identifier", 4
    PARSE_UNCERTAIN = "parse_uncertain", 5
    UNRESOLVED = "unresolved", 6


class CitationSource(OpenVocabulary):
    """Where a citation was observed."""

    ARXIV_SOURCE = "arxiv_source", 1
    CROSSREF = "crossref", 2
    OPENALEX = "openalex", 3
    OPENCITATIONS = "opencitations", 4
    SEMANTIC_SCHOLAR = "semantic_scholar", 5
    OTHER = "other", OTHER_CODE


class ResolverSource(OpenVocabulary):
    """What linked a citation to its work."""

    RAW_FALLBACK = "raw_fallback", 1
    CROSSREF = "crossref", 2
    OPENALEX = "openalex", 3
    ARXIV = "arxiv", 4
    PITH = "pith", 5
    OTHER = "other", OTHER_CODE


class MetadataSource(OpenVocabulary):
    """Where a work's metadata comes from."""

    RAW_REFERENCE = "raw_reference", 1
    CROSSREF = "crossref", 2
    OPENALEX = "openalex", 3
    ARXIV = "arxiv", 4
    DATACITE = "datacite", 5
    OTHER = "other", OTHER_CODE


class StandingSource(OpenVocabulary):
    """Who says something about a work's standing."""

    CROSSREF = "crossref", 1
    RETRACTION_WATCH = "retraction_watch", 2
    OPENALEX = "openalex", 3
    ARXIV = "arxiv", 4
    PUBMED = "pubmed", 5
    OTHER = "other", OTHER_CODE


class MeasurementSource(OpenVocabulary):
    """Who counted a work's citations."""

    CROSSREF = "crossref", 1
    OPENALEX = "openalex", 2
    SEMANTIC_SCHOLAR = "semantic_scholar", 3
    OPENCITATIONS = "opencitations", 4
    INSPIRE = "inspire", 5
    OTHER = "other", OTHER_CODE


class EventKind(OpenVocabulary):
    """The class of a standing event."""

    RETRACTION = "retraction", 1
    PARTIAL_RETRACTION = "partial_retraction", 2
    WITHDRAWAL = "withdrawal", 3
    REMOVAL = "removal", 4
    EXPRESSION_OF_CONCERN = "expression_of_concern", 5
    CORRECTION = "correction", 6
    REINSTATEMENT = "reinstatement", 7
    REPLACEMENT = "replacement", 8
    INFORMATIONAL = "informational", 9
    OTHER = "other", OTHER_CODE


class MeasurementState(Vocabulary):
    """Whether something was measured. ``unavailable`` is never a negative answer."""

    MEASURED = "measured", 1
    UNAVAILABLE = "unavailable", 2


class UnavailableReason(Vocabulary):
    """Why a standing notice is unavailable."""

    CANONICAL_WORK_LINK_UNAVAILABLE = "canonical_work_link_unavailable", 1
    STANDING_SOURCE_NOT_LOADED = "standing_source_not_loaded", 2


class CoverageLane(Vocabulary):
    """One lane of "how complete is this", in the record's order."""

    REFERENCE_RESOLUTION = "reference_resolution", 1
    STANDING_NOTICES = "standing_notices", 2
    INBOUND_ITEMIZATION = "inbound_itemization", 3
    EXTERNAL_CITATION_MEASUREMENTS = "external_citation_measurements", 4


class BibliographySource(Vocabulary):
    """Where a paper's one current bibliography comes from; a lower code takes precedence."""

    ARXIV_SOURCE = "arxiv_source", 1
    RECORD = "record", 2
    CROSSREF = "crossref", 3


class BibliographyState(Vocabulary):
    """How much of a paper's own bibliography the store holds."""

    LOADED = "loaded", 1
    PARTIAL = "partial", 2
    NOT_LOADED = "not_loaded", 3


class LoadSource(Vocabulary):
    """What kind of file a load read."""

    RECORD = "record", 1


class StandingClass(Vocabulary):
    """What a citation can be filtered by: a kind of event about its work, or that there is none."""

    RETRACTION = "retraction", 1
    PARTIAL_RETRACTION = "partial_retraction", 2
    WITHDRAWAL = "withdrawal", 3
    REMOVAL = "removal", 4
    EXPRESSION_OF_CONCERN = "expression_of_concern", 5
    CORRECTION = "correction", 6
    REINSTATEMENT = "reinstatement", 7
    REPLACEMENT = "replacement", 8
    INFORMATIONAL = "informational", 9
    OTHER = "other", OTHER_CODE
    NO_EVENT_FOUND = "no_event_found", 101
    UNAVAILABLE = "unavailable", 102


class CitationOrderField(Vocabulary):
    """What a list of citations can be ordered by."""

    REFERENCE_INDEX = "reference_index", 1
    OBSERVED_AT = "observed_at", 2
    YEAR = "year", 3


class OrderDirection(Vocabulary):
    """Which way a list is ordered; nulls are last both ways."""

    ASC = "asc", 1
    DESC = "desc", 2


class ChangeKind(Vocabulary):
    """What sort of row a change is about."""

    PAPER = "paper", 1
    CITATION = "citation", 2
    RESOLUTION = "resolution", 3
    WORK = "work", 4
    STANDING_EVENT = "standing_event", 5
    STANDING_RECEIPT = "standing_receipt", 6
    MEASUREMENT = "measurement", 7
    BIBLIOGRAPHY = "bibliography", 8
    COVERAGE = "coverage", 9


class ChangeAction(Vocabulary):
    """What a commit did to a row."""

    ADDED = "added", 1
    SUPERSEDED = "superseded", 2
