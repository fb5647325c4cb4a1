"""The batching loader: keys asked for in one tick become one call, equal keys are asked once.

Its futures cannot be cancelled. One future serves every field that asked for the key, and the
executor cancels a failed field's siblings: without this, one failure would take the value from
another branch of the answer.
"""

from __future__ import annotations

from asyncio import Future, gather
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from aiodataloader import DataLoader

Key = TypeVar("Key")
Value = TypeVar("Value")

Batch = Callable[[Sequence[Key]], Awaitable[Mapping[Key, Value]]]


class _Shared(Future[Value]):
    """A future that others wait for too, so that nobody may cancel it."""

    def cancel(self, msg: Any = None) -> bool:
        """Refuse."""
        del msg
        return False


class Loader(Generic[Key, Value]):
    """Loads values by key through one batch function for one request.

    Args:
        batch: From keys to values by key.
        missing: The value of a key that the batch function leaves out.
    """

    def __init__(self, batch: Batch[Key, Value], *, missing: Value) -> None:
        async def in_order(keys: list[Key]) -> list[Value]:
            found = await batch(keys)
            return [found.get(key, missing) for key in keys]

        self._loader: _Uncancellable[Key, Value] = _Uncancellable(in_order)

    async def load(self, key: Key) -> Value:
        """Return the value of a key."""
        return await self._loader.load(key)

    async def load_all(self, keys: Iterable[Key]) -> dict[Key, Value]:
        """Return the values of several keys, loaded together."""
        wanted = list(dict.fromkeys(keys))
        values = await gather(*(self._loader.load(key) for key in wanted))
        return dict(zip(wanted, values, strict=True))

    def prime(self, key: Key, value: Value) -> None:
        """Make a value known that another statement brought."""
        self._loader.prime(key, value)


class _Uncancellable(DataLoader[Key, Value]):
    def load(self, key: Key) -> Future[Value]:
        cached: Future[Value] | None = self._cache.get(key)
        if cached is None:
            cached = _Shared(loop=self.loop)
            self._cache[key] = cached
            self.do_resolve_reject(key, cached)
        return cached
