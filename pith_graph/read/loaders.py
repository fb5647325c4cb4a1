"""All loaders of one request, over its one snapshot. The record and the GraphQL types ask these."""

from __future__ import annotations

from collections.abc import Sequence

from pith_graph.read import queries, standing
from pith_graph.read.changes import ChangePage, fetch_changes
from pith_graph.read.keyset import Page, Window
from pith_graph.read.lists import CitationFilter, CitationList
from pith_graph.read.loader import Loader
from pith_graph.read.pages import PageRequest, fetch_filtered_counts, fetch_pages
from pith_graph.read.rows import (
    AuthorRow,
    CitationRow,
    HoldingsRow,
    MeasurementRow,
    PaperNotes,
    PaperRow,
    SourceRow,
    StandingRow,
    WorkRow,
)
from pith_graph.read.search import SearchPage, fetch_search, fetch_search_count
from pith_graph.read.snapshot import Snapshot
from pith_graph.vocabulary import ResolutionStatus

_EMPTY_HOLDINGS = HoldingsRow(
    bibliography=None,
    complete=False,
    outbound={},
    inbound={},
    declared_at=None,
    declared_outbound=None,
    declared_inbound=None,
    declared_lanes={},
)
_EMPTY_PAGE: Page[CitationRow] = Page((), has_next=False, has_previous=False)

PageKey = tuple[PageRequest, int]
CountKey = tuple[CitationList, CitationFilter, int]


class Loaders:
    """The loaders of one request. Integer keys are rows' ``key``, public ids are in lower case."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.papers: Loader[str, PaperRow | None] = Loader(self._papers, missing=None)
        self.holdings: Loader[int, HoldingsRow] = Loader(self._holdings, missing=_EMPTY_HOLDINGS)
        self.paper_notes: Loader[int, PaperNotes] = Loader(
            self._paper_notes, missing=PaperNotes((), ())
        )
        self.paper_authors: Loader[int, tuple[AuthorRow, ...] | None] = Loader(
            self._paper_authors, missing=None
        )
        self.papers_by_doi: Loader[str, tuple[str, ...]] = Loader(self._by_doi, missing=())
        self.works_by_id: Loader[str, WorkRow | None] = Loader(self._works_by_id, missing=None)
        self.works_by_doi: Loader[str, tuple[WorkRow, ...]] = Loader(self._works_by_doi, missing=())
        self.works_by_arxiv_id: Loader[str, tuple[WorkRow, ...]] = Loader(
            self._works_by_arxiv_id, missing=()
        )
        self.work_authors: Loader[int, tuple[AuthorRow, ...] | None] = Loader(
            self._work_authors, missing=None
        )
        self.work_counts: Loader[int, dict[ResolutionStatus, int]] = Loader(
            self._work_counts, missing={}
        )
        self.work_measurements: Loader[int, tuple[MeasurementRow, ...]] = Loader(
            self._work_measurements, missing=()
        )
        self.standing: Loader[int, StandingRow] = Loader(
            self._standing, missing=StandingRow((), ())
        )
        self.citations: Loader[str, CitationRow | None] = Loader(self._citations, missing=None)
        self.pages: Loader[PageKey, Page[CitationRow]] = Loader(self._pages, missing=_EMPTY_PAGE)
        self.searches: Loader[tuple[str, Window], SearchPage] = Loader(
            self._searches, missing=Page((), has_next=False, has_previous=False)
        )
        self.search_counts: Loader[str, int] = Loader(self._search_counts, missing=0)
        self.changes: Loader[Window, ChangePage] = Loader(
            self._changes, missing=Page((), has_next=False, has_previous=False)
        )
        self.filtered_counts: Loader[CountKey, int] = Loader(self._filtered_counts, missing=0)

    async def _searches(
        self, keys: Sequence[tuple[str, Window]]
    ) -> dict[tuple[str, Window], SearchPage]:
        return {key: await fetch_search(self._snapshot, *key) for key in keys}

    async def _search_counts(self, queries_: Sequence[str]) -> dict[str, int]:
        return {query: await fetch_search_count(self._snapshot, query) for query in queries_}

    async def _changes(self, windows: Sequence[Window]) -> dict[Window, ChangePage]:
        return {window: await fetch_changes(self._snapshot, window) for window in windows}

    async def load_sources(self) -> list[SourceRow]:
        """Return what was loaded of each kind of file."""
        return await queries.fetch_sources(self._snapshot)

    async def _papers(self, arxiv_ids: Sequence[str]) -> dict[str, PaperRow | None]:
        found = await queries.fetch_papers(self._snapshot, arxiv_ids)
        for paper, holdings in found.values():
            self.holdings.prime(paper.key, holdings)
        return {arxiv_id: paper for arxiv_id, (paper, _) in found.items()}

    async def _holdings(self, papers: Sequence[int]) -> dict[int, HoldingsRow]:
        return await queries.fetch_holdings(self._snapshot, papers)

    async def _paper_notes(self, papers: Sequence[int]) -> dict[int, PaperNotes]:
        return await standing.fetch_paper_notes(self._snapshot, papers)

    async def _paper_authors(
        self, papers: Sequence[int]
    ) -> dict[int, tuple[AuthorRow, ...] | None]:
        return {**await queries.fetch_authors(self._snapshot, "paper", papers)}

    async def _by_doi(self, dois: Sequence[str]) -> dict[str, tuple[str, ...]]:
        return await queries.fetch_arxiv_ids_by_doi(self._snapshot, dois)

    async def _works_by_id(self, keys: Sequence[str]) -> dict[str, WorkRow | None]:
        return {**await queries.fetch_works_by_id(self._snapshot, keys)}

    async def _works_by_doi(self, keys: Sequence[str]) -> dict[str, tuple[WorkRow, ...]]:
        return await queries.fetch_works_by_name(self._snapshot, "doi", keys)

    async def _works_by_arxiv_id(self, keys: Sequence[str]) -> dict[str, tuple[WorkRow, ...]]:
        return await queries.fetch_works_by_name(self._snapshot, "arxiv_id", keys)

    async def _work_authors(self, works: Sequence[int]) -> dict[int, tuple[AuthorRow, ...] | None]:
        return {**await queries.fetch_authors(self._snapshot, "work", works)}

    async def _work_counts(self, works: Sequence[int]) -> dict[int, dict[ResolutionStatus, int]]:
        return await queries.fetch_work_counts(self._snapshot, works)

    async def _work_measurements(
        self, works: Sequence[int]
    ) -> dict[int, tuple[MeasurementRow, ...]]:
        return await standing.fetch_work_measurements(self._snapshot, works)

    async def _standing(self, works: Sequence[int]) -> dict[int, StandingRow]:
        return await standing.fetch_standing(self._snapshot, works)

    async def _citations(self, observation_ids: Sequence[str]) -> dict[str, CitationRow | None]:
        return {**await queries.fetch_citations(self._snapshot, observation_ids)}

    async def _pages(self, keys: Sequence[PageKey]) -> dict[PageKey, Page[CitationRow]]:
        """Load pages of all lists together, so that what hangs on them is asked for at once."""
        parents: dict[PageRequest, list[int]] = {}
        for request, parent in keys:
            parents.setdefault(request, []).append(parent)
        found: dict[PageKey, Page[CitationRow]] = {}
        for request, wanted in parents.items():
            pages = await fetch_pages(self._snapshot, request, wanted)
            found |= {(request, parent): page for parent, page in pages.items()}
        return found

    async def _filtered_counts(self, keys: Sequence[CountKey]) -> dict[CountKey, int]:
        parents: dict[tuple[CitationList, CitationFilter], list[int]] = {}
        for which, only, parent in keys:
            parents.setdefault((which, only), []).append(parent)
        found: dict[CountKey, int] = {}
        for (which, only), wanted in parents.items():
            counts = await fetch_filtered_counts(self._snapshot, which, only, wanted)
            found |= {(which, only, parent): count for parent, count in counts.items()}
        return found
