"""Batches under graphql-core: what resolvers made by `for_many` ask in one turn is one call.

`extension` opens a scope around an execution that is left to graphql-core. Without a scope each
object is a call of its own.
"""

from __future__ import annotations

from asyncio import Future, Task, get_running_loop
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from strawberry.types import Info

from pith_graph.gql.execution.asked import Asked, find_asked

Call: TypeAlias = Callable[
    [Sequence[Any], Info[Any, Any], Asked | None, Mapping[str, Any]], Awaitable[Sequence[Any]]
]


@dataclass(slots=True, eq=False)
class _Batch:
    """Objects that one call is for, and who waits for each."""

    many: Call
    info: Info[Any, Any]
    arguments: Mapping[str, Any]
    sources: dict[int, Any] = field(default_factory=dict)
    waiters: list[tuple[int, Future[Any]]] = field(default_factory=list)

    async def call(self) -> Sequence[Any]:
        raw = self.info._raw_info  # noqa: SLF001  # Strawberry's info does not give the nodes
        asked = find_asked(raw.field_nodes, raw.fragments, self.info.variable_values)
        return await self.many(list(self.sources.values()), self.info, asked, self.arguments)

    async def run(self) -> None:
        """Call, and give everyone the outcome; who waits is cancelled if this is."""
        try:
            outcomes = take_all(await self.call(), len(self.sources))
        except Exception as error:  # noqa: BLE001  # raised where the values are waited for
            outcomes = [error] * len(self.sources)
        except BaseException:
            for _, waiter in self.waiters:
                waiter.cancel()
            raise
        by_id = dict(zip(self.sources, outcomes, strict=True))
        for number, waiter in self.waiters:
            if not waiter.done():
                waiter.set_result(by_id[number])


_Key: TypeAlias = tuple[Call, tuple[int, ...]]


@dataclass(slots=True, eq=False)
class Batches:
    """The batches of one execution. One field's nodes stand for its arguments, mostly."""

    _next: dict[_Key, list[_Batch]] = field(default_factory=dict)
    _running: set[Task[None]] = field(default_factory=set)

    def ask(
        self, many: Call, source: Any, info: Info[Any, Any], arguments: Mapping[str, Any]
    ) -> Future[Any]:
        """Return the future value of one object, or the exception in its place."""
        nodes = info._raw_info.field_nodes  # noqa: SLF001  # Strawberry's info does not give them
        waiting = self._next.setdefault((many, tuple(map(id, nodes))), [])
        # Arguments differ under equal nodes where a fragment has variables.
        batch = next((each for each in waiting if each.arguments == arguments), None)
        loop = get_running_loop()
        if batch is None:
            batch = _Batch(many, info, arguments)
            waiting.append(batch)
            loop.call_soon(self._start, batch, waiting)
        waiter = loop.create_future()
        batch.sources[id(source)] = source
        batch.waiters.append((id(source), waiter))
        return waiter

    def close(self) -> None:
        """Cancel what still runs: nobody waits for it any more."""
        for task in self._running:
            task.cancel()

    def _start(self, batch: _Batch, waiting: list[_Batch]) -> None:
        waiting.remove(batch)
        if all(waiter.done() for _, waiter in batch.waiters):
            return
        task = get_running_loop().create_task(batch.run())
        self._running.add(task)
        task.add_done_callback(self._running.discard)


_CURRENT: ContextVar[Batches | None] = ContextVar("batches", default=None)


@contextmanager
def batching() -> Iterator[None]:
    """Collect batches for as long as this is entered."""
    batches, before = Batches(), _CURRENT.get()
    _CURRENT.set(batches)
    try:
        yield
    finally:
        _CURRENT.set(before)
        batches.close()


async def load_one(
    many: Call, source: Any, info: Info[Any, Any], arguments: Mapping[str, Any]
) -> Any:
    """Return what a function for many gives one source, together with others in its turn."""
    batches = _CURRENT.get()
    if batches is None:
        (outcome,) = take_all(await _Batch(many, info, arguments, {0: source}).call(), 1)
    else:
        outcome = await batches.ask(many, source, info, arguments)
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def take_all(values: Sequence[Any], count: int) -> list[Any]:
    """Return the values that came for so many sources.

    Raises:
        ValueError: There are more or fewer.
    """
    found = list(values)
    if len(found) != count:
        raise ValueError(f"{len(found)} values came for {count} sources")
    return found
