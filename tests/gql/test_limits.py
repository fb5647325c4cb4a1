"""The structural limits: each one at its bound and past it, and what the refusal says."""

from __future__ import annotations

import re

import pytest
from graphql import get_introspection_query, parse

from pith_graph.gql.limits import Limits, find_excesses
from pith_graph.settings import Settings

LIMITS = Limits(
    operations=2,
    fragments=2,
    depth=3,
    aliases=2,
    directives=2,
    root_fields=4,
    breadth=5,
    introspection_lists=2,
    introspection_depth=1,
)


def find(text: str) -> list[tuple[str, str]]:
    errors = find_excesses(parse(text), LIMITS)
    return [((e.extensions or {})["code"], e.message) for e in errors]


@pytest.mark.parametrize(
    "text",
    [
        "{ a { b { c } } }",
        "{ x: a y: b }",
        "{ a @d @d }",
        "{ a b c d }",
        "{ a { b c d e f } }",
        "{ __schema { types directives } }",
        "query A { a } query B { a }",
        "{ ...F ...G } fragment F on T { a b } fragment G on T { a b }",
        "{ a { ...F } } fragment F on T { a b c d e }",
    ],
)
def test_a_document_at_its_limits_passes(text):
    assert find(text) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{ x: a y: b z: c }", "The operation has 3 aliases, fragments laid open; the limit is 2"),
        ("query Q { a @d @d @d }", "Operation Q has 3 directives, .* the limit is 2"),
        ("query ($v: Int @d @d @d) { a }", "3 directives"),
        ("{ a b c d e }", "5 root fields, .* the limit is 4"),
        ("{ a { b c d e f g } }", "6 fields in one selection set, .* the limit is 5"),
        ("{ ...F ...F } fragment F on T { x: a y: b }", "The operation has 4 aliases"),
        ("{ a } fragment F on T { x: a y: b z: c }", "Fragment F has 3 aliases"),
        ("{ __schema { types directives args } }", "3 introspection lists, .* the limit is 2"),
        ("{ __schema { types { fields } } }", "2 introspection lists within each other"),
        ("query A { a } query B { a } query C { a }", "The document has 3 operations; .* is 2"),
        ("{ a } " + "".join(f"fragment F{n} on T {{ a }}" for n in range(3)), "3 fragments"),
    ],
)
def test_a_document_past_a_limit_is_told_which_and_what_to_do(text, message):
    ((code, said), *_) = find(text)
    assert code == "COST_LIMIT_EXCEEDED"
    assert re.search(message, said)
    assert "Split it into several requests" in said


def test_too_deep_a_document_has_its_own_code_and_advice():
    ((code, said),) = find("query Deep { a { ...F } } fragment F on T { b { c { d } } }")
    assert code == "DEPTH_LIMIT_EXCEEDED"
    assert "Operation Deep nests fields 4 deep; the limit is 3" in said
    assert "second query" in said


def test_a_count_beyond_counting_is_said_to_be_more():
    text = "{ ...F0 }" + "".join(
        f"fragment F{n} on T {{ ...F{n + 1} ...F{n + 1} }}" for n in range(40)
    )
    document = parse(text + "fragment F40 on T { a: x }")
    messages = [e.message for e in find_excesses(document, Limits.from_settings(Settings()))]
    assert any("more than 999999999 aliases" in message for message in messages)


def test_the_limits_of_the_settings_are_taken():
    settings = Settings(max_depth=1, max_aliases=2, max_directives=3, max_root_fields=4)
    limits = Limits.from_settings(settings)
    assert (limits.depth, limits.aliases, limits.directives, limits.root_fields) == (1, 2, 3, 4)


def test_the_standard_introspection_query_passes_the_default_limits():
    query = get_introspection_query(
        descriptions=True,
        specified_by_url=True,
        directive_is_repeatable=True,
        schema_description=True,
        input_value_deprecation=True,
        one_of=True,
    )
    assert find_excesses(parse(query), Limits.from_settings(Settings())) == []
