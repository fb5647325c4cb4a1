"""Search by title words: what matches, in what order, in exact pages, alike on both databases."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.ext.asyncio import AsyncEngine

from pith_graph.errors import InputError
from pith_graph.folding import fold_tokens
from pith_graph.read.keyset import Window
from pith_graph.read.search import (
    MAX_CHARACTERS,
    MAX_WORDS,
    SearchPage,
    fetch_search,
    fetch_search_count,
)
from pith_graph.read.snapshot import Snapshot
from pith_graph.store import tables
from tests.databases import Database
from tests.graphs import Graph, insert_graph, made_graph, made_title
from tests.read.conftest import Filled, fill
from tests.read.statements import driven_statements

law = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
words = st.sampled_from(
    ["shard", "sharded", "SHARDING", "deep", "de", "Poincare", "poincaré", "shen", "深", "of", "a"]
)
queries = st.lists(words, min_size=1, max_size=4).map(" ".join)


def titled(*titles: str) -> Graph:
    """Make a graph whose held papers have these titles and nothing else is held."""
    graph, made = Graph(), made_graph(30 * 8 * (len(titles) // 7 + 1))
    for table in (tables.loads, tables.commits):
        graph.rows[table] = made.rows[table]
    for row, title in zip(made.held, titles, strict=False):
        graph.rows[tables.papers].append(row | {"title": title})
    assert len(graph.held) == len(titles)
    return graph


async def found(engine: AsyncEngine, query: str) -> list[str]:
    snapshot = Snapshot(engine)
    try:
        page = await fetch_search(snapshot, query, Window(100))
        assert await fetch_search_count(snapshot, query) == len(page.items)
    finally:
        await snapshot.close()
    return [hit.paper.title for hit in page.items]


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("poincare", "The Poincaré map"),
        ("POINCARÉ", "The Poincare map"),
        ("shard", "Sharding of streams"),
        ("stre shar of", "Sharding of streams"),
        ("shendu", "深度学习"),
        ("深度", "On shendu"),
        ("b2b", "B2B graphs"),
        ("1e5", "At 1e5 requests"),
        ("theoreme des 3", "Théorème des 3 corps"),
        ("over-parameterised", "Over parameterised models"),
        ("ﬁne", "Fine structure"),
    ],
)
async def test_a_title_is_found_by_its_words(
    database: Database, read_engine: AsyncEngine, query: str, title: str
) -> None:
    await fill(database.url, titled(title, "Something else altogether"))
    assert await found(read_engine, query) == [title]


@pytest.mark.parametrize(
    "query",
    [
        "hard",  # within a word is not at its beginning
        "shardings",
        "sharding nothing",
        "NOT nothing",
        "nothing OR sharding",
        'sharding" OR folded:"nothing',
        "shard & !nothing",
        "sharding:nothing",
        "NEAR(sharding streams, 5)",
        "'; DROP TABLE papers; --",
    ],
)
async def test_a_query_is_words_and_nothing_else(
    database: Database, read_engine: AsyncEngine, query: str
) -> None:
    await fill(database.url, titled("Sharding of streams", "Something else"))
    assert await found(read_engine, query) == []


@pytest.mark.parametrize(
    "query",
    ['"sharding"', "shard*", "^sharding", "-sharding", "(sharding", "sharding:*", "{sharding}",
     "shar\0ding", "sharding\\", "%sharding_", "' sharding", "shard <-> ", "sharding & of"],
)  # fmt: skip
async def test_signs_of_query_languages_are_spaces(
    database: Database, read_engine: AsyncEngine, query: str
) -> None:
    await fill(database.url, titled("Sharding of streams, shar ding", "Something else"))
    assert await found(read_engine, query) == ["Sharding of streams, shar ding"]


async def test_phrases_come_first_then_whole_words_then_short_titles_then_new_papers(
    database: Database, read_engine: AsyncEngine
) -> None:
    graph = titled(
        "Models of streams that are deeply understood",
        "Models that are deep, of streams",
        "Learning with deep models of graphs and streams",
        "Deep models",
        "Modelling the deep",
        "Deep models",
    )
    await fill(database.url, graph)
    snapshot = Snapshot(read_engine)
    page = await fetch_search(snapshot, "deep model", Window(10))
    await snapshot.close()
    assert [(hit.paper.title, hit.paper.key) for hit in page.items] == [
        ("Deep models", 6),
        ("Deep models", 4),
        ("Learning with deep models of graphs and streams", 3),
        ("Modelling the deep", 5),
        ("Models that are deep, of streams", 2),
        ("Models of streams that are deeply understood", 1),
    ]


async def test_only_held_papers_are_found(database: Database, write_engine, read_engine) -> None:
    graph = titled("Sharding one", "Sharding two")
    await fill(database.url, graph)
    async with write_engine.begin() as connection:
        await connection.execute(
            tables.papers.update().where(tables.papers.c.id == 1).values(observed_at=None)
        )
    assert await found(read_engine, "sharding") == ["Sharding two"]


def naive_search(graph: Graph, query: str) -> list[int]:
    """Find papers in plain Python: the ids, in order."""
    asked, matches = fold_tokens(query), []
    for row in graph.held:
        title = fold_tokens(row["title"])
        if all(any(word.startswith(part) for word in title) for part in asked):
            phrase = f" {' '.join(asked)}" in f" {' '.join(title)}"
            whole = len(set(asked) & set(title))
            matches.append((not phrase, -whole, len(" ".join(title)), -row["id"]))
    return [-match[-1] for match in sorted(matches)]


def keys(page: SearchPage) -> list[int]:
    return [hit.paper.key for hit in page.items]


@law
@given(query=queries, size=st.integers(min_value=1, max_value=100), backward=st.booleans())
async def test_pages_laid_together_are_all_that_matches(
    *, filled: Filled, engine: AsyncEngine, query: str, size: int, backward: bool
) -> None:
    whole = naive_search(filled.graph, query)
    seen: list[int] = []
    window = Window(size, backward=backward)
    for _ in range(len(whole) + 1):
        snapshot = Snapshot(engine)
        page = await fetch_search(snapshot, query, window)
        await snapshot.close()
        seen = [*keys(page), *seen] if backward else [*seen, *keys(page)]
        left = len(whole) - len(seen)
        behind = len(seen) > len(page.items)
        assert (page.has_previous, page.has_next) == (
            (left > 0, behind) if backward else (behind, left > 0)
        )
        if not left:
            break
        border = page.items[0 if backward else -1].sort_values
        window = (
            Window(size, backward=True, before=border) if backward else Window(size, after=border)
        )
    assert seen == whole


@law
@given(query=queries, ends=st.tuples(st.integers(0, 200), st.integers(0, 200)), data=st.data())
async def test_a_page_between_two_borders_is_exact(
    *,
    filled: Filled,
    snapshot: Snapshot,
    query: str,
    ends: tuple[int, int],
    data: st.DataObject,
) -> None:
    whole = (await fetch_search(snapshot, query, Window(1000))).items
    if not whole:
        return
    first, last = (end % len(whole) for end in ends)
    window = Window(
        data.draw(st.integers(0, 20)),
        backward=data.draw(st.booleans()),
        after=whole[first].sort_values,
        before=whole[last].sort_values,
    )
    page = await fetch_search(snapshot, query, window)
    inside = [hit.paper.key for hit in whole[first + 1 : last]]
    cut = max(0, len(inside) - window.size)
    assert keys(page) == (inside[cut:] if window.backward else inside[: window.size])
    assert page.has_previous is True
    assert page.has_next is True


async def test_what_stays_while_others_come_is_seen_exactly_once(
    database: Database, write_engine, read_engine
) -> None:
    random = Random(5)
    titles = [f"{made_title(random)} kernel" for _ in range(60)]
    graph = titled(*titles)
    await fill(database.url, graph)
    seen: list[int] = []
    window, number = Window(7), 10_000
    while True:
        snapshot = Snapshot(read_engine)
        page = await fetch_search(snapshot, "kernel", window)
        await snapshot.close()
        seen += keys(page)
        if not page.has_next:
            break
        window = Window(7, after=page.items[-1].sort_values)
        more = Graph()
        if number < 10_100:
            for _ in range(5):
                number += 1
                row = graph.held[0] | {"id": number, "arxiv_id": f"2601.{number}"}
                more.rows[tables.papers].append(row | {"title": f"{made_title(random)} kernel"})
        async with write_engine.begin() as connection:
            await insert_graph(connection, more)
    assert len(seen) == len(set(seen))
    assert set(range(1, 61)) <= set(seen)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", "has no word"),
        (" \0 -*\" ' :: ", "has no word"),
        ("a b " * 9, "has 18 words"),
        ("a" * (MAX_CHARACTERS + 1), "characters"),
    ],
)
async def test_a_query_without_a_word_or_too_long_is_refused(
    read_engine: AsyncEngine, query: str, message: str
) -> None:
    snapshot = Snapshot(read_engine)
    for fetch in (fetch_search(snapshot, query, Window(1)), fetch_search_count(snapshot, query)):
        with pytest.raises(InputError, match=message):
            await fetch
    assert snapshot.statements == 0


async def test_a_query_of_the_most_words_and_letters_is_answered(read_engine: AsyncEngine) -> None:
    query = " ".join(["x"] * (MAX_WORDS - 1) + ["y" * (MAX_CHARACTERS - 2 * MAX_WORDS + 2)])
    assert len(query) == MAX_CHARACTERS
    assert await found(read_engine, query) == []


async def test_a_search_is_one_statement(filled: Filled, engine: AsyncEngine) -> None:
    snapshot = Snapshot(engine)
    with driven_statements() as statements:
        await fetch_search(snapshot, "shard deep", Window(20, after=(1, 1), before=(2, 2)))
    assert len(statements) == 1
    with driven_statements() as statements:
        await fetch_search_count(snapshot, "shard deep")
    assert len(statements) == 1
    await snapshot.close()
