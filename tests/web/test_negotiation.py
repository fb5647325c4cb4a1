"""Accept headers: weights, wildcards, ties and browsers."""

from __future__ import annotations

import pytest

from pith_graph.web.negotiation import MediaType, choose_media_type, prefers_html
from pith_graph.web.refusal import RequestRefusedError

RESPONSE = "application/graphql-response+json"
JSON = "application/json"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        (None, JSON),
        ("", JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        (BROWSER, JSON),
        (RESPONSE, RESPONSE),
        (JSON, JSON),
        (f"{JSON}, {RESPONSE}", RESPONSE),
        (f"{RESPONSE}, {JSON};q=0.9", RESPONSE),
        (f"{RESPONSE};q=0.5, {JSON};q=0.6", JSON),
        (f"{RESPONSE};q=0.5, */*;q=0.6", JSON),
        (f"{RESPONSE}, */*", RESPONSE),
        (f"{JSON}, */*", JSON),
        (f"{RESPONSE};q=0, */*", JSON),
        (f"{JSON};q=0, */*", RESPONSE),
        (f"{RESPONSE}; charset=utf-8; q=0.3, {JSON};q=0.2", RESPONSE),
        ("APPLICATION/JSON", JSON),
        (f"text/html;q=1, {RESPONSE} ; q=0.1", RESPONSE),
        (f"{JSON};q=nonsense, {RESPONSE};q=0.1", RESPONSE),
        (f",, {JSON},", JSON),
    ],
)
def test_the_media_type_is_the_one_wanted_most(accept, expected):
    assert choose_media_type(accept) == MediaType(expected)


@pytest.mark.parametrize(
    "accept", ["text/html", f"{JSON};q=0", "*/*;q=0", "application/xml", f"{JSON};q=2", ",", "q=1"]
)
def test_an_accept_header_that_allows_neither_is_refused_with_what_is_offered(accept):
    with pytest.raises(RequestRefusedError, match="graphql-response") as caught:
        choose_media_type(accept)
    assert caught.value.status == 406


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        (BROWSER, True),
        ("text/html", True),
        ("text/*", True),
        (f"text/html, {JSON}", True),
        (f"text/html;q=0.5, {JSON}", False),
        ("text/html;q=0", False),
        ("*/*", False),
        (JSON, False),
        (None, False),
    ],
)
def test_only_who_names_html_gets_the_page(accept, expected):
    assert prefers_html(accept) is expected
