"""The feed of changes: complete, in order, the same for ever, and read by walking indexes."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.ext.asyncio import AsyncEngine

from pith_graph.read.changes import ChangePage, ChangeRow, fetch_changes
from pith_graph.read.keyset import Window
from pith_graph.read.snapshot import Snapshot
from pith_graph.store.engine import create_read_engine, create_write_engine
from pith_graph.vocabulary import ChangeAction, ChangeKind
from tests.databases import KINDS, Database, made_database
from tests.read.change_model import KEYS, LASTING, Model, Op, Place, commits, time_of
from tests.read.statements import driven_statements
from tests.record_universe import Universe
from tests.records import SEED_AS_OF, make_records, seed, with_derived

ADDED, SUPERSEDED = ChangeAction.ADDED, ChangeAction.SUPERSEDED

law = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
sizes = st.integers(1, 9)


async def read(engine: AsyncEngine, window: Window) -> ChangePage:
    snapshot = Snapshot(engine)
    try:
        return await fetch_changes(snapshot, window)
    finally:
        await snapshot.close()


async def whole_feed(engine: AsyncEngine) -> list[ChangeRow]:
    page = await read(engine, Window(100_000))
    assert not page.has_next
    return list(page.items)


def places(page: ChangePage) -> list[Place]:
    return [change.sort_values for change in page.items]


async def follow(
    engine: AsyncEngine, window: Window, seen: list[Place], *, pages: int = 10_000
) -> Window:
    """Read pages until there are no more; return what to ask for next."""
    for _ in range(pages):
        page = await read(engine, window)
        seen += places(page)
        if page.items:
            window = Window(window.size, after=page.items[-1].sort_values)
        if not page.has_next:
            break
    return window


# What the writer's commits look like


def newer_seed() -> dict[str, Any]:
    """The seed a day later: another title, and one reference less."""
    record = seed()
    record["as_of"] = "2026-08-11T10:32:00Z"
    record["outbound"].pop()
    record["reference_resolution"]["total_outbound_references"] -= 1
    papers = [item["citation"]["citing_paper"] for item in record["outbound"]]
    for paper in (record["paper"], *papers):
        paper |= {"title": "Another title", "snapshot_observed_at": "2026-08-11T10:00:00Z"}
    return with_derived(record)


async def test_the_first_record_is_one_commit_that_only_adds(ingest, read_engine):
    await ingest(seed())
    feed = await whole_feed(read_engine)

    assert {change.commit for change in feed} == {1}
    # Of the bibliography it is also known that it was not whole until its last entry was seen.
    told = [change for change in feed if change.kind is not ChangeKind.BIBLIOGRAPHY]
    assert {change.action for change in told} == {ADDED}
    kinds = Counter(change.kind for change in told)
    assert kinds[ChangeKind.CITATION] == 21
    assert kinds[ChangeKind.RESOLUTION] == kinds[ChangeKind.WORK] == 11
    assert kinds[ChangeKind.COVERAGE] == 1
    observed = {item["observation_id"] for item in seed()["outbound"]}
    citations = [change for change in feed if change.kind is ChangeKind.CITATION]
    assert {change.observation_id for change in citations} == observed
    assert all(change.committed_at == feed[0].committed_at for change in feed)


async def test_a_newer_record_shows_what_it_superseded_and_added(ingest, read_engine):
    await ingest(seed())
    before = await whole_feed(read_engine)
    await ingest(newer_seed())
    feed = await whole_feed(read_engine)

    assert feed[: len(before)] == before
    new = [(change.kind, change.action) for change in feed[len(before) :]]
    assert Counter(new) == {
        (ChangeKind.PAPER, ADDED): 1,
        (ChangeKind.PAPER, SUPERSEDED): 1,
        (ChangeKind.CITATION, SUPERSEDED): 1,
        (ChangeKind.COVERAGE, ADDED): 1,
        (ChangeKind.COVERAGE, SUPERSEDED): 1,
    }
    assert {change.commit for change in feed[len(before) :]} == {2}


async def test_an_entry_that_is_gone_is_still_named(ingest, read_engine):
    await ingest(seed())
    await ingest(newer_seed())
    feed = await whole_feed(read_engine)
    gone = [c for c in feed if c.kind is ChangeKind.CITATION and c.action is SUPERSEDED]

    last = seed()["outbound"][-1]
    assert [change.observation_id for change in gone] == [last["observation_id"]]
    assert gone[0].superseded_at is not None
    assert gone[0].superseded_at > gone[0].observed_at


async def test_reading_the_same_record_again_is_no_change(ingest, read_engine):
    await ingest(seed())
    feed = await whole_feed(read_engine)
    await ingest(seed())

    assert await whole_feed(read_engine) == feed


@pytest.mark.parametrize("order", range(4))
async def test_whatever_is_taken_in_the_feed_only_grows_at_its_end(ingest, read_engine, order):
    universe = Universe(seed=order, papers=6)
    records = make_records(universe)
    records += make_records(universe, as_of=SEED_AS_OF + timedelta(days=2))
    Random(order).shuffle(records)
    followed: list[Place] = []
    window = Window(37)
    before: list[Any] = []
    for record in records:
        await ingest(record)
        feed = [(c.sort_values, c.arxiv_id, c.work_id) for c in await whole_feed(read_engine)]
        assert feed[: len(before)] == before
        before = feed
        window = await follow(read_engine, window, followed, pages=3)
    await follow(read_engine, window, followed)

    assert followed == [place for place, *_ in before]
    assert followed == sorted(set(followed))


# The law, for rows of every kind


@pytest.fixture(scope="module", params=KINDS)
def shared(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Database]:
    """A database that each example fills anew."""
    with made_database(request.param, tmp_path_factory.mktemp("changes")) as database:
        yield database


@pytest.fixture
async def engines(shared: Database) -> AsyncIterator[tuple[AsyncEngine, AsyncEngine]]:
    """A write engine and a read engine."""
    write, read_ = create_write_engine(shared.url), create_read_engine(shared.url, pool_size=2)
    yield write, read_
    await write.dispose()
    await read_.dispose()


async def made(engine: AsyncEngine, history: list[list[Op]]) -> Model:
    model = Model()
    model.begin()
    for operations in history:
        model.make(operations)
    await model.store(engine)
    return model


@law
@given(history=st.lists(commits, max_size=4), size=sizes, backward=st.booleans())
async def test_pages_laid_together_are_every_change_once_in_order(
    *, engines: tuple[AsyncEngine, AsyncEngine], history: list[list[Op]], size: int, backward: bool
) -> None:
    model = await made(engines[0], history)
    seen: list[Place] = []
    window = Window(size, backward=backward)
    while True:
        page = await read(engines[1], window)
        seen = [*places(page), *seen] if backward else [*seen, *places(page)]
        left, behind = len(seen) < len(model.feed), len(seen) > len(page.items)
        assert (page.has_previous, page.has_next) == (
            (left, behind) if backward else (behind, left)
        )
        if not left:
            break
        border = page.items[0 if backward else -1].sort_values
        after, before = (None, border) if backward else (border, None)
        window = Window(size, backward=backward, after=after, before=before)
    assert seen == model.feed


@law
@given(history=st.lists(commits, min_size=1, max_size=4), data=st.data())
async def test_a_page_between_two_borders_is_exact(
    *, engines: tuple[AsyncEngine, AsyncEngine], history: list[list[Op]], data: st.DataObject
) -> None:
    model = await made(engines[0], history)
    ends = st.integers(0, len(model.feed) - 1)
    # Moved, it is the place of no change: a cursor may be made up.
    moves = st.tuples(*[st.integers(-1, 1)] * 5)
    borders = []
    for _ in range(2):
        place, move = model.feed[data.draw(ends)], data.draw(moves)
        borders.append(tuple(min(a + b, LASTING) for a, b in zip(place, move, strict=True)))
    after, before = borders
    window = Window(
        data.draw(st.integers(0, 20)), backward=data.draw(st.booleans()), after=after, before=before
    )
    page = await read(engines[1], window)

    inside = [place for place in model.feed if after < place < before]
    cut = max(0, len(inside) - window.size)
    assert places(page) == (inside[cut:] if window.backward else inside[: window.size])
    overflow = len(inside) > window.size
    assert page.has_previous == (
        any(place <= after for place in model.feed) or (overflow and window.backward)
    )
    assert page.has_next == (
        any(place >= before for place in model.feed) or (overflow and not window.backward)
    )


@law
@given(history=st.lists(commits, min_size=1, max_size=4), size=sizes)
async def test_a_reader_misses_nothing_while_commits_come_between_its_pages(
    *, engines: tuple[AsyncEngine, AsyncEngine], history: list[list[Op]], size: int
) -> None:
    model = await made(engines[0], [])
    seen: list[Place] = []
    window = Window(size)
    for operations in history:
        window = await follow(engines[1], window, seen, pages=1)
        model.make(operations)
        await model.store(engines[0])
    await follow(engines[1], window, seen)

    assert seen == model.feed


@law
@given(history=st.lists(commits, min_size=1, max_size=4), size=sizes)
async def test_a_reader_that_goes_back_is_not_disturbed_by_commits(
    *, engines: tuple[AsyncEngine, AsyncEngine], history: list[list[Op]], size: int
) -> None:
    model = await made(engines[0], history[:1])
    known = list(model.feed)
    seen: list[Place] = []
    window = Window(size, backward=True)
    while True:
        page = await read(engines[1], window)
        seen = [*places(page), *seen]
        if not page.has_previous:
            break
        window = Window(size, backward=True, before=page.items[0].sort_values)
        if history[1:]:
            model.make(history.pop())
            await model.store(engines[0])

    assert seen == known


async def test_each_change_names_what_it_is_about(engines):
    every = [(kind, key, "put") for kind in ChangeKind for key in KEYS]
    await made(engines[0], [every, every])
    feed = await whole_feed(engines[1])

    names: dict[ChangeKind, set[Any]] = {}
    for change in feed:
        known = (change.arxiv_id, change.observation_id, change.work_id)
        assert sum(name is not None for name in known) <= 1
        names.setdefault(change.kind, set()).add(next((n for n in known if n is not None), None))
    papers = {f"2601.{key:05}" for key in KEYS}
    first, second = str(UUID(int=1)), str(UUID(int=2))
    uuids = {str(UUID(int=key)) for key in KEYS}
    assert names == {
        ChangeKind.PAPER: papers,
        ChangeKind.CITATION: uuids,
        ChangeKind.RESOLUTION: uuids,
        ChangeKind.WORK: uuids,
        ChangeKind.STANDING_EVENT: {first, second, None},
        ChangeKind.STANDING_RECEIPT: {first, "2601.00001", None},
        ChangeKind.MEASUREMENT: {first, second, "2601.00001"},
        ChangeKind.BIBLIOGRAPHY: papers,
        ChangeKind.COVERAGE: papers,
    }
    for change in feed:
        assert change.committed_at == time_of(change.commit)
        superseded = change.action is SUPERSEDED
        assert change.superseded_at == (time_of(change.commit) if superseded else None)


async def test_an_empty_store_has_an_empty_feed(read_engine):
    page = await read(read_engine, Window(10))

    assert (page.items, page.has_next, page.has_previous) == ((), False, False)


async def test_a_page_of_no_rows_still_knows_its_neighbours(engines):
    model = await made(engines[0], [])
    page = await read(engines[1], Window(0, after=model.feed[0]))

    assert (page.items, page.has_next, page.has_previous) == ((), True, True)


async def test_a_page_is_one_statement(ingest, read_engine):
    await ingest(seed())
    with driven_statements() as statements:
        page = await read(read_engine, Window(5))
        await read(read_engine, Window(5, after=page.items[2].sort_values))

    assert len(statements) == 2
