"""The scalars: what they print and what they read."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pith_graph.errors import InputError
from pith_graph.gql.scalars import SCALARS


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_time_is_printed_with_z_and_reads_back(at):
    scalar = SCALARS[datetime]
    text = scalar.serialize(at)  # type: ignore[misc]  # set for every scalar of ours
    assert text.endswith("Z")
    assert scalar.parse_value(text) == at  # type: ignore[misc]


@given(st.uuids())
def test_a_uuid_is_printed_in_lower_case_and_read_in_any(value):
    scalar = SCALARS[UUID]
    text = scalar.serialize(value)  # type: ignore[misc]
    assert text == str(value)
    assert scalar.parse_value(text.upper()) == value  # type: ignore[misc]


@pytest.mark.parametrize("kind", [datetime, UUID])
@pytest.mark.parametrize("value", ["", "x", 5, 1.5, True, None, [], {}, "2026-13-01"])
def test_anything_else_is_refused_by_name(kind, value):
    with pytest.raises(InputError, match="is not a"):
        SCALARS[kind].parse_value(value)  # type: ignore[misc]


def test_every_scalar_names_the_document_that_specifies_it():
    assert {definition.name for definition in SCALARS.values()} == {
        "ArxivId",
        "DateTime",
        "DOI",
        "UUID",
    }
    for definition in SCALARS.values():
        assert (definition.specified_by_url or "").startswith("https://")
        assert definition.description
