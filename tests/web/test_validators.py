"""Tags and the conditions that name them."""

from __future__ import annotations

import pytest
from starlette.datastructures import Headers

from pith_graph.web.validators import is_known, names_tag, read_condition, weak_tag


@pytest.mark.parametrize(
    ("condition", "named", "known"),
    [
        ('W/"x"', True, True),
        ('"x"', True, True),
        ('"y", W/"x"', True, True),
        (' "y" ,"x" ', True, True),
        ("*", False, True),
        (" * ", False, True),
        ("", False, False),
        ('"y"', False, False),
        ("x", False, False),
        ('"*"', False, False),
        ('"X"', False, False),
    ],
)
def test_tags_are_compared_weakly_and_a_star_names_none(condition, named, known):
    assert names_tag(condition, 'W/"x"') is named
    assert is_known(condition, 'W/"x"') is known


def test_several_headers_are_one_list():
    headers = Headers(raw=[(b"if-none-match", b'"x"'), (b"if-none-match", b'"y"')])
    assert names_tag(read_condition(headers), '"x"')
    assert names_tag(read_condition(headers), '"y"')


def test_a_tag_is_of_its_parts_and_their_borders():
    parts = [(b"ab", b"c"), (b"a", b"bc"), (b"abc",), (b"abc", b""), (b"2:ab", b"c"), ()]
    tags = {weak_tag(*part) for part in parts}
    assert len(tags) == len(parts)
    assert weak_tag(b"ab", b"c") in tags
    assert all(tag.startswith('W/"') for tag in tags)
