"""What comes of the values of a level one by one: a value, an exception, or the mark of a null.

`run` and `values` go through levels with these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Any, Final

from pith_graph.gql.execution.codegen import Leaves


class Nulled:
    """Stands for a value that may not be null and is: what holds it becomes null in its turn."""


NULLED: Final = Nulled()


def call_each(function: Callable[..., Any], values: Sequence[Any], *constants: Any) -> list[Any]:
    """Return what a function of a value and constants returns for each value, or what it raises."""
    done: list[Any] = []
    calls = map(function, values, *map(repeat, constants))
    while len(done) < len(values):
        try:
            done.extend(calls)
        except Exception as error:  # noqa: BLE001  # the outcome of that value; the rest goes on
            done.append(error)
        else:
            if len(done) < len(values):
                # The function raised it; to `extend` it is the end.
                done.append(StopIteration())
    return done


def complete_leaves(leaves: Leaves, values: Sequence[Any]) -> list[Any] | None:
    """Return values serialised; None if one is not as it should be."""
    try:
        return leaves(values)
    except Exception:  # noqa: BLE001  # each is looked at instead
        return None


def is_whole(columns: Iterable[Iterable[Any]]) -> bool:
    """Whether no value is marked as nulled."""
    return not any(value is NULLED for column in columns for value in column)
