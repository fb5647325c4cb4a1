"""What a query asks for is all that is read, and nothing that is shown was left out."""

from __future__ import annotations

import pytest
from graphql import (
    GraphQLField,
    GraphQLObjectType,
    build_schema,
    get_named_type,
    is_leaf_type,
    is_required_argument,
)

from pith_graph.gql.execution import Asked
from pith_graph.gql.schema import print_sdl
from pith_graph.gql.types.shapes import citation_shape
from pith_graph.read.citations import WHOLE
from tests.records import make_record

DEEPEST = 3


def selections(type_: GraphQLObjectType, depth: int = 0) -> list[str]:
    """Write, for each field of a type, a selection of that field alone."""
    return [
        written
        for name, field in type_.fields.items()
        if not any(map(is_required_argument, field.args.values()))
        for written in _written(name, field, depth)
    ]


def _written(name: str, field: GraphQLField, depth: int) -> list[str]:
    below = get_named_type(field.type)
    if is_leaf_type(below):
        return [name]
    if depth == DEEPEST or not isinstance(below, GraphQLObjectType):
        return []
    return [f"{name} {{ {inner} }}" for inner in selections(below, depth + 1)]


def _citation() -> GraphQLObjectType:
    type_ = build_schema(print_sdl()).type_map["Citation"]
    assert isinstance(type_, GraphQLObjectType)
    return type_


SELECTIONS = selections(_citation())


def test_every_field_of_what_hangs_on_a_citation_is_tried() -> None:
    assert len(SELECTIONS) > 200
    assert "citedWork { paper { title } }" in SELECTIONS


async def test_each_field_alone_is_what_it_is_among_all_others(graph, ingest) -> None:
    await ingest(make_record())
    aliased = [f"{text.split(' ')[0]}: {text}" if " " not in text else text for text in SELECTIONS]
    for side in ("outbound", "inbound"):
        for text in aliased:
            answer = await graph.ask(
                f'{{ paper(id: "2509.00217") {{ {side}(first: 2) '
                f"{{ edges {{ node {{ {text} }} }} }} }} }}"
            )
            assert "errors" not in answer, (text, answer["errors"])


def asked(text: dict[str, object]) -> Asked:
    leaves = frozenset(name for name, below in text.items() if below is None)
    edges = frozenset(
        (name, asked(below)) for name, below in text.items() if isinstance(below, dict)
    )
    return Asked(leaves, edges)


def node(**fields: object) -> Asked:
    return asked({"edges": {"node": fields}})


def test_an_end_that_is_not_looked_at_is_not_read() -> None:
    shape = citation_shape(node(referenceIndex=None, citedWork={"title": None}))
    assert shape.own == {"reference_index"}
    assert shape.cited_work == frozenset({"title"})
    assert shape.citing_paper is shape.cited_paper is None
    assert shape.cited_as == shape.resolution == frozenset()


@pytest.mark.parametrize("name", ["canonicalForm", "observationDigest", "whatIsYetToCome"])
def test_a_field_that_may_need_anything_reads_all(name: str) -> None:
    assert citation_shape(node(**{name: None})) == WHOLE


def test_fields_that_are_made_of_others_read_these() -> None:
    shape = citation_shape(
        node(id=None, links={"citingPaper": None}, resolution={"selfMinted": None})
    )
    assert shape.own == {"observation_id"}
    assert shape.citing_paper == shape.cited_paper == frozenset({"arxiv_id"})
    assert shape.resolution == {"resolver_source"}
