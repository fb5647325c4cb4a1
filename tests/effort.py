"""How much work something takes, as a ratio to other work in the same process: no test is timed."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from functools import cache

from graphql import parse

# As many tokens as a document may have.
_LONGEST_DOCUMENT = "{ a {" + "x " * 9900 + "} }"


def least_seconds(work: Callable[[], object], *, times: int = 3) -> float:
    """Return the least processor time of several runs, in seconds, with no garbage collected."""
    gc.collect()
    gc.disable()
    try:
        return min(_seconds(work) for _ in range(times))
    finally:
        gc.enable()


def effort(work: Callable[[], object]) -> float:
    """Return how many times as long something takes as reading the longest allowed document."""
    return least_seconds(work) / _floor()


@cache
def _floor() -> float:
    return least_seconds(lambda: parse(_LONGEST_DOCUMENT))


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started
