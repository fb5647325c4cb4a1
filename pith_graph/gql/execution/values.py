"""Completing the values of a field as its type says: lists, leaves, and which objects to build.

All values of a level are completed at once. What is as it should be is told from the types of the
values, of which there are few; only among others is each value looked at. `run` calls this and
builds the objects.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import iscoroutine
from itertools import chain
from typing import Any, Final, Protocol

from graphql import (
    GraphQLAbstractType,
    GraphQLError,
    GraphQLLeafType,
    GraphQLList,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLResolveInfo,
    Undefined,
    get_nullable_type,
    is_abstract_type,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
)
from graphql.execution import Executor
from graphql.pyutils import inspect, is_iterable

from pith_graph.gql.execution.awaiting import may_wait, settle_among, together
from pith_graph.gql.execution.codegen import make_leaves
from pith_graph.gql.execution.outcomes import (
    NULLED,
    Nulled,
    call_each,
    complete_leaves,
    is_whole,
)
from pith_graph.gql.execution.places import Distinct, Items, Places, Some
from pith_graph.gql.execution.plan import FieldPlan, ObjectPlan

_ABSENT: Final = frozenset({type(None), type(Undefined)})
_LISTS: Final = frozenset({list, tuple})


class Run(Protocol):
    """What completing asks of the execution that it is a part of."""

    @property
    def executor(self) -> Executor[Any]:
        """graphql-core's executor, for what it says of single values."""

    @property
    def errors(self) -> list[GraphQLError]:
        """The errors so far."""

    def info(self, plan: FieldPlan) -> GraphQLResolveInfo[Any]:
        """Build the info of a field."""

    def fail(self, plan: FieldPlan, places: Places, index: int, error: Exception) -> None:
        """Add an error at each place of a value."""

    async def build(self, plan: ObjectPlan, sources: Sequence[Any], places: Places) -> list[Any]:
        """Build objects of one type."""


@dataclass(frozen=True, slots=True)
class Completion:
    """Completes the values of one field."""

    run: Run
    plan: FieldPlan

    async def complete(
        self, type_: GraphQLOutputType, values: list[Any], places: Places, *, awaited: bool = False
    ) -> list[Any]:
        """Complete values of a type; those that may not be null and are, are marked.

        Values that were ``awaited`` are values, even if they could be waited for once more.
        """
        inner = get_nullable_type(type_)
        required = is_non_null_type(type_)
        if is_leaf_type(inner):
            leaves = complete_leaves(make_leaves(inner, required=required), values)
            if leaves is not None:
                return leaves
        kinds = set(map(type, values))
        if not awaited and may_wait(kinds):
            values = await settle_among(values)
            kinds = set(map(type, values))
        if kinds.isdisjoint(_ABSENT) and not any(issubclass(kind, Exception) for kind in kinds):
            done = await self._present(inner, values, places)
        else:
            done = await self._among(type_, values, places)
        if required or not self.run.errors:
            return done
        return [None if value is NULLED else value for value in done]

    async def _among(
        self, type_: GraphQLOutputType, values: list[Any], places: Places
    ) -> list[Any]:
        """Complete those values that are there."""
        required = is_non_null_type(type_)
        done: list[Any] = [None] * len(values)
        present: list[int] = []
        for index, value in enumerate(values):
            if isinstance(value, Exception):
                done[index] = self._fail(places, index, value)
            elif value is not None and value is not Undefined:
                present.append(index)
            elif required:
                name = f"{self.plan.parent}.{self.plan.field_name}"
                error = TypeError(f"Cannot return null for non-nullable field {name}.")
                done[index] = self._fail(places, index, error)
        if present:
            kept = [values[index] for index in present]
            there = Some(places, present)
            completed = await self._present(get_nullable_type(type_), kept, there)
            for index, value in zip(present, completed, strict=True):
                done[index] = value
        return done

    async def _present(self, type_: Any, values: list[Any], places: Places) -> list[Any]:
        """Complete values of which none is null or an exception."""
        if is_list_type(type_):
            return await self._lists(type_, values, places)
        if is_leaf_type(type_):
            return self._leaves(type_, values, places)
        if is_abstract_type(type_):
            return await self._abstract(type_, values, places)
        return await self._objects(type_, values, places)

    def _leaves(self, type_: GraphQLLeafType, values: list[Any], places: Places) -> list[Any]:
        serialise = partial(self.run.executor.complete_leaf_value, type_)
        return self._without_failed(call_each(serialise, values), places)

    async def _lists(self, type_: GraphQLList[Any], values: list[Any], places: Places) -> list[Any]:
        """Complete the items of all lists at once, and lay them back into lists."""
        kinds = set(map(type, values))
        if any(hasattr(kind, "__aiter__") for kind in kinds):
            values = await settle_among([_drained(value) for value in values])
            values = [_Failed(v) if isinstance(v, Exception) else v for v in values]
        if kinds <= _LISTS:
            done = list(values)
        else:
            done = self._without_failed(call_each(self._list_of, values), places)
        lengths = [0 if value is NULLED else len(value) for value in done]
        items = list(chain.from_iterable(value for value in done if value is not NULLED))
        inner = type_.of_type
        completed = await self.complete(inner, items, Items(places, lengths))
        holed = bool(self.run.errors) and is_non_null_type(inner)
        start = 0
        for index, length in enumerate(lengths):
            if done[index] is NULLED:
                continue
            part = completed[start : start + length]
            done[index] = NULLED if holed and not is_whole([part]) else part
            start += length
        return done

    def _list_of(self, value: Any) -> list[Any]:
        if isinstance(value, _Failed):
            raise value.error
        if not is_iterable(value):
            name = f"{self.plan.parent}.{self.plan.field_name}"
            raise GraphQLError(f"Expected Iterable, but did not find one for field '{name}'.")
        return _taken(value)

    async def _abstract(
        self, type_: GraphQLAbstractType, values: list[Any], places: Places
    ) -> list[Any]:
        """Build objects of an abstract type, those of one object type together."""
        info = self.run.info(self.plan)
        resolve = type_.resolve_type or self.run.executor.type_resolver
        names = await settle_among(call_each(resolve, values, info, type_))
        check = self.run.executor.ensure_valid_runtime_type
        groups: dict[GraphQLObjectType, list[int]] = {}
        done: list[Any] = [NULLED] * len(values)
        for index, (name, value) in enumerate(zip(names, values, strict=True)):
            try:
                if isinstance(name, Exception):
                    raise name  # noqa: TRY301  # it was raised by the type's own function
                found = check(name, type_, self.plan.details, info, value)
            except Exception as error:  # noqa: BLE001  # becomes the value's error
                self._fail(places, index, error)
            else:
                groups.setdefault(found, []).append(index)
        built = await together(
            [
                self._objects(found, [values[index] for index in kept], Some(places, kept))
                for found, kept in groups.items()
            ]
        )
        for kept, objects in zip(groups.values(), built, strict=True):
            for index, one in zip(kept, objects, strict=True):
                done[index] = one
        return done

    async def _objects(
        self, type_: GraphQLObjectType, values: list[Any], places: Places
    ) -> list[Any]:
        """Build objects of one type, each distinct source once."""
        if len(set(map(id, values))) == len(values):
            return await self._checked_objects(type_, values, places)
        distinct = {id(value): value for value in values}
        sources = list(distinct.values())
        there = Distinct(places, values, sources)
        objects = await self._checked_objects(type_, sources, there)
        by_id = dict(zip(distinct, objects, strict=True))
        return [by_id[id(value)] for value in values]

    async def _checked_objects(
        self, type_: GraphQLObjectType, sources: list[Any], places: Places
    ) -> list[Any]:
        """Build those objects that are of the type."""
        plan, is_type_of = self.plan.selection[type_.name], type_.is_type_of
        if is_type_of is None:
            return await self.run.build(plan, sources, places)
        info = self.run.info(self.plan)
        fits = await settle_among(call_each(is_type_of, sources, info))
        if set(map(type, fits)) == {bool} and all(fits):
            return await self.run.build(plan, sources, places)
        done: list[Any] = [NULLED] * len(sources)
        kept: list[int] = []
        for index, (fit, source) in enumerate(zip(fits, sources, strict=True)):
            if isinstance(fit, Exception):
                self._fail(places, index, fit)
            elif fit:
                kept.append(index)
            else:
                message = f"Expected value of type '{type_}' but got: {inspect(source)}."
                self._fail(places, index, GraphQLError(message))
        fitting = [sources[index] for index in kept]
        objects = await self.run.build(plan, fitting, Some(places, kept)) if kept else []
        for index, one in zip(kept, objects, strict=True):
            done[index] = one
        return done

    def _without_failed(self, values: Sequence[Any], places: Places) -> list[Any]:
        """Return values with the exceptions among them told of and marked."""
        return [
            self._fail(places, index, value) if isinstance(value, Exception) else value
            for index, value in enumerate(values)
        ]

    def _fail(self, places: Places, index: int, error: Exception) -> Nulled:
        self.run.fail(self.plan, places, index, error)
        return NULLED


@dataclass(frozen=True, slots=True)
class _Failed:
    """An asynchronous list that could not be read to its end."""

    error: Exception


def _drained(value: Any) -> Any:
    return _drain(value) if hasattr(value, "__aiter__") else value


async def _drain(value: AsyncIterable[Any]) -> list[Any]:
    return [item async for item in value]


def _taken(value: Iterable[Any]) -> list[Any]:
    """Return the items of a list; what waits among them is closed if the list fails."""
    items: list[Any] = []
    try:
        items.extend(value)
    except Exception:
        for item in items:
            if iscoroutine(item):
                item.close()
        raise
    return items
