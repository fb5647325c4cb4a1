"""The schema extension that executes queries by plans, and leaves the rest to graphql-core.

It takes the place of graphql-core's execution by setting the result before that begins.

The answer is graphql-core's. Resolvers may see three differences: a resolver is called once for an
object that stands in several places of a level; the arguments that it takes are the same for all
objects of a level; and the path of its info is the field's name alone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from graphql import ExecutionResult
from strawberry import Schema
from strawberry.extensions import SchemaExtension

from pith_graph.gql.execution.batches import batching
from pith_graph.gql.execution.executing import Plans, Question, execute_compiled
from pith_graph.gql.execution.fields import NotCompiledError

COMPILED: Final = "compiled"


class CompiledExecution(SchemaExtension):
    """Executes what can be compiled; ``extensions.execution`` says that it was, or why not.

    Args:
        plans: Gives the place where plans of the document in execution are kept.
        compiles: Whether anything is compiled; else graphql-core executes all, in batches where
            resolvers are for many.

    Attributes:
        compiles: The same.
    """

    def __init__(self, *, plans: Callable[[], Plans], compiles: bool = True) -> None:
        self._plans = plans
        self.compiles = compiles
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
        if not self.compiles:
            raise NotCompiledError("compiled execution is switched off")
        context = self.execution_context
        schema, document = context.schema, context.graphql_document
        if not isinstance(schema, Schema) or document is None:
            raise NotCompiledError("the schema is not a Strawberry schema")
        question = Question(
            document,
            context.operation_name,
            context.variables,
            context.context,
            context.root_value,
            context.operation_extensions,
        )
        return await execute_compiled(schema, question, self._plans())
