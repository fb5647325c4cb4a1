"""Where the values of a level stand in the answer: worked out only when one has an error.

A value that stands in several places, because the object above it does, has several paths.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Protocol

Path = list[str | int]


class Places(Protocol):
    """The places of a list of values."""

    def paths(self, index: int) -> Iterator[Path]:
        """Yield the response path of each place of a value."""


class Root:
    """The place of the root object."""

    def paths(self, index: int) -> Iterator[Path]:
        """Yield the empty path."""
        del index
        yield []


@dataclass(frozen=True, slots=True)
class Field:
    """The places of a field's values, one for each object above."""

    above: Places
    key: str

    def paths(self, index: int) -> Iterator[Path]:
        """Yield the object's paths, each with the field's key."""
        for path in self.above.paths(index):
            path.append(self.key)
            yield path


@dataclass(frozen=True)
class Items:
    """The places of the items of lists, all lists laid end to end."""

    above: Places
    lengths: Sequence[int]

    def paths(self, index: int) -> Iterator[Path]:
        """Yield the list's paths, each with the item's index in it."""
        number = bisect_right(self._ends, index)
        item = index - (self._ends[number] - self.lengths[number])
        for path in self.above.paths(number):
            path.append(item)
            yield path

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(self.lengths))


@dataclass(frozen=True, slots=True)
class Some:
    """The places of some of the values above."""

    above: Places
    kept: Sequence[int]

    def paths(self, index: int) -> Iterator[Path]:
        """Yield the paths of the value above."""
        return self.above.paths(self.kept[index])


@dataclass(frozen=True)
class Distinct:
    """The places of the distinct objects among the values above, which are all kept alive here.

    Attributes:
        above: The places of all of them.
        values: All of them.
        distinct: Each of them once.
    """

    above: Places
    values: Sequence[object]
    distinct: Sequence[object]

    def paths(self, index: int) -> Iterator[Path]:
        """Yield the paths of all values that are this one."""
        for number in self._numbers[id(self.distinct[index])]:
            yield from self.above.paths(number)

    @cached_property
    def _numbers(self) -> dict[int, list[int]]:
        numbers: dict[int, list[int]] = {}
        for number, value in enumerate(self.values):
            numbers.setdefault(id(value), []).append(number)
        return numbers
