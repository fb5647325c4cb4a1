"""``pith-graph schema``."""

from __future__ import annotations

from graphql import build_schema as parse_schema

from pith_graph.gql.schema import print_sdl
from tests.commands import run


def test_the_schema_is_printed_and_needs_no_database(tmp_path):
    result = run("schema", cwd=tmp_path)
    assert (result.code, result.text, result.err) == (0, print_sdl(), "")
    assert parse_schema(result.text).query_type is not None
    assert list(tmp_path.iterdir()) == []
