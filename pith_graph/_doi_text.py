"""DOIs as people, BibTeX files and web pages write them, down to the DOI itself.

Only ``identifiers.py`` calls this. A DOI's suffix may hold nearly every character, so that what
belongs to it is decided by what surrounds it.
"""

from __future__ import annotations

import re
import string
from urllib.parse import unquote

EXPECTED_DOI = "expected a DOI such as 10.1103/PhysRevB.39.11413"
_MAX_LAYERS = 8

_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_RESOLVER = re.compile(r"(?:https?://)?(?:[a-z0-9-]{1,63}\.){0,2}doi\.org(?::[0-9]{1,5})?/+")
_PREFIX = re.compile(r"(?:info:doi/|urn:doi:|doi)\s{0,3}[:/]?\s{0,3}(?=10[.]|doi|http)")
_PUBLISHER_TAIL = re.compile(r"/(?:abstract|full|e?pdf|meta|summary|references|suppinfo)$")
_CUT = re.compile(r"[\s\"“”«»]|</")
_DOI = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/\S+")
_ENTITY = re.compile(r"&(amp|lt|gt|quot|apos);")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_LATEX = re.compile(r"\{?\\text(less|greater)(?:\{\})?\}?|\\([_%&#])")
_ESCAPED_DELIMITER = re.compile(r"%(?:20|2f|3c|3e|28|29|5b|5d|3a|3b|23)")
_OPENER = {")": "(", "]": "[", "}": "{", ">": "<"}


def undress_doi(text: str) -> str:
    """Take prefixes, resolvers, escapes and surrounding punctuation off, and lower the case.

    What begins with ``10.`` afterwards was meant as a DOI. Only ASCII letters change case (DOI
    Handbook, 2.4). More than eight layers are left as they are, and are then no DOI.
    """
    for _ in range(_MAX_LAYERS):
        undressed = _take_layer_off(text)
        if undressed == text:
            return text
        text = undressed
    return text if _take_layer_off(text) == text else ""


def find_doi_fault(value: str) -> str | None:
    """Say what is wrong with an undressed DOI and what was expected; None where it is one."""
    if not value.startswith("10."):
        return EXPECTED_DOI
    if value.startswith("10.1.1."):
        return f"10.1.1.… is a number of CiteSeerX; {EXPECTED_DOI}"
    if "/" not in value:
        return f"the slash and the suffix are missing; {EXPECTED_DOI}"
    if not value.isprintable() or "\\" in value or "://" in value:
        return f"it contains an address or a character that no DOI has; {EXPECTED_DOI}"
    if not _DOI.fullmatch(value):
        return f"the prefix is 10. and four to nine digits, a suffix follows; {EXPECTED_DOI}"
    return None


def _take_layer_off(value: str) -> str:
    value = value.translate(_ASCII_LOWER).strip()
    if "/" not in value:
        value = unquote(value)  # escaped as a whole: no DOI is without a slash
    value = _LATEX.sub(_read_latex, value)
    value = _ENTITY.sub(lambda match: _ENTITIES[match[1]], value)
    resolver = _RESOLVER.match(value)
    if resolver:
        value = unquote(re.split(r"[?#]", value[resolver.end() :], maxsplit=1)[0])
    else:
        while prefix := _PREFIX.match(value):
            value = value[prefix.end() :]
        value = _ESCAPED_DELIMITER.sub(lambda match: unquote(match[0]), value)
    if not value.startswith("10."):
        return value
    return _strip_tail(_CUT.split(value, maxsplit=1)[0])


def _read_latex(match: re.Match[str]) -> str:
    if match[2]:
        return match[2]
    return "<" if match[1] == "less" else ">"


def _strip_tail(value: str) -> str:
    """Take off sentence punctuation, brackets that were opened before, and publishers' endings."""
    while True:
        shorter = value.rstrip(".,;:'").removesuffix("\\n")
        closer = shorter[-1:]
        if closer in _OPENER and shorter.count(closer) > shorter.count(_OPENER[closer]):
            shorter = shorter[:-1]
        if shorter.count("/") > 1:
            shorter = _PUBLISHER_TAIL.sub("", shorter)
        if shorter == value:
            return value
        value = shorter
