"""Identifiers: every written form of an arXiv id or a DOI, read into one canonical form.

Pure functions, without network or store. Web faces read arguments with them, sources check files
with them, and resolution keys works by them. The rules are arXiv's identifier scheme and the DOI
Handbook's; which forms people write was learnt from real bibliographies.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from pith_graph._arxiv_archives import OLD_STYLE_ARCHIVES
from pith_graph._doi_text import find_doi_fault, undress_doi
from pith_graph.errors import MalformedIdentifierError

MAX_IDENTIFIER_LENGTH = 2_048
"""Longer text is refused before any pattern runs over it."""

_EXPECTED_ARXIV = "expected an arXiv id such as 2509.00217, 2509.00217v1 or hep-th/9901001"
_EXPECTED_EITHER = f"{_EXPECTED_ARXIV}, or a DOI such as 10.1103/PhysRevB.39.11413"
_LONGEST_BASE = len("acc-phys/9411001")

_ADDRESS = re.compile(
    r"(?:https?://)?(?:[a-z0-9-]{1,63}\.){0,4}arxiv\.org(?::[0-9]{1,5})?(?P<path>/.*)",
    re.IGNORECASE | re.DOTALL,
)
_PAPER_PATH = re.compile(
    r"/+(?:abs|pdf|html|src|format|e-print|ps|tex)/+(?P<id>.*)", re.IGNORECASE | re.DOTALL
)
_PREFIX = re.compile(r"(?:(?:oai:arxiv\.org|arxiv)(?:\s{0,3}:|\s)\s{0,3})+", re.IGNORECASE)
_CATEGORY_STAMP = re.compile(
    r"\s{0,3}\[[a-z.-]{2,24}\](?:\s{1,3}[0-9]{1,2}\s[a-z]{3}\s[0-9]{4})?$", re.IGNORECASE
)
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(?P<id>.*)", re.DOTALL)
_ARXIV_ID = re.compile(
    r"(?:(?P<new>[0-9]{4}\.[0-9]+)"
    r"|(?P<archive>[a-z-]{1,12})(?:\.[a-z-]{2,12})?/(?P<old>[0-9]+))"
    r"(?:v(?P<version>[0-9]+))?",
    re.IGNORECASE | re.ASCII,
)
_VERSION = re.compile(r"[1-9][0-9]{0,3}")


@dataclass(frozen=True, slots=True)
class ArxivId:
    """An arXiv id: the bare canonical id, and the version where one was written."""

    base: str
    version: int | None

    def __str__(self) -> str:
        return self.base if self.version is None else f"{self.base}v{self.version}"


@dataclass(frozen=True, slots=True)
class Doi:
    """A DOI in lower case, the form in which DOIs are compared."""

    value: str

    def __str__(self) -> str:
        return self.value


def parse_identifier(text: str) -> ArxivId | Doi:
    """Read any written form of an arXiv id or a DOI.

    arXiv's own DOIs, ``10.48550/arXiv.X``, name the e-print and are read as its arXiv id.

    Raises:
        MalformedIdentifierError: It is neither; the reason says what was expected.
    """
    value = _bounded(text)
    doi = undress_doi(value)
    if doi.startswith("10."):
        return _read_doi(text, doi)
    bare = _undress_arxiv(text, value)
    if not _ARXIV_ID.fullmatch(bare):
        raise MalformedIdentifierError(text, _EXPECTED_EITHER)
    return _read_arxiv(text, bare)


def parse_arxiv_id(text: str) -> ArxivId:
    """Read any written form of an arXiv id: bare, prefixed, an address, or arXiv's DOI for it.

    A subject class (``math.GT/0309136``) and a category (``[cs.LG]``) are dropped: neither is part
    of the canonical id.

    Raises:
        MalformedIdentifierError: It names no e-print; the reason says what was expected.
    """
    value = _bounded(text)
    doi = undress_doi(value)
    if not doi.startswith("10."):
        return _read_arxiv(text, _undress_arxiv(text, value))
    identifier = _read_doi(text, doi)
    if isinstance(identifier, Doi):
        raise MalformedIdentifierError(text, f"it is a DOI, but none of arXiv's; {_EXPECTED_ARXIV}")
    return identifier


def is_arxiv_id(text: str) -> bool:
    """Return whether text is a canonical bare arXiv id: no version, prefix, class or capital."""
    if len(text) > _LONGEST_BASE or not _ARXIV_ID.fullmatch(text):
        return False
    try:
        return _read_arxiv(text, text) == ArxivId(text, None)
    except MalformedIdentifierError:
        return False


def normalize_doi(text: str) -> str:
    """Read any written form of a DOI into lower case, the form in which DOIs are compared.

    Raises:
        MalformedIdentifierError: It is no DOI; the reason says what was expected.
    """
    doi = undress_doi(_bounded(text))
    if (fault := find_doi_fault(doi)) is not None:
        raise MalformedIdentifierError(text, fault)
    return doi


def _bounded(text: str) -> str:
    if len(text) > MAX_IDENTIFIER_LENGTH:
        reason = f"it has {len(text)} characters, at most {MAX_IDENTIFIER_LENGTH} are read"
        raise MalformedIdentifierError(text, reason)
    stripped = text.strip()
    if not stripped:
        raise MalformedIdentifierError(text, f"it is empty; {_EXPECTED_EITHER}")
    return stripped


def _read_doi(text: str, doi: str) -> ArxivId | Doi:
    if (fault := find_doi_fault(doi)) is not None:
        raise MalformedIdentifierError(text, fault)
    own = _ARXIV_DOI.fullmatch(doi)
    return _read_arxiv(text, own["id"]) if own else Doi(doi)


def _undress_arxiv(text: str, value: str) -> str:
    """Take off the address or the prefix, the category and the file ending."""
    if "%" in value:
        value = unquote(value).strip()
    address = _ADDRESS.fullmatch(value)
    if address:
        path = _PAPER_PATH.fullmatch(re.split(r"[?#]", address["path"], maxsplit=1)[0])
        if path is None:
            reason = (
                "the address names no paper, expected one like https://arxiv.org/abs/2509.00217"
            )
            raise MalformedIdentifierError(text, reason)
        bare = path["id"].rstrip("/")
        return bare[:-4] if bare[-4:].lower() == ".pdf" else bare
    prefix = _PREFIX.match(value)
    return _CATEGORY_STAMP.sub("", value[prefix.end() :] if prefix else value)


def _read_arxiv(text: str, bare: str) -> ArxivId:
    match = _ARXIV_ID.fullmatch(bare)
    if match is None:
        raise MalformedIdentifierError(text, _EXPECTED_ARXIV)
    version = match["version"]
    if version is not None and not _VERSION.fullmatch(version):
        raise MalformedIdentifierError(text, f"versions run from v1 to v9999, found v{version}")
    if match["new"]:
        base, fault = match["new"], _find_new_style_fault(match["new"])
    else:
        archive = match["archive"].lower()
        base, fault = f"{archive}/{match['old']}", _find_old_style_fault(archive, match["old"])
    if fault is not None:
        raise MalformedIdentifierError(text, fault)
    return ArxivId(base, int(version) if version else None)


def _find_new_style_fault(base: str) -> str | None:
    """Say what is wrong with ``YYMM.number``: four digits from 0704 to 1412, five from 1501."""
    yymm, number = base.split(".")
    if (fault := _find_month_fault(yymm)) is not None:
        return fault
    if not "0704" <= yymm < "9107":
        return f"identifiers of this form begin with 0704 (April 2007), found {yymm}"
    digits, era = (4, "until 1412") if yymm < "1501" else (5, "from 1501 on")
    if len(number) != digits:
        return f"the number has {digits} digits {era}, found {len(number)}"
    return _find_zero_fault(number)


def _find_old_style_fault(archive: str, number: str) -> str | None:
    """Say what is wrong with ``archive/YYMMNNN``, used from July 1991 to March 2007."""
    if archive not in OLD_STYLE_ARCHIVES:
        return f"arXiv has no archive {archive!r} with such identifiers; {_EXPECTED_ARXIV}"
    if len(number) != len("YYMMNNN"):
        return f"seven digits follow the archive (YYMMNNN), found {len(number)}"
    yymm = number[:4]
    if (fault := _find_month_fault(yymm)) is not None:
        return fault
    if "0703" < yymm < "9107":
        return f"identifiers of this form run from 9107 to 0703, found {yymm}"
    return _find_zero_fault(number[4:])


def _find_month_fault(yymm: str) -> str | None:
    month = yymm[2:]
    return None if "01" <= month <= "12" else f"the month is 01 to 12, found {month}"


def _find_zero_fault(number: str) -> str | None:
    return None if number.strip("0") else "numbers count from 1, found zero"
