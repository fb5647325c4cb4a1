"""What the benchmarks ask is valid, and no two varied queries are the same text."""

from __future__ import annotations

import orjson
import pytest
from graphql import build_schema, parse, validate

from bench import queries
from bench.alone import varied_query
from bench.queries import Subject
from tests.test_generated import ROOT

SUBJECT = Subject(7, "1501.00007", "two words")
OWN = ("ONE_HOP", "TWO_HOPS", "LEAVES", "INBOUND", "INBOUND_LAST", "INBOUND_TOTAL", "SEARCH")


@pytest.mark.parametrize("name", [*OWN, "FREQUENT"])
def test_the_schema_has_all_that_is_asked(name):
    schema = build_schema((ROOT / "schema.graphql").read_text(encoding="utf-8"))
    assert validate(schema, parse(getattr(queries, name))) == []


def test_varied_queries_all_differ_and_are_valid():
    schema = build_schema((ROOT / "schema.graphql").read_text(encoding="utf-8"))
    texts = {orjson.loads(varied_query(number, SUBJECT))["query"] for number in range(500)}
    assert len(texts) == 500
    for text in texts:
        assert validate(schema, parse(text)) == []


def test_a_body_carries_what_the_question_is_about():
    assert orjson.loads(queries.by_id("q")(SUBJECT))["variables"] == {"id": "1501.00007"}
    assert orjson.loads(queries.by_key("q")(SUBJECT))["variables"] == {"key": 7}
    assert orjson.loads(queries.by_words("q")(SUBJECT))["variables"] == {"words": "two words"}
