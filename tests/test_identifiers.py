"""Identifiers: every written form of an id is the same id, and nothing else is one."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pith_graph._arxiv_archives import OLD_STYLE_ARCHIVES
from pith_graph.errors import MalformedIdentifierError
from pith_graph.identifiers import (
    MAX_IDENTIFIER_LENGTH,
    ArxivId,
    Doi,
    is_arxiv_id,
    normalize_doi,
    parse_arxiv_id,
    parse_identifier,
)
from tests.effort import effort


@st.composite
def bases(draw):
    """A canonical bare arXiv id of either style, over the whole of its range."""
    month = draw(st.integers(1, 12))
    if draw(st.booleans()):
        year, month = draw(
            st.tuples(st.integers(7, 90), st.just(month)).filter(lambda pair: pair >= (7, 4))
        )
        digits = 4 if year < 15 else 5
        number = draw(st.integers(1, 10**digits - 1))
        return f"{year:02}{month:02}.{number:0{digits}}"
    year, month = draw(
        st.tuples(st.sampled_from([*range(91, 100), *range(8)]), st.just(month)).filter(
            lambda pair: pair >= (91, 7) or pair <= (7, 3)
        )
    )
    archive = draw(st.sampled_from(sorted(OLD_STYLE_ARCHIVES)))
    return f"{archive}/{year:02}{month:02}{draw(st.integers(1, 999)):03}"


versions = st.none() | st.integers(1, 9999)

WRITTEN = [
    "{}",
    "  {}\n",
    "arXiv:{}",
    "arxiv: {}",
    "ARXIV:{} [cs.LG]",
    "arXiv:{} [math-ph] 29 Aug 2025",
    "{}[hep-th]",
    "oai:arXiv.org:{}",
    "arXiv:arXiv:{}",
    "https://arxiv.org/abs/{}",
    "http://www.arxiv.org/abs/{}/",
    "HTTPS://ARXIV.ORG/PDF/{}",
    "https://export.arxiv.org/pdf/{}.pdf",
    "https://es.arxiv.org/html/{}#S3.SS1",
    "https://arxiv.org/format/{}?context=cs.LG",
    "https://arxiv.org/e-print/{}",
    "https://arxiv.org/src/{}",
    "https://arxiv.org/ps/{}",
    "https://arxiv.org/tex/{}",
    "arxiv.org/abs/{}",
    "https://arxiv.org:443//abs//{}",
    "10.48550/arXiv.{}",
    "10.48550/ARXIV.{}",
    "doi:10.48550/arXiv.{}",
    "DOI: 10.48550/arxiv.{}",
    "https://doi.org/10.48550/arXiv.{}",
    "http://dx.doi.org/10.48550/arXiv.{}?utm_source=x",
]


@given(bases(), versions, st.sampled_from(WRITTEN))
def test_every_written_form_of_an_id_is_that_id(base, version, form):
    identifier = ArxivId(base, version)
    text = form.format(identifier)

    assert parse_identifier(text) == identifier
    assert parse_arxiv_id(text) == identifier


@given(bases(), versions, st.sampled_from(WRITTEN))
def test_case_and_percent_escapes_make_no_difference(base, version, form):
    text = form.format(ArxivId(base, version)).strip()

    assert parse_identifier(text.upper()) == ArxivId(base, version)
    assert parse_identifier(quote(text, safe="")) == ArxivId(base, version)
    if "?" not in text:  # an escaped question mark is part of a path
        assert parse_identifier(quote(text)) == ArxivId(base, version)


@given(bases(), versions)
def test_what_is_printed_reads_back_and_is_canonical_when_bare(base, version):
    identifier = ArxivId(base, version)

    assert parse_arxiv_id(str(identifier)) == identifier
    assert is_arxiv_id(base)
    assert not is_arxiv_id(f"{base}v1")
    assert not is_arxiv_id(f" {base}")
    assert not is_arxiv_id(f"arXiv:{base}")


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("math.GT/0309136", "math/0309136"),
        ("arXiv:math.GT/0309136v2", "math/0309136"),
        ("cond-mat.mtrl-sci/9901001", "cond-mat/9901001"),
        ("https://arxiv.org/abs/nlin.SI/0101001", "nlin/0101001"),
        ("HEP-TH/9901001v3", "hep-th/9901001"),
    ],
)
def test_a_subject_class_is_no_part_of_the_id(text, base):
    assert parse_arxiv_id(text).base == base
    assert not is_arxiv_id(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2513.00001", "the month is 01 to 12, found 13"),
        ("arXiv:1413.0001", "the month is 01 to 12, found 13"),
        ("2500.00001", "the month is 01 to 12, found 00"),
        ("1501.0001", "five|5 digits from 1501 on, found 4"),
        ("1412.00001", "4 digits until 1412, found 5"),
        ("2105.131200", "5 digits from 1501 on, found 6"),
        ("0703.0001", "begin with 0704"),
        ("9901.00001", "begin with 0704"),
        ("2509.00000", "count from 1, found zero"),
        ("hep-th/9901000", "count from 1, found zero"),
        ("hep-th/9913001", "the month is 01 to 12, found 13"),
        ("hep-th/9106001", "run from 9107 to 0703, found 9106"),
        ("hep-th/0704001", "run from 9107 to 0703, found 0704"),
        ("hep-th/99010011", r"seven digits follow the archive \(YYMMNNN\), found 8"),
        ("hepph/9901001", "no archive 'hepph'"),
        ("stat/0703001", "no archive 'stat'"),
        ("2509.00217v0", "versions run from v1 to v9999, found v0"),
        ("2509.00217v01", "found v01"),
        ("2509.00217v10000", "found v10000"),
        ("2509.00217v", "expected an arXiv id such as 2509.00217"),
        ("2509.00217w1", "expected an arXiv id"),
        ("２５０９.００２１７", "expected an arXiv id"),
        ("https://arxiv.org/list/cs.LG/2509", "the address names no paper"),
        ("https://arxiv.org/", "the address names no paper"),
        ("https://arxiv.org.example.com/abs/2509.00217", "expected an arXiv id"),
        ("https://alphaxiv.org/abs/2509.00217", "expected an arXiv id"),
        ("https://example.com/arxiv.org/abs/2509.00217", "expected an arXiv id"),
        ("10.48550/arXiv.2513.00001", "the month is 01 to 12"),
        ("", "it is empty"),
        ("  \n", "it is empty"),
        ("Attention is all you need", "expected an arXiv id .* or a DOI"),
    ],
)
def test_a_malformed_id_is_refused_with_what_is_wrong(text, reason):
    with pytest.raises(MalformedIdentifierError, match=reason) as refused:
        parse_identifier(text)

    assert refused.value.value == text
    assert not is_arxiv_id(text)


def test_a_doi_is_no_arxiv_id_unless_it_is_arxivs():
    with pytest.raises(MalformedIdentifierError, match="it is a DOI, but none of arXiv's"):
        parse_arxiv_id("10.1103/PhysRevB.39.11413")


SICI = "10.1002/(sici)1096-9861(19960129)365:1<113::aid-cne9>3.0.co;2-6"


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("10.1103/PhysRevB.39.11413", "10.1103/physrevb.39.11413"),
        ("doi:10.1002/mpr.33.", "10.1002/mpr.33"),
        ("DOI: 10.1002/mpr.33,", "10.1002/mpr.33"),
        ("doi:doi:10.1002/mpr.33", "10.1002/mpr.33"),
        ("https://doi.org/10.1002/MPR.33", "10.1002/mpr.33"),
        ("HTTP://DX.DOI.ORG/10.1002/mpr.33", "10.1002/mpr.33"),
        ("doi.org/10.1002/mpr.33", "10.1002/mpr.33"),
        ("https://www.doi.org/10.1002/mpr.33", "10.1002/mpr.33"),
        ("https://doi.org/doi:10.1002/mpr.33", "10.1002/mpr.33"),
        ("https://doi.org/10.1038/nphys1170?utm_source=x#sec2", "10.1038/nphys1170"),
        ("10.1000/a?b#c", "10.1000/a?b#c"),
        ("10.1000%2F182", "10.1000/182"),
        ("https%3A%2F%2Fdoi.org%2F10.1000%2F182", "10.1000/182"),
        ("info:doi/10.1000/182", "10.1000/182"),
        ("urn:doi:10.1000/182", "10.1000/182"),
        ("10.1000.10/123", "10.1000.10/123"),
        ("10.12688/f1000research.6924.1", "10.12688/f1000research.6924.1"),
        ("10.3319/TAO.2009.05.25.02(IWNOP)", "10.3319/tao.2009.05.25.02(iwnop)"),
        ("(10.1007/s10032-015-0249-8)"[1:], "10.1007/s10032-015-0249-8"),
        (SICI.upper(), SICI),
        (SICI + ".", SICI),
        ("https://doi.org/" + quote(SICI), SICI),
        (SICI.replace("<", "%3C").replace(">", "%3e"), SICI),
        (SICI.replace("<", "&lt;").replace(">", "&amp;gt;"), SICI),
        (SICI.replace("<", r"{\textless}").replace(">", r"{\textgreater}"), SICI),
        (r"10.1162/tacl\_a\_00276", "10.1162/tacl_a_00276"),
        (r"10.1099/ijs.0.025098-0\n", "10.1099/ijs.0.025098-0"),
        ('10.1000/182" target="_blank', "10.1000/182"),
        ("10.1000/182</a>", "10.1000/182"),
        ("10.1088/1742-6596/1/1/001/pdf", "10.1088/1742-6596/1/1/001"),
        ("10.1234/full", "10.1234/full"),
        ("10.1000/İÉ", "10.1000/İÉ"),
    ],
)
def test_every_written_form_of_a_doi_is_that_doi(text, doi):
    assert normalize_doi(text) == doi
    assert parse_identifier(text) == Doi(doi)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("10.1.1.130.8504", "CiteSeerX"),
        ("doi:10.1.1.130.8504", "CiteSeerX"),
        ("10.1000", "the slash and the suffix are missing"),
        ("10.1000/", "a suffix follows"),
        ("10.100/182", "four to nine digits"),
        ("10.1234567890/182", "four to nine digits"),
        ("10.1000/a\x00b", "a character that no DOI has"),
        ("10.1000/a\ud800b", "a character that no DOI has"),
        (r"10.1000/a\b", "a character that no DOI has"),
        ("10.1577/1548(1981)110<446:E>[http://2.0.CO](https://t.co/47);2", "an address"),
    ],
)
def test_a_malformed_doi_is_refused_with_what_is_wrong(text, reason):
    for read in (normalize_doi, parse_identifier):
        with pytest.raises(MalformedIdentifierError, match=reason):
            read(text)


def test_what_is_no_doi_at_all_is_refused_as_such():
    with pytest.raises(MalformedIdentifierError, match="expected a DOI such as"):
        normalize_doi("2509.00217")


dois = st.builds(
    "10.{}/{}".format,
    st.integers(1000, 999_999_999).filter(lambda registrant: registrant != 48550),
    st.text("abcxyz0189._-()<>[]:;#", min_size=1, max_size=24),
)


@given(dois | st.text(max_size=60) | st.text("10./doi:%2fF&amp;lt\\_{}()<>.,' \"", max_size=40))
def test_normalizing_twice_changes_nothing(text):
    try:
        doi = normalize_doi(text)
    except MalformedIdentifierError:
        return

    assert normalize_doi(doi) == doi
    assert normalize_doi(f"https://doi.org/{quote(doi)}") == doi
    assert normalize_doi(f"doi:{doi.upper() if doi.isascii() else doi}") == doi


@given(st.text(max_size=200) | st.text("arxiv.org/absdoi:10%2f[]v0123456789-", max_size=80))
def test_arbitrary_text_is_read_or_refused_and_never_crashes(text):
    for read in (parse_identifier, parse_arxiv_id, normalize_doi):
        try:
            identifier = read(text)
        except MalformedIdentifierError as error:
            assert error.reason  # noqa: PT017  # both outcomes are right
        else:
            assert read(str(identifier)) == identifier
    is_arxiv_id(text)


HOSTILE = [
    "a.",
    "arxiv:",
    "arXiv ",
    "doi:",
    "%25",
    "&amp;",
    ")",
    "10.1000/",
    "\\_",
    "/pdf",
    " ",
    "/",
]


@pytest.mark.parametrize("part", HOSTILE)
@pytest.mark.parametrize("start", ["", "10.1000/", "https://arxiv.org/abs/", "https://doi.org/"])
def test_long_repetitive_text_is_read_in_no_time(start, part):
    text = (start + part * MAX_IDENTIFIER_LENGTH)[:MAX_IDENTIFIER_LENGTH]

    def read_all() -> None:
        for read in (parse_identifier, parse_arxiv_id, normalize_doi):
            with suppress(MalformedIdentifierError):
                read(text)

    assert effort(read_all) < 2


def test_longer_text_is_refused_unread():
    with pytest.raises(MalformedIdentifierError, match="2049 characters, at most 2048"):
        parse_identifier("1" * 2049)
