"""Accept-Encoding headers: weights, wildcards, what is ruled out; and the codings themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pith_graph.web.codings import (
    CodingChoice,
    ContentCoding,
    choose_coding,
    encode_whole,
    make_coder,
)
from pith_graph.web.refusal import RequestRefusedError
from tests.web.decoding import decode

ZSTD, BROTLI, GZIP = ContentCoding
BROWSER = "gzip, deflate, br, zstd"


@pytest.mark.parametrize(
    ("header", "coding"),
    [
        (None, None),
        ("", None),
        ("identity", None),
        ("deflate, compress", None),
        (BROWSER, ZSTD),
        ("gzip, deflate, br", BROTLI),
        ("gzip, deflate", GZIP),
        ("X-GZIP", GZIP),
        ("GZip ; Q=0.1", GZIP),
        ("br;q=0.9, gzip, zstd;q=0.8", GZIP),
        ("zstd;q=0.5, br;q=0.5", ZSTD),
        ("gzip;q=0, br", BROTLI),
        ("gzip;q=0", None),
        ("*", ZSTD),
        ("*;q=0.5, zstd;q=0", BROTLI),
        ("gzip, *;q=0.1", GZIP),
        ("gzip, *;q=0", GZIP),
        ("identity, gzip;q=0.5", None),
        ("identity;q=0.5, gzip;q=0.5", GZIP),
        ("identity;q=0.4, gzip;q=0.5", GZIP),
        ("gzip;q=x", None),
        ("gzip;q=2", None),
        ("gzip;q=nan, br", BROTLI),
        (",, gzip ,", GZIP),
    ],
)
def test_the_highest_weight_wins_then_the_order_of_codings(header, coding):
    assert choose_coding(header).coding is coding


@pytest.mark.parametrize(
    ("header", "plain"),
    [
        ("gzip", True),
        ("gzip, identity;q=0.001", True),
        ("gzip, *;q=0.5", True),
        ("gzip, *;q=0, identity", True),
        ("gzip, identity;q=0", False),
        ("gzip, *;q=0", False),
        ("gzip, *, identity;q=0", False),
    ],
)
def test_no_coding_is_fine_unless_it_is_ruled_out(header, plain):
    assert choose_coding(header).plain is plain


@pytest.mark.parametrize(
    "header",
    ["identity;q=0", "*;q=0", "deflate, *;q=0", "gzip;q=0, br;q=0, zstd;q=0, identity;q=0"],
)
def test_what_rules_out_everything_is_refused(header):
    with pytest.raises(RequestRefusedError, match="expected it to allow zstd, br, gzip") as caught:
        choose_coding(header)
    assert caught.value.status == 406


@given(st.text())
def test_any_header_is_a_choice_or_a_refusal(header):
    try:
        choice = choose_coding(header)
    except RequestRefusedError:
        return
    assert isinstance(choice, CodingChoice)
    assert choice.plain or choice.coding


@given(st.sampled_from(ContentCoding), st.lists(st.binary(max_size=2000), max_size=5))
def test_what_is_coded_whole_or_in_pieces_decodes_to_itself(coding, pieces):
    whole = b"".join(pieces)
    assert decode(coding, encode_whole(coding, whole)) == whole
    coder = make_coder(coding)
    coded = b"".join([*map(coder.compress, pieces), coder.flush()])
    assert decode(coding, coded) == whole
