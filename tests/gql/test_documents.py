"""The cache of documents, and how long the nastiest ones take."""

from __future__ import annotations

import gc
import tracemalloc

import pytest
from graphql import OperationType, build_schema, get_introspection_query

from pith_graph.gql.documents import DocumentCache, DocumentEntry, Operation
from pith_graph.settings import Settings
from tests.effort import effort

SCHEMA = build_schema("""
  type Query { a: A paper(id: String!): A papers(ids: [String!]!): [A!]! }
  type A { a: A x: String y: Int papers(ids: [String]): [A!]! c(first: Int, last: Int): C! }
  type C { edges: [E!]! totalCount: Int }
  type E { node: A cursor: String }
""")


def cache(**settings: int) -> DocumentCache:
    return DocumentCache(SCHEMA, Settings(**settings))  # type: ignore[arg-type]


def code_of(entry: DocumentEntry) -> str | None:
    return str(entry.errors[0].extensions["code"]) if entry.errors else None  # type: ignore[index]


def test_a_valid_document_is_worked_through_once():
    documents = cache()
    entry = documents.get("{ a { c(first: 3) { edges { node { x } } } } }")
    assert entry.errors == ()
    (operation,) = entry.operations
    assert (operation.name, operation.kind) == (None, OperationType.QUERY)
    assert operation.cost is not None
    assert operation.cost.requested({}) == 8
    assert documents.get(entry.text) is entry


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "GRAPHQL_PARSE_FAILED"),
        ("", "GRAPHQL_PARSE_FAILED"),
        ("{ nothing }", "GRAPHQL_VALIDATION_FAILED"),
        ("{ a { ...Unknown } }", "GRAPHQL_VALIDATION_FAILED"),
        ("{ a { ...F } } fragment F on A { a { ...F } }", "GRAPHQL_VALIDATION_FAILED"),
        ("type T { x: Int }", "GRAPHQL_VALIDATION_FAILED"),
        ("mutation { change }", "GRAPHQL_VALIDATION_FAILED"),
        ("{" + "a {" * 21 + "x" + "}" * 22, "DEPTH_LIMIT_EXCEEDED"),
        ("{ a { " + " ".join(f"x{n}: x" for n in range(101)) + "} }", "COST_LIMIT_EXCEEDED"),
    ],
)
def test_a_refused_document_says_why_and_is_cached(text, code):
    documents = cache()
    entry = documents.get(text)
    assert code_of(entry) == code
    assert documents.get(text) is entry


def test_an_error_of_the_cache_holds_no_frames():
    for text in ("{", "{ nothing }"):
        (error,) = cache().get(text).errors
        assert error.__traceback__ is None
        assert error.__context__ is None
        assert error.locations


def test_the_kind_of_an_operation_is_known_even_if_the_document_is_invalid():
    (operation,) = cache().get("mutation M { change }").operations
    assert (operation.name, operation.kind, operation.cost) == ("M", OperationType.MUTATION, None)


def test_an_operation_is_found_by_name_or_because_it_is_the_only_one():
    entry = cache().get("query A { a { x } } query B { a { y } }")
    found = entry.find_operation("B")
    assert isinstance(found, Operation)
    assert found.name == "B"
    alone = cache().get("query A { a { x } }")
    assert alone.find_operation(None) is alone.operations[0]


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("query A { a { x } } query B { a { y } }", None, "2 operations: 'A', 'B'. Expected"),
        ("query A { a { x } }", "B", "no operation 'B'; expected one of: 'A'"),
        ("{ a { x } }", "B", "expected one of: one without a name"),
        ("fragment F on A { x }", None, "The document has no operation"),
        (" ".join(f"query Q{n} {{ a {{ x }} }}" for n in range(30)), None, "'Q9', …"),
    ],
)
def test_an_operation_that_cannot_be_determined_is_named_with_those_there_are(text, name, message):
    error = cache().get(text).find_operation(name)
    assert not isinstance(error, Operation)
    assert message in error.message
    assert error.extensions["code"] == "OPERATION_RESOLUTION_FAILURE"  # type: ignore[index]


def test_the_cache_stays_within_its_bytes_and_drops_what_was_not_used_longest():
    size = cache().get("{ a { x } } # 00").size
    documents = cache(document_cache_bytes=10 * size)
    texts = [f"{{ a {{ x }} }} # {n:02}" for n in range(30)]
    kept = documents.get(texts[0])
    for text in texts:
        documents.get(text)
        assert documents.get(texts[0]) is kept
    assert len(documents) == 10
    assert documents.size == 10 * size


def test_a_document_larger_than_the_cache_is_answered_and_not_kept():
    documents = cache(document_cache_bytes=0)
    assert documents.get("{ a { x } }").errors == ()
    assert (len(documents), documents.size) == (0, 0)


@pytest.mark.parametrize(
    "text",
    [
        "{ a { x } }",
        "{ a {" + "a { x y c(first: 3) { edges { node { x } } } }" * 20 + "} }",
        "{ papers(ids: [" + '"a" ' * 9900 + "]) { x } }",
        "query (" + " ".join(f"$v{n}: [Int!]" for n in range(1200)) + ") { a { x } }",
        "{ " + "x" * 50_000 + " }",
        "{ a { x } } # ü" + "\U0001f600" * 50_000,
        "{",
    ],
)
def test_an_entry_is_estimated_to_hold_more_than_it_does(text):
    documents = cache()
    documents.get("{ a { x y } }")
    documents.get("{ b }")
    gc.collect()
    tracemalloc.start()
    # A new string, as a request's is; the literal above is not counted.
    entry = documents.get(text + " ")
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # What Python sets up at the first document of a kind belongs to no entry.
    assert held - 32_768 < entry.size < 100 * held


def fragments(count: int, body: str) -> str:
    """So many fragments of this body, in which ``NEXT`` spreads the next one."""
    return " ".join(
        f"fragment F{n} on A {{ {body.replace('NEXT', f'...F{n + 1}')} }}" for n in range(count)
    )


def chained(count: int, body: str) -> str:
    return f"{{ a {{ ...F0 }} }} {fragments(count, body)} fragment F{count} on A {{ x }}"


def spread(count: int) -> str:
    return "{ a {" + " ".join(f"...F{n}" for n in range(count)) + "} }"


NASTY = {
    "one field many times": "{ a {" + "x " * 9900 + "} }",
    "one field nearly too often": "{ a {" + "x " * 499 + "} }",
    "one object many times": "{ a {" + "a { x } " * 499 + "} }",
    "one object with arguments": "{ a {" + 'papers(ids: ["a"]) { x } ' * 499 + "} }",
    "wide at every depth": "{" + ("a {" + "x " * 400) * 20 + "}" * 21,
    "many objects in many": "{ a {" + ("a {" + "a { x } " * 15 + "}") * 100 + "} }",
    "18 fragments spread twice": chained(18, "NEXT NEXT"),
    "18 fragments spread twice below": chained(18, "a { NEXT } a { NEXT }"),
    "9 fragments spread twice below": chained(9, "a { NEXT } a { NEXT }"),
    "18 fragments spread under aliases": chained(18, "a { NEXT } b: a { NEXT }"),
    "many fragments with one field": spread(249) + fragments(249, "x y"),
    "many fragments with one object": spread(249) + fragments(249, "a { x a { y } }"),
    "deep fragments": spread(100) + fragments(100, "a {" * 10 + "x" + "}" * 10),
    "a chain of fragments": chained(240, "x NEXT"),
    "fragments that each spread many": "{ a { ...F0 } }"
    + " ".join(
        f"fragment F{n} on A {{ {' '.join(f'...F{n + 1 + k}' for k in range(17))} x }}"
        for n in range(230)
    ),
    "many operations over many fragments": chained(240, "x NEXT")[14:]
    + " ".join(f"query Q{n} {{ a {{ ...F0 }} }}" for n in range(50)),
    "too many fragments": spread(900) + fragments(900, "x"),
    "aliases": "{ a {" + " ".join(f"x{n}: x" for n in range(3000)) + "} }",
    "directives": "{ a " + "@a" * 4900 + "{ x } }",
    "directives on variables": "query ($v: Int " + "@a" * 4900 + ") { a { x } }",
    "spreads of one fragment": "{ a {" + "...F " * 4900 + "} } fragment F on A { x }",
    "inline fragments": "{ a {" + "... on A { x } " * 1600 + "} }",
    "nested inline fragments": "{" + "... {" * 190 + "a { x }" + "}" * 191,
    "open braces": "{a" * 3000,
    "open lists": "{ a(x: " + "[" * 3000,
    "open objects": "{ a(x: " + "{a:" * 3000,
    "nested list types": "query ($v: " + "[" * 3000,
    "long list": "{ papers(ids: [" + '"a" ' * 9900 + "]) { x } }",
    "long name": "{ " + "z" * 900_000 + " }",
    "long string": '{ paper(id: "' + "z" * 900_000 + '") { x } }',
    "comments": "{ a { x } }" + "#\n" * 400_000,
    "unknown fields": "{ a {" + " ".join(f"z{n}" for n in range(490)) + "} }",
    "unused variables": "query (" + " ".join(f"$v{n}: Int" for n in range(2400)) + ") { a { x } }",
    "one argument many times": "{ papers(" + "ids: [] " * 2400 + ") { x } }",
}


@pytest.mark.parametrize("name", NASTY)
def test_the_nastiest_documents_take_little_more_than_the_longest_takes_to_read(name):
    # The most is 2.4; a document of the most tokens is read in about a tenth of a second.
    assert effort(lambda: cache().get(NASTY[name])) < 6


@pytest.mark.parametrize("name", [name for name in NASTY if name.startswith("18 fragments")])
def test_18_nested_fragments_are_refused_or_costed_at_once(name):
    def look() -> None:
        entry = cache().get(NASTY[name])
        if not entry.errors:
            cost = entry.operations[0].cost
            assert cost is not None
            assert cost.requested({}) > Settings().max_cost

    assert effort(look) < 0.5


@pytest.mark.parametrize("name", ["open braces", "open lists", "open objects", "nested list types"])
def test_nesting_beyond_the_parser_is_a_parse_error(name):
    assert code_of(cache().get(NASTY[name])) == "GRAPHQL_PARSE_FAILED"


def test_fields_that_take_too_long_to_compare_are_a_cost_and_say_so():
    entry = cache().get(NASTY["one field nearly too often"])
    assert code_of(entry) == "COST_LIMIT_EXCEEDED"
    assert "Ask for each field once" in entry.errors[0].message


def test_fields_that_conflict_are_still_found():
    entry = cache().get("{ a { x x: y } }")
    assert code_of(entry) == "GRAPHQL_VALIDATION_FAILED"
    assert "conflict" in entry.errors[0].message


def test_at_most_a_score_of_errors_is_reported():
    entry = cache().get(NASTY["unknown fields"])
    assert len(entry.errors) == 20
    assert code_of(entry) == "GRAPHQL_VALIDATION_FAILED"


def test_the_standard_introspection_query_is_valid_and_free():
    entry = cache().get(get_introspection_query(one_of=True, specified_by_url=True))
    assert entry.errors == ()
    assert entry.operations[0].cost is not None
    assert entry.operations[0].cost.requested({}) == 0
