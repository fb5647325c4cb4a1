"""The batching loader: keys asked for in one tick become one call, equal keys are asked once.

Each caller waits by itself. One that is cancelled, as the executor cancels a failed field's
siblings, takes the value from nobody else, and need not wait for the statement to end.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop, Future, Task, get_running_loop
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")

Batch = Callable[[Sequence[Key]], Awaitable[Mapping[Key, Value]]]


@dataclass(frozen=True, slots=True)
class _Failed:
    """That a key's batch failed."""

    error: Exception


@dataclass(slots=True, eq=False)
class _Pending(Generic[Key]):
    """Keys that are asked for together, and who waits for them."""

    keys: list[Key] = field(default_factory=list)
    waiters: list[Future[None]] = field(default_factory=list)


class Loader(Generic[Key, Value]):
    """Loads values by key through one batch function for one request.

    Args:
        batch: From keys to values by key.
        missing: The value of a key that the batch function leaves out.
    """

    def __init__(self, batch: Batch[Key, Value], *, missing: Value) -> None:
        self._batch = batch
        self._missing = missing
        self._known: dict[Key, Value | _Failed] = {}
        self._pending: dict[Key, _Pending[Key]] = {}
        self._next: _Pending[Key] | None = None
        self._running: set[Task[None]] = set()

    async def load(self, key: Key) -> Value:
        """Return the value of a key."""
        if key not in self._known:
            await self._load((key,))
        found = self._known[key]
        if isinstance(found, _Failed):
            raise found.error
        return found

    async def load_all(self, keys: Iterable[Key]) -> dict[Key, Value]:
        """Return the values of several keys, loaded together."""
        found: dict[Key, Value] = {}
        for key, value in (await self.load_each(keys)).items():
            if isinstance(value, Exception):
                raise value
            found[key] = value
        return found

    async def load_each(self, keys: Iterable[Key]) -> dict[Key, Value | Exception]:
        """Return the values of several keys, loaded together, or why one was not loaded."""
        wanted = dict.fromkeys(keys)
        await self._load([key for key in wanted if key not in self._known])
        found = [self._known[key] for key in wanted]
        values = [each.error if isinstance(each, _Failed) else each for each in found]
        return dict(zip(wanted, values, strict=True))

    def prime(self, key: Key, value: Value) -> None:
        """Make a value known that another statement brought."""
        if key not in self._pending:
            self._known.setdefault(key, value)

    async def _load(self, keys: Iterable[Key]) -> None:
        """Wait until keys that are not known yet are."""
        loop = get_running_loop()
        waiters: list[Future[None]] = []
        for pending in self._ask(keys, loop):
            waiters.append(loop.create_future())
            pending.waiters.append(waiters[-1])
        for waiter in waiters:
            await waiter

    def _ask(self, keys: Iterable[Key], loop: AbstractEventLoop) -> list[_Pending[Key]]:
        """Return the batches that keys are in, the next one for those that are new."""
        asked: dict[_Pending[Key], None] = {}
        new: list[Key] = []
        for key in keys:
            pending = self._pending.get(key)
            if pending is None:
                new.append(key)
            else:
                asked[pending] = None
        if new:
            if self._next is None:
                self._next = _Pending()
                # In two turns, so that tasks that begin in the next one still join.
                loop.call_soon(loop.call_soon, self._start)
            self._next.keys.extend(new)
            self._pending |= dict.fromkeys(new, self._next)
            asked[self._next] = None
        return list(asked)

    def _start(self) -> None:
        pending, self._next = self._next, None
        if pending is not None:
            task = get_running_loop().create_task(self._run(pending))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def _run(self, pending: _Pending[Key]) -> None:
        """Run a batch and wake who waits for it; if it is cancelled, they are."""
        try:
            found = await self._batch(pending.keys)
            self._known |= {key: found.get(key, self._missing) for key in pending.keys}
        except Exception as error:  # noqa: BLE001  # raised where the keys are asked for
            self._known |= dict.fromkeys(pending.keys, _Failed(error))
        finally:
            for key in pending.keys:
                del self._pending[key]
            known = not pending.keys or pending.keys[0] in self._known
            for waiter in pending.waiters:
                if waiter.done():
                    continue
                if known:
                    waiter.set_result(None)
                else:
                    waiter.cancel()
