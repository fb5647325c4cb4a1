"""Running one operation by graphql-core and compiled, in equal worlds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from typing import Any

import strawberry
from graphql import DocumentNode, parse, validate
from strawberry.extensions import SchemaExtension
from strawberry.types import ExecutionResult

from pith_graph.gql.execution.extension import COMPILED, CompiledExecution
from tests.gql.execution.comparing import assert_equal
from tests.gql.execution.operations import Operation

Opening = Callable[[], AbstractAsyncContextManager[Any]]


class Given(SchemaExtension):
    """Hands over a document that is parsed and valid, for speed."""

    document: DocumentNode | None = None

    def on_parse(self) -> Iterator[None]:
        self.execution_context.graphql_document = Given.document
        yield

    def on_validate(self) -> Iterator[None]:
        self.execution_context.pre_execution_errors = []
        yield


class Both:
    """Two schemas of the same types, one that executes compiled plans and one that does not.

    Args:
        build: Makes a schema with extensions.
        bare: Whether the second has no extension of ours, so that nothing comes in batches.
    """

    def __init__(self, build: Callable[..., strawberry.Schema], *, bare: bool = True) -> None:
        self.plans: dict[Any, Any] = {}
        self.schema = build()._schema  # noqa: SLF001  # no public name
        batched = () if bare else (lambda: CompiledExecution(plans=dict, compiles=False),)
        self.core = build(Given, *batched)
        self.compiled = build(Given, lambda: CompiledExecution(plans=lambda: self.plans))
        self.fallbacks = 0
        self.operations = 0
        self.errors = 0

    def take(self, operation: Operation) -> None:
        """Make an operation the one to run; it must be valid."""
        Given.document = parse(operation.text)
        if self.operations % 10 == 0:
            # Every one is valid by construction: to look at a tenth of them is enough.
            assert validate(self.schema, Given.document) == []
        self.plans = {}
        self.operations += 1

    async def compare(self, operation: Operation, opening: Opening) -> None:
        """Run the operation both ways, each in a context of its own, and compare."""
        ours = await self.run_compiled(operation, opening)
        theirs = await _run(self.core, operation, opening)
        await _let_end()
        assert ours.extensions is not None
        outcome = ours.extensions["execution"]
        self.fallbacks += outcome != COMPILED
        self.errors += bool(theirs.errors)
        assert_equal(ours, theirs)

    async def run_compiled(self, operation: Operation, opening: Opening) -> ExecutionResult:
        """Run the operation compiled only."""
        return await _run(self.compiled, operation, opening)


async def _run(
    schema: strawberry.Schema, operation: Operation, opening: Opening
) -> ExecutionResult:
    async with opening() as context:
        return await schema.execute(
            operation.text, variable_values=operation.variables, context_value=context
        )


async def _let_end() -> None:
    """Wait for what graphql-core leaves running where a sibling failed."""
    while others := asyncio.all_tasks() - {asyncio.current_task()}:
        await asyncio.wait(others)
