"""Executing a plan level by level: every field of a level is resolved for all its objects at once.

Errors and nulls are the specification's: a failed field is an error at each of its places, and null
goes up to the nearest place that may be null. What goes well costs nothing of it: a level is built
by a generated function, and gone through value by value only when that raises.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final

from graphql import ExecutionResult, GraphQLError, GraphQLResolveInfo, located_error
from graphql.execution import Executor
from strawberry import Schema
from strawberry.types import Info

from pith_graph.gql.execution.awaiting import may_wait, together
from pith_graph.gql.execution.batches import take_all
from pith_graph.gql.execution.codegen import Constant
from pith_graph.gql.execution.fields import Attribute
from pith_graph.gql.execution.outcomes import NULLED, call_each, complete_leaves, is_whole
from pith_graph.gql.execution.places import Field, Places, Root
from pith_graph.gql.execution.plan import FieldPlan, ObjectPlan, OperationPlan
from pith_graph.gql.execution.values import Completion


async def run_plan(plan: OperationPlan, executor: Executor[Any], schema: Schema) -> ExecutionResult:
    """Execute a compiled query; resolvers' failures are in the result's errors."""
    run = _Run(executor, schema)
    (data,) = await run.build(plan.root, [executor.root_value], Root())
    return ExecutionResult(None if data is NULLED else data, run.errors or None)


@dataclass(slots=True)
class _Run:
    """One execution; `values` asks it to build objects and tells it of errors."""

    executor: Executor[Any]
    schema: Schema
    errors: list[GraphQLError] = field(default_factory=list)

    async def build(self, plan: ObjectPlan, sources: Sequence[Any], places: Places) -> list[Any]:
        """Build what is selected of objects of one type, in order; the nulled ones are marked."""
        if not sources:
            return []
        columns = await self._columns(plan.columns, sources, places)
        build = plan.build_for(len(sources))
        if build is not None and (not self.errors or is_whole(columns)):
            infos = [self.info(each) for each in plan.checked]
            try:
                return build(sources, columns, infos)
            except Exception:  # noqa: BLE001, S110  # found again below, with its place
                pass
        inline = await self._columns(plan.inline, sources, places)
        fields = zip((*plan.columns, *plan.inline), (*columns, *inline), strict=True)
        found = {one.key: column for one, column in fields}
        return _lay_together(plan, found, len(sources))

    def fail(self, plan: FieldPlan, places: Places, index: int, error: Exception) -> None:
        """Add an error at each place of a value."""
        for path in places.paths(index):
            self.errors.append(located_error(error, plan.nodes, path))

    def info(self, plan: FieldPlan) -> GraphQLResolveInfo[Any]:
        """Build graphql-core's info of a field; its path is the field's, not one object's."""
        return self.executor.build_resolve_info(plan.field, plan.nodes, plan.parent, plan.path)

    async def _columns(
        self, fields: Sequence[FieldPlan], sources: Sequence[Any], places: Places
    ) -> list[list[Any]]:
        """Return the completed values of fields, each a list in the order of the sources."""
        # All resolvers are called before any is waited for, so that what they ask of one loader
        # becomes one batch.
        called = [self._call(each, sources) for each in fields]
        done: dict[str, list[Any]] = {}
        at_once: list[_Called] = []
        groups = [at_once]
        for one, values in zip(fields, called, strict=True):
            if isinstance(values, _Batch) or _is_waited_for(one, values):
                groups.append([(one, values)])
            elif one.leaves is not None and (column := complete_leaves(one.leaves, values)):
                done[one.key] = column
            else:
                at_once.append((one, values))
        completing = [self._complete(group, places) for group in groups if group]
        for columns in await together(completing):
            done |= columns
        return [done[each.key] for each in fields]

    async def _complete(self, group: Sequence[_Called], places: Places) -> dict[str, list[Any]]:
        """Complete the values of fields in turn; return them by key."""
        done: dict[str, list[Any]] = {}
        for one, values in group:
            awaited = isinstance(values, _Batch)
            found = await _take(values) if isinstance(values, _Batch) else values
            done[one.key] = await Completion(self, one).complete(
                one.type, found, Field(places, one.key), awaited=awaited
            )
        return done

    def _call(self, plan: FieldPlan, sources: Sequence[Any]) -> list[Any] | _Batch:
        """Return a field's value of each source, an exception where it raised one."""
        how = plan.how
        if isinstance(how, Attribute):
            return call_each(how.read, sources)
        named: dict[str, Any] = {}
        try:
            if how.many is not None:
                info = self._strawberry_info(plan)
                values = how.many(sources, info, plan.asked, self._arguments(plan, info))
                return _Batch(values, len(sources))
            if how.info is not None or plan.arguments is not None:
                info = self._strawberry_info(plan)
                named = self._arguments(plan, info)
                named |= {} if how.info is None else {how.info: info}
        except Exception as error:  # noqa: BLE001  # becomes the field's error
            return [error] * len(sources)
        return call_each(how.bind(named), sources)

    def _arguments(self, plan: FieldPlan, info: Info[Any, Any]) -> dict[str, Any]:
        """Read a field's arguments, as its resolver takes them."""
        if plan.arguments is None:
            return {}
        return plan.arguments.read(self.executor.variable_values, info)

    def _strawberry_info(self, plan: FieldPlan) -> Info[Any, Any]:
        return self.schema.config.info_class(_raw_info=self.info(plan), _field=plan.definition)


def _lay_together(plan: ObjectPlan, columns: Mapping[str, Sequence[Any]], count: int) -> list[Any]:
    """Build the dictionaries of a level of which something may be nulled."""
    constants = {
        key: [part.text] * count for key, part in plan.parts.items() if isinstance(part, Constant)
    }
    every = {**constants, **columns}
    if not every:
        return [{} for _ in range(count)]
    rows = zip(*(every[key] for key in plan.parts), strict=True)
    return [
        NULLED if any(value is NULLED for value in row) else dict(zip(plan.parts, row, strict=True))
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class _Batch:
    """The values of a field of all sources, being waited for."""

    values: Awaitable[Sequence[Any]]
    count: int


def _is_waited_for(plan: FieldPlan, values: list[Any]) -> bool:
    """Whether to complete a field's values beside the others, as something in them may wait.

    A task costs as much as to complete a hundred values, so that lists are looked into.
    """
    kinds = set(map(type, values))
    if may_wait(kinds) or plan.waits_below:
        return True
    if not plan.waits:
        return False
    items = chain.from_iterable(filter(None, values)) if kinds <= _LISTS else None
    return items is None or may_wait(set(map(type, items)))


_LISTS: Final = frozenset({list, tuple, type(None)})

_Called = tuple[FieldPlan, list[Any] | _Batch]


async def _take(batch: _Batch) -> list[Any]:
    """Return the values of a batch; those of one that failed are the exception."""
    try:
        return take_all(await batch.values, batch.count)
    except Exception as error:  # noqa: BLE001  # becomes the field's error
        return [error] * batch.count
