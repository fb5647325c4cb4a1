"""The schema as a whole: it is read only, described, and carries the refusal."""

from __future__ import annotations

import graphql

from pith_graph.gql.schema import LIST_HINTS, build_schema, print_sdl
from pith_graph.record_text import REFUSAL


def schema() -> graphql.GraphQLSchema:
    return build_schema()._schema  # noqa: SLF001  # graphql-core's own view of it


def test_it_is_valid_and_reads_only():
    graphql.assert_valid_schema(schema())
    assert schema().mutation_type is None
    assert schema().subscription_type is None


def test_its_description_carries_the_refusal():
    assert REFUSAL in (schema().description or "")


def own_types() -> list[graphql.GraphQLNamedType]:
    return [
        kind
        for name, kind in schema().type_map.items()
        if not name.startswith("__") and not graphql.is_specified_scalar_type(kind)
    ]


def test_every_type_and_field_says_what_it_is():
    for kind in own_types():
        assert kind.description, kind.name
        if isinstance(
            kind,
            graphql.GraphQLObjectType
            | graphql.GraphQLInterfaceType
            | graphql.GraphQLInputObjectType,
        ):
            for name, field in kind.fields.items():
                assert field.description, f"{kind.name}.{name}"


def test_every_list_holds_no_nulls_but_that_of_nodes():
    for kind in own_types():
        if not isinstance(kind, graphql.GraphQLObjectType):
            continue
        for name, field in kind.fields.items():
            inner = graphql.get_nullable_type(field.type)
            if isinstance(inner, graphql.GraphQLList) and (kind.name, name) != ("Query", "nodes"):
                assert isinstance(inner.of_type, graphql.GraphQLNonNull), f"{kind.name}.{name}"


def test_edges_to_one_object_are_nullable_where_it_may_be_unknown():
    citation = schema().type_map["Citation"]
    assert isinstance(citation, graphql.GraphQLObjectType)
    for name, expected in {
        "citingPaper": "Paper!",
        "citedPaper": "Paper",
        "citedWork": "Work",
    }.items():
        assert str(citation.fields[name].type) == expected


def test_list_hints_name_lists_of_the_schema():
    for type_name, field_name in LIST_HINTS:
        kind = schema().type_map[type_name]
        assert isinstance(kind, graphql.GraphQLObjectType)
        inner = graphql.get_nullable_type(kind.fields[field_name].type)
        assert isinstance(inner, graphql.GraphQLList)


def test_it_is_built_once_and_prints_as_a_schema_that_reads_back():
    assert build_schema() is build_schema()
    assert print_sdl() == print_sdl()
    assert graphql.build_schema(print_sdl()).query_type is not None
