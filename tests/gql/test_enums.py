"""The vocabularies as GraphQL enums: each is one, and says what it means."""

from __future__ import annotations

import graphql

from pith_graph import vocabulary
from pith_graph.gql.schema import build_schema
from pith_graph.vocabulary import Vocabulary


def enums() -> dict[str, graphql.GraphQLEnumType]:
    types = build_schema()._schema.type_map  # noqa: SLF001  # graphql-core's own view of it
    return {
        name: kind
        for name, kind in types.items()
        if isinstance(kind, graphql.GraphQLEnumType) and not name.startswith("__")
    }


def test_every_enum_is_a_vocabulary_with_all_its_members():
    for name, kind in enums().items():
        members = getattr(vocabulary, name)
        assert issubclass(members, Vocabulary)
        assert {value: kind.values[value].value for value in kind.values} == {
            member.name: member.value for member in members
        }


def test_every_enum_says_what_it_is():
    for name, kind in enums().items():
        assert kind.description, name
        assert kind.description.endswith("."), name


def test_the_states_that_need_explaining_are_explained():
    for name in ("ResolutionStatus", "EventKind", "StandingClass", "CoverageLane"):
        for value, definition in enums()[name].values.items():
            assert definition.description, f"{name}.{value}"
