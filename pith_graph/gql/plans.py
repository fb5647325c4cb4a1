"""The compiled plans of one document, counted in bytes, so that they are bounded with its cache.

``gql/documents.py`` puts one into each entry; the compiled execution asks it for plans.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final

from pith_graph.gql.execution.executing import Kept

MOST_PLANS: Final = 16
"""Plans kept of one document: one for each operation and set of ``@skip``/``@include`` values."""


def _unnoticed(_change: int) -> None:
    """Count for nobody."""


class DocumentPlans:
    """Plans by what they are for, the oldest dropped when there are too many."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Kept] = {}
        self._notice: Callable[[int], None] = _unnoticed
        self.size = 0

    def count_for(self, notice: Callable[[int], None] = _unnoticed) -> None:
        """Tell of changes in size from now on; without an argument, no longer."""
        self._notice = notice

    def get(self, key: Hashable, /) -> Kept | None:
        """Return what is kept under a key."""
        return self._kept.get(key)

    def __len__(self) -> int:
        return len(self._kept)

    def __setitem__(self, key: Hashable, kept: Kept, /) -> None:
        change = kept.size
        if key in self._kept or len(self._kept) >= MOST_PLANS:
            change -= self._kept.pop(key if key in self._kept else next(iter(self._kept))).size
        self._kept[key] = kept
        self.size += change
        self._notice(change)
