"""The parameters of a request: which are read, and what is said about wrong ones."""

from __future__ import annotations

from urllib.parse import quote

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers

from pith_graph.gql.requests import GraphQLRequest
from pith_graph.web.parameters import check_content_type, parse_json_body, parse_query_string
from pith_graph.web.refusal import RequestRefusedError


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "application/json; charset=utf-8",
        'APPLICATION/JSON;charset="UTF-8"',
        "application/json; profile=x",
    ],
)
def test_json_in_utf8_is_taken(content_type):
    check_content_type(Headers({"content-type": content_type}))


@pytest.mark.parametrize(
    ("headers", "message"),
    [
        ({}, "is none; expected application/json"),
        ({"content-type": "application/jsonp"}, "expected application/json"),
        ({"content-type": "application/json; charset=latin-1"}, "expected utf-8"),
        ({"content-type": "application/json", "content-encoding": "gzip"}, "Content-Encoding"),
    ],
)
def test_other_bodies_are_refused(headers, message):
    with pytest.raises(RequestRefusedError, match=message) as caught:
        check_content_type(Headers(headers))
    assert caught.value.status == 415


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"{", "not JSON"),
        (b'{"query": "\xff"}', "not JSON"),
        (b'{"query": "\\ud800"}', "not JSON"),
        (b'{"query": "{ a }", "variables": {"x": NaN}}', "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"query":"{a}","variables":{"a":' + b"[" * 5000 + b"]" * 5000 + b"}}", "not JSON"),
        (b'[{"query": "{ a }"}]', "not batched"),
        (b'"{ a }"', "expected a JSON object"),
        (b"null", "The body is null; expected a JSON object"),
        (b"true", "The body is true; expected a JSON object"),
        (b"{}", "`query` is missing"),
        (b'{"qeury": "{ a }"}', "`query` is missing"),
        (b'{"query": null}', "`query` is missing"),
        (b'{"query": 1}', "`query` is 1; expected a string"),
        (b'{"query": "{ a }", "variables": []}', r"`variables` is \[\]; expected an object"),
        (b'{"query": "{ a }", "variables": "{}"}', "`variables` is .*; expected an object"),
        (b'{"query": "{ a }", "operationName": 0}', "`operationName` is 0; expected a string"),
        (b'{"query": "{ a }", "extensions": false}', "`extensions` is false; expected an object"),
    ],
)
def test_a_wrong_body_is_told_what_was_expected(body, message):
    with pytest.raises(RequestRefusedError, match=message) as caught:
        parse_json_body(body)
    assert caught.value.status == 400
    assert len(str(caught.value)) < 300


def test_null_parameters_are_absent_and_unknown_ones_ignored():
    body = b'{"query":"{a}","variables":null,"operationName":null,"extensions":null,"id":7}'
    assert parse_json_body(body) == GraphQLRequest(query="{a}")


@given(st.text(), st.dictionaries(st.text(min_size=1), st.integers(0, 9)))
def test_a_query_string_says_what_was_put_in(query, variables):

    text = orjson.dumps(variables).decode()
    query_string = f"query={quote(query)}&variables={quote(text)}&other=1".encode()
    assert parse_query_string(query_string) == GraphQLRequest(query=query, variables=variables)


def test_empty_parameters_of_a_query_string_are_absent():
    parsed = parse_query_string(b"query={a}&operationName=&variables=&extensions=")
    assert parsed == GraphQLRequest(query="{a}")


@pytest.mark.parametrize(
    ("query_string", "message"),
    [
        (b"", "`query` is missing"),
        (b"query=%ff", "not UTF-8"),
        (b"query=\xff", "not UTF-8"),
        (b"query={a}&query={b}", "`query` is given twice"),
        (b"query={a}&variables={}&variables={}", "`variables` is given twice"),
        (b"query={a}&variables=x", "`variables` is not JSON"),
        (b"query={a}&variables=[]", r"`variables` is \[\]; expected an object"),
        (b"query={a}&variables=" + b"[" * 5000, "`variables` is not JSON"),
        (b"query={a}&extensions=1", "`extensions` is 1; expected an object"),
        (b"&".join(b"x=1" for _ in range(101)), "more than 100 parameters"),
    ],
)
def test_a_wrong_query_string_is_told_what_was_expected(query_string, message):
    with pytest.raises(RequestRefusedError, match=message) as caught:
        parse_query_string(query_string)
    assert caught.value.status == 400
