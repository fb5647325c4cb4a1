"""arXiv's archives that have identifiers of the old style, ``archive/YYMMNNN``.

The list is closed: since April 2007 identifiers carry no archive, so archives opened since then
(``stat``, ``q-fin``, ``eess``, ``econ``) have none. Only ``identifiers.py`` reads it.
"""

from __future__ import annotations

from typing import Final

OLD_STYLE_ARCHIVES: Final = frozenset(
    {
        "acc-phys",
        "adap-org",
        "alg-geom",
        "ao-sci",
        "astro-ph",
        "atom-ph",
        "bayes-an",
        "chao-dyn",
        "chem-ph",
        "cmp-lg",
        "comp-gas",
        "cond-mat",
        "cs",
        "dg-ga",
        "funct-an",
        "gr-qc",
        "hep-ex",
        "hep-lat",
        "hep-ph",
        "hep-th",
        "math",
        "math-ph",
        "mtrl-th",
        "nlin",
        "nucl-ex",
        "nucl-th",
        "patt-sol",
        "physics",
        "plasm-ph",
        "q-alg",
        "q-bio",
        "quant-ph",
        "solv-int",
        "supr-con",
    }
)
"""All 34, the nineteen-nineties' subsumed ones included (arXiv's category taxonomy)."""
