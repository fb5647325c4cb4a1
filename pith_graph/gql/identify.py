"""From an identifier in any written form to what the store holds.

Every identifier is echoed in ``extensions.identifiers``, so that a version that was asked for is
never silently dropped.
"""

from __future__ import annotations

from uuid import UUID

from pith_graph.errors import AmbiguousIdentifierError, NotHeldError
from pith_graph.gql.context import RequestContext
from pith_graph.identifiers import (
    ArxivId,
    Doi,
    normalize_doi,
    parse_arxiv_id,
    parse_identifier,
)
from pith_graph.read.rows import PaperRow, WorkRow

Works = tuple[WorkRow, ...]


async def load_paper(context: RequestContext, text: str) -> PaperRow:
    """Find a held paper by an arXiv id or a DOI in any written form.

    Raises:
        MalformedIdentifierError: Neither.
        NotHeldError: No held paper has it.
        AmbiguousIdentifierError: Several held papers carry the DOI.
    """
    identifier = parse_identifier(text)
    echo: dict[str, str | int | None] = {"input": text, "arxivId": None, "version": None}
    context.identifiers.append(echo)
    if isinstance(identifier, ArxivId):
        echo |= {"arxivId": identifier.base, "version": identifier.version}
        return await _held(context, identifier.base)
    carriers = await context.loaders.papers_by_doi.load(identifier.value)
    if not carriers:
        raise NotHeldError("paper with DOI", identifier.value)
    if len(carriers) > 1:
        raise AmbiguousIdentifierError(identifier.value, carriers)
    echo["arxivId"] = carriers[0]
    return await _held(context, carriers[0])


async def load_work(
    context: RequestContext,
    *,
    work_id: UUID | None = None,
    doi: str | None = None,
    arxiv_id: str | None = None,
) -> WorkRow:
    """Find a work by exactly one of its identifiers, DOI and arXiv id in any written form.

    Raises:
        MalformedIdentifierError: Not an identifier, or not of the kind that was named.
        NotHeldError: No work has it.
        AmbiguousIdentifierError: Several works carry it.
    """
    if work_id is not None:
        work = await context.loaders.works_by_id.load(str(work_id))
        if work is None:
            raise NotHeldError("work", str(work_id))
        return work
    name, works = await (
        _works_by_doi(context, doi)
        if doi is not None
        else _works_by_arxiv_id(context, arxiv_id or "")
    )
    if not works:
        raise NotHeldError("work", name)
    if len(works) > 1:
        raise AmbiguousIdentifierError(name, tuple(work.work_id for work in works))
    return works[0]


async def _works_by_doi(context: RequestContext, text: str) -> tuple[str, Works]:
    """Find works by a DOI; by the arXiv id where it is one of arXiv's own DOIs and none has it."""
    doi = normalize_doi(text)
    works = await context.loaders.works_by_doi.load(doi)
    identifier = parse_identifier(text)
    if works or isinstance(identifier, Doi):
        return doi, works
    return doi, await context.loaders.works_by_arxiv_id.load(identifier.base)


async def _works_by_arxiv_id(context: RequestContext, text: str) -> tuple[str, Works]:
    """Find works by an arXiv id; by arXiv's own DOI for it where none has it."""
    identifier = parse_arxiv_id(text)
    context.identifiers.append(
        {"input": text, "arxivId": identifier.base, "version": identifier.version}
    )
    works = await context.loaders.works_by_arxiv_id.load(identifier.base)
    if not works:
        works = await context.loaders.works_by_doi.load(f"10.48550/arxiv.{identifier.base}")
    return identifier.base, works


async def _held(context: RequestContext, arxiv_id: str) -> PaperRow:
    paper = await context.loaders.papers.load(arxiv_id)
    if paper is None:
        raise NotHeldError("paper", arxiv_id)
    return paper
