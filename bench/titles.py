"""Titles of made-up papers: five words of the trade, and two names that about twenty titles have.

Searching for the two names finds as many papers in a large graph as in a small one.
"""

from __future__ import annotations

from random import Random

_WORDS = (
    "of in on and for with the learning neural quantum networks models theory analysis deep field "
    "systems data graph large optimal random spectral dynamics stochastic inference estimation "
    "kernel gauge phase lattice matrix transport entropy bounds sparse robust adaptive efficient "
    "bayesian causal symmetry topological galaxies clusters holographic turbulence coupling "
    "scattering attention language vision control games convex codes polynomial manifold"
)
_COMMON = _WORDS.split()
_SYLLABLES = [a + b for a in "bdfghjklmnprstvwzcqx" for b in "aeiou"]


def make_title(rng: Random, names: int) -> str:
    """Make a title; ``names`` is how many different names there are."""
    common = [_COMMON[int(len(_COMMON) * rng.random() ** 2)] for _ in range(5)]
    words = [common[0], make_name(rng, names), *common[1:], make_name(rng, names)]
    return " ".join(words).capitalize()


def rare_words(title: str) -> str:
    """Return the two names of a title."""
    words = title.split()
    return f"{words[1]} {words[-1]}"


def make_name(rng: Random, names: int) -> str:
    """Make a name of three syllables; none begins another one."""
    high, low = divmod(int(names * rng.random()), 100)
    return "".join(_SYLLABLES[part] for part in (high // 100 % 100, high % 100, low))
