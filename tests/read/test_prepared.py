"""Prepared statements give what SQLAlchemy gives, of whatever values."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import BigInteger, Boolean, Text, bindparam, cast, literal, null, select, union_all

from pith_graph.read.keys import among_ids, id_places, id_values
from pith_graph.read.prepared import Pace, prepare
from pith_graph.read.rows import NOT_READ, NotReadError
from pith_graph.read.snapshot import Snapshot
from pith_graph.store.types import Code, Instant, PublicId
from pith_graph.vocabulary import ResolutionStatus

TYPES: dict[str, tuple[Any, st.SearchStrategy[Any]]] = {
    "text": (Text(), st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))),
    "number": (BigInteger(), st.integers(-(2**63), 2**63 - 1)),
    "instant": (
        Instant(),
        st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC)),  # noqa: DTZ001
    ),
    "id": (PublicId(), st.uuids()),
    "code": (Code(ResolutionStatus), st.sampled_from(ResolutionStatus)),
    "truth": (Boolean(), st.booleans()),
}


@pytest.mark.parametrize("name", TYPES)
async def test_every_value_comes_back_as_it_went_in(snapshot: Snapshot, name: str) -> None:
    type_, values = TYPES[name]
    statement = prepare(
        select(cast(bindparam("value", type_=type_), type_).label("value"), literal(1)),
        snapshot.dialect,
    )
    given_values: list[Any] = [None]

    @settings(max_examples=40, database=None, suppress_health_check=[HealthCheck.nested_given])
    @given(values)
    def collect(value: Any) -> None:
        given_values.append(value)

    collect()
    for value in given_values:
        shown = str(value) if isinstance(value, UUID) else value
        assert await snapshot.fetch(statement, {"value": value}) == [(shown, 1)]


async def test_rows_come_in_order_and_none_is_none(snapshot: Snapshot) -> None:
    numbers = union_all(*(select(literal(number).label("n"), null()) for number in (3, 1, 2)))
    ordered = select(numbers.subquery()).order_by("n")
    assert await snapshot.fetch(ordered) == [(1, None), (2, None), (3, None)]
    assert await snapshot.fetch(select(literal(1)).where(literal(1) == 2)) == []


async def test_a_statement_keeps_its_own_values_and_takes_new_ones(snapshot: Snapshot) -> None:
    selected: Any = select(
        literal(datetime(2026, 1, 2, tzinfo=UTC), Instant),
        cast(bindparam("given", type_=Text), Text),
    )
    statement = prepare(selected, snapshot.dialect)
    for text in ("a", "b"):
        rows = await snapshot.fetch(statement, {"given": text})
        assert rows == [(datetime(2026, 1, 2, tzinfo=UTC), text)]


@pytest.mark.parametrize("count", [1, 2, 3, 8, 9])
async def test_public_ids_of_any_number_are_found(snapshot: Snapshot, count: int) -> None:
    ids = [str(UUID(int=number)) for number in range(1, count + 1)]
    there = literal(UUID(ids[-1]), PublicId)
    wanted = among_ids(snapshot.dialect, there, id_places(ids))
    assert id_places(ids) >= count
    found = await snapshot.fetch(
        prepare(select(there).where(wanted), snapshot.dialect), id_values(snapshot.dialect, ids)
    )
    assert found == [(ids[-1],)]


@pytest.mark.parametrize(
    "use", [str, bool, hash, lambda value: value == 1, lambda value: value.isoformat()]
)
def test_a_value_that_was_not_selected_cannot_be_used(use: Any) -> None:
    with pytest.raises(NotReadError):
        use(NOT_READ)


def test_a_statement_that_took_too_long_is_tried_again_only_with_fewer_keys() -> None:
    pace = Pace()
    assert pace.allows(1000)
    pace.slow_from(50)
    assert pace.allows(49)
    assert not pace.allows(50)
    pace.slow_from(100)
    assert not pace.allows(50)


def test_what_took_too_long_is_tried_again_now_and_then() -> None:
    pace = Pace()
    pace.slow_from(1)
    tries = [pace.allows(20) for _ in range(100)]
    assert tries.index(True) > 10
    assert all(tries[tries.index(True) :])
