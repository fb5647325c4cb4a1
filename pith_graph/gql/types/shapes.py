"""Which columns a selection needs: from what a query asks of citations to what is read of them.

A field that is not listed here may need anything: then all is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from strawberry.utils.str_converters import to_camel_case

from pith_graph.gql.execution import Asked
from pith_graph.read.citations import (
    OWN,
    WHOLE,
    WHOLE_PAPER,
    WHOLE_WORK,
    Attributes,
    CitationShape,
)
from pith_graph.read.rows import CitedReferenceRow, PaperRow, ResolutionRow, WorkRow

Needs = Mapping[str, Attributes]


def _plain(names: Iterable[str]) -> dict[str, Attributes]:
    """Map fields that are attributes to these."""
    return {to_camel_case(name): frozenset({name}) for name in names}


_KEY: Attributes = frozenset()  # the integer id, which is always read

_PAPER: Needs = {
    **_plain(PaperRow._fields),
    "categories": frozenset({"categories_text"}),
    "id": frozenset({"arxiv_id"}),
    "links": frozenset({"arxiv_id"}),
    "authors": _KEY,
    "bibliographyState": _KEY,
    "externalCitationMeasurements": _KEY,
    "inbound": _KEY,
    "outbound": _KEY,
}
_WORK: Needs = {
    **_plain(WorkRow._fields),
    "id": frozenset({"work_id"}),
    "metadataSourceRaw": frozenset({"metadata_source", "metadata_source_raw"}),
    "paper": frozenset({"arxiv_id"}),
    "authors": _KEY,
    "citations": _KEY,
    "externalCitationMeasurements": _KEY,
    "standingNotice": _KEY,
}
_CITED_AS: Needs = _plain(CitedReferenceRow._fields)
_RESOLUTION: Needs = {
    **_plain(ResolutionRow._fields),
    "resolverSourceRaw": frozenset({"resolver_source", "resolver_source_raw"}),
    "selfMinted": frozenset({"resolver_source"}),
}
_OWN: Needs = {
    **_plain(OWN),
    "id": frozenset({"observation_id"}),
    "sourceRaw": frozenset({"source", "source_raw"}),
    "standingNotice": _KEY,
}
_ENDS = {"citedAs", "resolution", "citingPaper", "citedPaper", "citedWork"}


@lru_cache(maxsize=1024)
def citation_shape(connection: Asked) -> CitationShape:
    """Return what to read of the citations of a connection, from what is asked of that."""
    edges, page = connection.below("edges"), connection.below("pageInfo")
    cursors = edges.has("cursor") or page.has("startCursor") or page.has("endCursor")
    return _citation(edges.below("node"), cursors=cursors)


def _citation(asked: Asked, *, cursors: bool) -> CitationShape:
    names = asked.leaves | {edge for edge, _ in asked.edges}
    own = _needed(_OWN, names - _ENDS - {"links"})
    if own is None:
        return WHOLE
    ends = {
        "citing_paper": _end(asked, "citingPaper", _PAPER, WHOLE_PAPER),
        "cited_paper": _end(asked, "citedPaper", _PAPER, WHOLE_PAPER),
        "cited_work": _end(asked, "citedWork", _WORK, WHOLE_WORK),
    }
    if "links" in names:
        for paper in ("citing_paper", "cited_paper"):
            ends[paper] = (ends[paper] or _KEY) | {"arxiv_id"}
    return CitationShape(
        cursors=cursors,
        own=own,
        cited_as=_end(asked, "citedAs", _CITED_AS, WHOLE.cited_as) or _KEY,
        resolution=_end(asked, "resolution", _RESOLUTION, WHOLE.resolution) or _KEY,
        **ends,
    )


def _end(asked: Asked, name: str, needs: Needs, whole: Attributes) -> Attributes | None:
    """Return what is needed of an end; None where it is not looked at."""
    if not asked.has(name):
        return None
    below = asked.below(name)
    needed = _needed(needs, below.leaves | {edge for edge, _ in below.edges})
    return whole if needed is None else needed


def _needed(needs: Needs, names: Iterable[str]) -> Attributes | None:
    """Return the attributes that fields need; None where that is not known."""
    found: set[str] = set()
    for name in names:
        if name not in needs:
            return None
        found |= needs[name]
    return frozenset(found)
