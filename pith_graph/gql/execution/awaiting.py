"""Waiting for many things at once, without leaving any of them behind.

``asyncio.gather`` returns at the first failure while the rest still runs. Here all have ended
before anything is returned or raised, also when the execution is cancelled.
"""

from __future__ import annotations

from asyncio import CancelledError, Future, ensure_future, gather, wait
from collections.abc import Awaitable, Coroutine, Iterable, Sequence
from types import GeneratorType
from typing import Any

from graphql.pyutils import is_awaitable


async def settle(awaitables: Sequence[Awaitable[Any]]) -> list[Any]:
    """Return each one's value, or the exception that it raised.

    Raises:
        CancelledError: The execution was cancelled, or one of them was.
    """
    if len(awaitables) == 1:
        try:
            return [await awaitables[0]]
        except Exception as error:  # noqa: BLE001  # its outcome
            return [error]
    futures = [ensure_future(each) for each in awaitables]
    try:
        await wait(futures)
    except CancelledError:
        await _stop(futures)
        raise
    outcomes = [_outcome(each) for each in futures]
    for outcome in outcomes:
        if isinstance(outcome, BaseException) and not isinstance(outcome, Exception):
            raise outcome
    return outcomes


async def together(coroutines: Sequence[Coroutine[Any, Any, Any]]) -> list[Any]:
    """Return the values of coroutines that do not fail.

    Raises:
        Exception: One did fail; all have ended.
    """
    if not coroutines:
        return []
    outcomes = await settle(coroutines)
    for outcome in outcomes:
        if isinstance(outcome, Exception):
            raise outcome
    return outcomes


async def settle_among(values: list[Any]) -> list[Any]:
    """Return values with the awaitables among them replaced by their outcomes."""
    if not may_wait(set(map(type, values))):
        return values
    waiting = [index for index, value in enumerate(values) if is_awaitable(value)]
    if not waiting:
        return values
    settled = list(values)
    for index, outcome in zip(
        waiting, await settle([values[index] for index in waiting]), strict=True
    ):
        settled[index] = outcome
    return settled


def may_wait(kinds: Iterable[type]) -> bool:
    """Whether values of these types may be awaitable."""
    return any(hasattr(kind, "__await__") or issubclass(kind, GeneratorType) for kind in kinds)


def _outcome(future: Future[Any]) -> Any:
    if future.cancelled():
        return CancelledError()
    error = future.exception()
    return future.result() if error is None else error


async def _stop(futures: Sequence[Future[Any]]) -> None:
    """Cancel what can be cancelled and wait for it; what others share goes on."""
    ending = [each for each in futures if each.cancel()]
    await gather(*ending, return_exceptions=True)
