"""Laws of paging: pages are cut from the whole list as plain Python lays it out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncEngine

from pith_graph.read.keyset import Page, Window
from pith_graph.read.lists import (
    DEFAULT_SORTS,
    NO_FILTER,
    CitationFilter,
    CitationList,
    CitationSort,
)
from pith_graph.read.pages import PageRequest, fetch_filtered_counts, fetch_pages
from pith_graph.read.rows import CitationRow
from pith_graph.read.snapshot import Snapshot
from pith_graph.store import tables
from pith_graph.vocabulary import (
    CitationOrderField,
    OrderDirection,
    ResolutionStatus,
    StandingClass,
)
from tests.databases import Database
from tests.graphs import Graph, add_entries, insert_rows, made_graph
from tests.read.conftest import Filled, fill
from tests.read.naive import Listed, NaiveGraph, NaivePage, naive_page

SORTS = [
    CitationSort(field, direction) for field in CitationOrderField for direction in OrderDirection
]
LISTS = list(CitationList)
# The first is cited most. Some have few, and the last is no parent at all.
PARENTS = [1, 2, 3, 5, 9, 10_000]

subsets = st.one_of(st.none(), st.frozensets(st.sampled_from(ResolutionStatus)))
classes = st.one_of(st.none(), st.frozensets(st.sampled_from(StandingClass), max_size=4))
filters = st.builds(CitationFilter, resolution=subsets, standing=classes)
law = settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
every_list_and_sort = pytest.mark.parametrize(
    ("which", "sort"),
    [(which, sort) for which in LISTS for sort in SORTS],
    ids=lambda value: value.name,
)


def shown(page: Page[CitationRow]) -> NaivePage:
    return NaivePage(
        [row.key for row in page.items],
        has_next=page.has_next,
        has_previous=page.has_previous,
    )


async def walk(
    engine: AsyncEngine, request: PageRequest, parent: int, whole: list[Listed]
) -> list[int]:
    """Lay the pages of a list together, each checked, each of a request of its own."""
    seen: list[int] = []
    for _ in range(len(whole) + 1):
        snapshot = Snapshot(engine)
        page = (await fetch_pages(snapshot, request, [parent]))[parent]
        await snapshot.close()
        assert shown(page) == naive_page(whole, request.window, request.sort)
        keys = [row.key for row in page.items]
        seen = [*keys, *seen] if request.window.backward else [*seen, *keys]
        if not (page.has_previous if request.window.backward else page.has_next):
            return seen
        request = following(request, page)
    raise AssertionError("the pages do not end")


def following(request: PageRequest, page: Page[CitationRow]) -> PageRequest:
    """Ask for the page that continues after a page, or before it."""
    edge = page.items[0 if request.window.backward else -1]
    border = edge.sort_values
    size, backward = request.window.size, request.window.backward
    window = Window(size, backward=True, before=border) if backward else Window(size, after=border)
    return replace(request, window=window)


@every_list_and_sort
@law
@given(
    only=filters,
    parent=st.sampled_from(PARENTS),
    size=st.integers(min_value=1, max_value=100),
    backward=st.booleans(),
)
async def test_pages_laid_together_are_the_whole_list(
    *,
    filled: Filled,
    engine: AsyncEngine,
    which: CitationList,
    sort: CitationSort,
    only: CitationFilter,
    parent: int,
    size: int,
    backward: bool,
) -> None:
    whole = NaiveGraph(filled.graph).listed(which, parent, sort=sort, only=only)
    request = PageRequest(which, sort, Window(size, backward=backward), only)
    assert await walk(engine, request, parent, whole) == [key for _, key in whole]


@pytest.mark.parametrize("which", LISTS)
@pytest.mark.parametrize("backward", [False, True])
async def test_pages_of_one_are_the_whole_list_of_the_most_cited(
    filled: Filled, engine: AsyncEngine, which: CitationList, *, backward: bool
) -> None:
    sort = DEFAULT_SORTS[which]
    whole = NaiveGraph(filled.graph).listed(which, 1, sort=sort, only=NO_FILTER)
    request = PageRequest(which, sort, Window(1, backward=backward))
    assert await walk(engine, request, 1, whole) == [key for _, key in whole]


@st.composite
def borders(draw: st.DrawFn, whole: list[Listed]) -> tuple[Any, ...] | None:
    """Choose where a page ends: at a row, beside one, where none is, or nowhere."""
    if not whole or draw(st.booleans()):
        return None
    values, _ = draw(st.sampled_from(whole))
    moved = values[-1] + draw(st.integers(min_value=-2, max_value=2))
    first = None if len(values) == 2 and draw(st.integers(0, 5)) == 0 else values[0]
    return (first, *values[1:-1], moved)


@every_list_and_sort
@law
@given(
    only=filters,
    size=st.one_of(st.just(0), st.integers(min_value=0, max_value=100)),
    backward=st.booleans(),
    data=st.data(),
)
async def test_a_page_between_two_borders_is_exact_for_many_parents_at_once(
    *,
    filled: Filled,
    snapshot: Snapshot,
    which: CitationList,
    sort: CitationSort,
    only: CitationFilter,
    size: int,
    backward: bool,
    data: st.DataObject,
) -> None:
    naive = NaiveGraph(filled.graph)
    whole = {
        parent: naive.listed(which, parent, sort=sort, only=only)
        for parent in data.draw(st.lists(st.sampled_from(PARENTS), min_size=1, unique=True))
    }
    rows = [item for items in whole.values() for item in items]
    if sort.field is not CitationOrderField.YEAR:
        rows = [item for item in rows if item[0][0] is not None]
    after, before = data.draw(borders(rows)), data.draw(borders(rows))
    if sort.field is not CitationOrderField.YEAR and None in (after or ())[:1]:
        after = None
    if sort.field is not CitationOrderField.YEAR and None in (before or ())[:1]:
        before = None
    window = Window(size, backward=backward, after=after, before=before)
    pages = await fetch_pages(snapshot, PageRequest(which, sort, window, only), list(whole))
    assert {parent: shown(page) for parent, page in pages.items()} == {
        parent: naive_page(items, window, sort) for parent, items in whole.items()
    }


@pytest.mark.parametrize("which", LISTS)
@law
@given(only=filters)
async def test_a_filtered_count_is_the_length_of_the_filtered_list(
    filled: Filled, snapshot: Snapshot, which: CitationList, only: CitationFilter
) -> None:
    naive, sort = NaiveGraph(filled.graph), DEFAULT_SORTS[which]
    assert await fetch_filtered_counts(snapshot, which, only, PARENTS) == {
        parent: len(naive.listed(which, parent, sort=sort, only=only)) for parent in PARENTS
    }


@pytest.mark.parametrize("which", LISTS)
async def test_a_receipt_of_a_whole_source_speaks_for_works_without_one(
    database: Database, read_engine: AsyncEngine, which: CitationList
) -> None:
    graph = made_graph(300, seed=3, source_receipts=True)
    await fill(database.url, graph)
    naive, sort = NaiveGraph(graph), DEFAULT_SORTS[which]
    snapshot = Snapshot(read_engine)
    for wanted in StandingClass:
        only = CitationFilter(standing=frozenset({wanted}))
        found = await fetch_filtered_counts(snapshot, which, only, [1])
        assert found == {1: len(naive.listed(which, 1, sort=sort, only=only))}
    await snapshot.close()


async def test_a_citation_comes_with_its_own_rows(filled: Filled, snapshot: Snapshot) -> None:
    rows = filled.graph.rows
    entries = {row["id"]: row for row in rows[tables.paper_references]}
    links = {row["reference_id"]: row for row in rows[tables.paper_reference_links]}
    works = {row["id"]: row for row in rows[tables.cited_works]}
    held = {row["id"]: row for row in filled.graph.held}
    request = PageRequest.first(CitationList.OUTBOUND, 100)
    for page in (await fetch_pages(snapshot, request, list(held))).values():
        for citation in page.items:
            entry, link = entries[citation.key], links.get(citation.key)
            work = None if link is None else works.get(link["cited_work_id"])
            assert citation.observation_id == str(entry["observation_id"])
            assert citation.citing_paper.title == held[entry["citing_paper_id"]]["title"]
            assert (citation.cited_paper and citation.cited_paper.key) == (
                entry["cited_paper_id"] if entry["cited_paper_id"] in held else None
            )
            assert citation.resolution.status is (
                ResolutionStatus.UNRESOLVED if link is None else link["status"]
            )
            assert (citation.cited_work and citation.cited_work.work_id) == (
                work and str(work["work_id"])
            )


def entering(graph: Graph, random: Random, which: CitationList) -> Graph:
    """Make entries that come to the lists of the first paper and the first work."""
    outbound = which is CitationList.OUTBOUND
    added = add_entries(graph, random, citing=1 if outbound else 2, count=random.randint(1, 12))
    if which is CitationList.INBOUND:
        for entry in added.rows[tables.paper_references]:
            entry["cited_paper_id"] = 1
    return added


@pytest.mark.parametrize("which", LISTS)
@pytest.mark.parametrize(
    ("sort", "backward"),
    [
        *(pytest.param(sort, False, id=f"{sort.name} forward") for sort in SORTS),
        *(pytest.param(sort, True, id=f"{sort.name} backward") for sort in SORTS[-2:]),
    ],
)
async def test_what_stays_while_others_come_and_go_is_seen_exactly_once(
    *,
    database: Database,
    write_engine: AsyncEngine,
    read_engine: AsyncEngine,
    which: CitationList,
    sort: CitationSort,
    backward: bool,
) -> None:
    random, graph = Random(8), made_graph(300, seed=7)
    await fill(database.url, graph)
    whole = NaiveGraph(graph).listed(which, 1, sort=sort, only=NO_FILTER)
    staying = [key for _, key in whole]
    request = PageRequest(which, sort, Window(random.randint(2, 9), backward=backward))
    seen: Counter[int] = Counter()
    while True:
        snapshot = Snapshot(read_engine)
        page = (await fetch_pages(snapshot, request, [1]))[1]
        await snapshot.close()
        seen.update(row.key for row in page.items)
        if not (page.has_previous if backward else page.has_next):
            break
        request = following(request, page)
        gone = staying.pop(random.randrange(len(staying)))
        async with write_engine.begin() as connection:
            added = entering(graph, random, which)
            if len(graph.rows[tables.paper_references]) < 500:
                for table in (tables.paper_references, tables.paper_reference_links):
                    await insert_rows(connection, table, added.rows[table])
            for table, name in (
                (tables.paper_reference_links, "reference_id"),
                (tables.paper_references, "id"),
            ):
                await connection.execute(delete(table).where(table.c[name] == gone))
    assert staying
    assert {key: seen[key] for key in staying} == dict.fromkeys(staying, 1)
    assert max(seen.values()) == 1
