"""Folding text for search: one function, called before text is stored and before it is looked for.

Both databases index the same tokens, so that they find the same things: NFKC, transliterated to
ASCII, lower case, everything but letters and digits a space.
"""

from __future__ import annotations

import re
import unicodedata

from anyascii import anyascii

_NOT_A_TOKEN = re.compile(r"[^a-z0-9]+")

_LONGEST_TOKEN = 200
"""Longer tokens are cut: PostgreSQL takes none beyond 2,046 bytes, and nobody looks for one."""


def fold_text(text: str) -> str:
    """Fold text to ASCII tokens separated by single spaces; empty where nothing remains.

    A token longer than 200 letters is cut.

    ``Poincaré–Bendixson`` becomes ``poincare bendixson``, ``深度`` becomes ``shendu``.
    """
    ascii_text = anyascii(unicodedata.normalize("NFKC", text)).lower()
    return " ".join(token[:_LONGEST_TOKEN] for token in _NOT_A_TOKEN.split(ascii_text) if token)


def fold_tokens(text: str) -> tuple[str, ...]:
    """Fold text and return its tokens in order."""
    return tuple(fold_text(text).split())
