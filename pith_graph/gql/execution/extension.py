"""The schema extension that executes queries by plans, and leaves the rest to graphql-core.

It takes the place of graphql-core's execution by setting the result before that begins. Plans are
kept where the caller says, so that they live and die with the parsed document.

The answer is graphql-core's. Resolvers may see three differences: a resolver is called once for an
object that stands in several places of a level; the arguments that it takes are the same for all
objects of a level; and the path of its info is the field's name alone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from graphql import (
    DirectiveNode,
    ExecutionResult,
    FragmentDefinitionNode,
    OperationDefinitionNode,
    SelectionNode,
    SelectionSetNode,
    VariableNode,
)
from graphql.execution import Executor
from strawberry import Schema
from strawberry.execution import optimized_is_awaitable
from strawberry.extensions import SchemaExtension
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from pith_graph.gql.execution.batches import batching
from pith_graph.gql.execution.compiling import compile_operation
from pith_graph.gql.execution.fields import NotCompiledError
from pith_graph.gql.execution.plan import OperationPlan
from pith_graph.gql.execution.run import run_plan

COMPILED: Final = "compiled"

_CONDITIONS = frozenset({"skip", "include"})


@dataclass(frozen=True, slots=True)
class Refusal:
    """That an operation is left to graphql-core, and why.

    Attributes:
        size: The bytes that it is taken to hold.
    """

    reason: str
    size: int = 512


@dataclass(frozen=True, slots=True)
class Conditions:
    """The variables that ``@skip`` and ``@include`` look at."""

    variables: tuple[str, ...]
    size: int = 512


_Selecting: TypeAlias = OperationDefinitionNode | FragmentDefinitionNode | SelectionNode

Kept: TypeAlias = OperationPlan | Refusal | Conditions


class Plans(Protocol):
    """Where the plans of one document are kept; a dict will do if documents are few."""

    def get(self, key: Hashable, /) -> Kept | None:
        """Return what is kept under a key."""

    def __setitem__(self, key: Hashable, kept: Kept, /) -> None:
        """Keep something, or do not."""


class CompiledExecution(SchemaExtension):
    """Executes what can be compiled; ``extensions.execution`` says that it was, or why not.

    Args:
        plans: Gives the place where plans of the document in execution are kept.
        compiles: Whether anything is compiled; else graphql-core executes all, in batches where
            resolvers are for many.
    """

    def __init__(self, *, plans: Callable[[], Plans], compiles: bool = True) -> None:
        self._plans = plans
        self._compiles = compiles
        self._outcome: str | None = None

    async def on_execute(self) -> AsyncIterator[None]:
        """Execute the operation, or leave it."""
        if self.execution_context.result is None:
            try:
                self.execution_context.result = await self._execute()
                self._outcome = COMPILED
            except NotCompiledError as reason:
                self._outcome = str(reason)
        if self.execution_context.result is None:
            with batching():
                yield
        else:
            yield

    def get_results(self) -> dict[str, Any]:
        """Say how the operation was executed, if it was."""
        return {} if self._outcome is None else {"execution": self._outcome}

    async def _execute(self) -> ExecutionResult:
        if not self._compiles:
            raise NotCompiledError("compiled execution is switched off")
        context = self.execution_context
        schema, document = context.schema, context.graphql_document
        if not isinstance(schema, Schema) or document is None:
            raise NotCompiledError("the schema is not a Strawberry schema")
        executor = StrawberryGraphQLCoreExecutionContext.build(
            schema._schema,  # noqa: SLF001  # Strawberry has no public name for it
            document,
            root_value=context.root_value,
            context_value=context.context,
            raw_variable_values=context.variables,
            operation_name=context.operation_name,
            is_awaitable=optimized_is_awaitable,  # type: ignore[arg-type]  # a guard but in name
            operation_extensions=context.operation_extensions,
        )
        if isinstance(executor, list):
            return ExecutionResult(None, executor)
        plan = self._plan(executor, schema)
        return await run_plan(plan, executor, schema)

    def _plan(self, executor: Executor[Any], schema: Schema) -> OperationPlan:
        """Return the plan of an operation with these conditions, compiled now if it is new."""
        plans, operation = self._plans(), executor.operation
        name = operation.name.value if operation.name else None
        conditions = plans.get(name)
        if not isinstance(conditions, Conditions):
            conditions = find_conditions(operation, executor.fragment_definitions)
            plans[name] = conditions
        values = executor.variable_values.coerced
        key = (name, *(values.get(each) for each in conditions.variables))
        plan = plans.get(key)
        if plan is None:
            plan = _compile(executor, schema)
            plans[key] = plan
        if isinstance(plan, Refusal):
            raise NotCompiledError(plan.reason)
        if not isinstance(plan, OperationPlan):
            raise TypeError(f"{plan!r} is kept as a plan")
        return plan


def _compile(executor: Executor[Any], schema: Schema) -> OperationPlan | Refusal:
    try:
        _check(executor, schema)
        return compile_operation(executor, schema)
    except NotCompiledError as error:
        return Refusal(str(error))


def _check(executor: Executor[Any], schema: Schema) -> None:
    """Refuse what changes how every field is executed."""
    if schema.execution_context_class is not StrawberryGraphQLCoreExecutionContext:
        raise NotCompiledError("the schema has an execution context class of its own")
    if any(executor.schema.get_directive(name) for name in ("defer", "stream")):
        raise NotCompiledError("the schema has incremental delivery")
    if any(type(each).resolve is not SchemaExtension.resolve for each in schema.get_extensions()):
        raise NotCompiledError("an extension takes part in resolving fields")
    for directive in find_directives(executor.operation, executor.fragment_definitions):
        if directive.name.value not in _CONDITIONS:
            raise NotCompiledError(f"the directive @{directive.name.value}")


def find_conditions(
    operation: OperationDefinitionNode, fragments: Mapping[str, FragmentDefinitionNode]
) -> Conditions:
    """Return the variables that ``@skip`` and ``@include`` may look at."""
    found = {
        argument.value.name.value
        for directive in find_directives(operation, fragments)
        for argument in directive.arguments or ()
        if directive.name.value in _CONDITIONS and isinstance(argument.value, VariableNode)
    }
    return Conditions(tuple(sorted(found)))


def find_directives(
    operation: OperationDefinitionNode, fragments: Mapping[str, FragmentDefinitionNode]
) -> Iterator[DirectiveNode]:
    """Yield the directives of an operation and of all fragments beside it."""
    for variable in operation.variable_definitions or ():
        yield from variable.directives or ()
    waiting: list[_Selecting] = [operation, *fragments.values()]
    while waiting:
        node = waiting.pop()
        yield from node.directives or ()
        below: SelectionSetNode | None = getattr(node, "selection_set", None)
        waiting += below.selections if below else ()
