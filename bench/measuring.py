"""Latencies of several servers, asked in turns, one request at a time.

A turn asks each of them about the same paper, so that what else the machine does falls on all.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from bench.client import Client
from bench.processes import Server
from bench.queries import Body, Subject

_WARM = 0.2
"""The part of the time in which answers are not counted."""

_FEWEST = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """A server, how it is asked, and about which papers where not about those of all."""

    server: Server
    body: Body
    subjects: Sequence[Subject] | None = None


def median_latencies(
    asked: Mapping[str, Asked], subjects: Sequence[Subject], *, seconds: float
) -> dict[str, float]:
    """Return each one's median latency in seconds, after about ``seconds`` of asking in all."""
    times: dict[str, list[float]] = {name: [] for name in asked}
    with ExitStack() as stack:
        clients = {
            name: stack.enter_context(Client(one.server.port)) for name, one in asked.items()
        }
        order = list(asked.items())
        start = time.perf_counter()
        for turn in itertools.count():
            warm = time.perf_counter() - start < seconds * _WARM or turn == 0
            # Every other turn goes the other way round: who follows whom must not matter.
            for name, one in order[:: -1 if turn % 2 else 1]:
                about = one.subjects or subjects
                body = one.body(about[turn % len(about)])
                before = time.perf_counter()
                clients[name].post(body)
                if not warm:
                    times[name].append(time.perf_counter() - before)
            done = all(len(taken) >= _FEWEST for taken in times.values())
            if done and time.perf_counter() - start > seconds:
                break
    return {name: statistics.median(taken) for name, taken in times.items()}


def visit(asked: Mapping[str, Asked]) -> None:
    """Ask each server once about each of its papers, so that what it reads is in memory."""
    for one in asked.values():
        with Client(one.server.port) as client:
            for subject in one.subjects or ():
                client.post(one.body(subject))
