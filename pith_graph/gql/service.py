"""The execution of requests, whatever transport brought them.

``web/app.py`` builds one ``GraphQLService``; ``web/endpoint.py`` prepares each request with it and
then executes it. The schema is a ``ServedSchema``, so that extensions may take part in execution,
and Strawberry neither parses nor validates again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager
from contextvars import ContextVar
from typing import Any, Final, Protocol

import strawberry
from graphql import GraphQLError, OperationType
from strawberry.extensions import SchemaExtension
from strawberry.types import ExecutionContext, ExecutionResult

from pith_graph.gql.cost import ListHints
from pith_graph.gql.documents import DocumentCache, DocumentEntry, Operation
from pith_graph.gql.errors import ErrorCode, build_error
from pith_graph.gql.execution import (
    COMPILED,
    CompiledExecution,
    NotCompiledError,
    Question,
    execute_compiled,
)
from pith_graph.gql.execution.executing import Plans
from pith_graph.gql.fallbacks import Fallbacks
from pith_graph.gql.requests import Answer, GraphQLRequest, PreparedRequest
from pith_graph.settings import Settings

_CURRENT_ENTRY: ContextVar[DocumentEntry] = ContextVar("current_entry")


def current_entry() -> DocumentEntry:
    """Return the document that the current task executes; for schema extensions.

    Raises:
        LookupError: Outside of ``GraphQLService.execute``.
    """
    return _CURRENT_ENTRY.get()


def current_plans() -> Plans:
    """Return where plans of the current task's document are kept; elsewhere, a place for now."""
    entry = _CURRENT_ENTRY.get(None)
    return {} if entry is None else entry.plans


class ExecutionState(Protocol):
    """What the service reads of the context object that it hands to resolvers."""

    @property
    def statements(self) -> int:
        """Database statements spent so far."""

    @property
    def identifiers(self) -> list[dict[str, Any]]:
        """Identifiers as written and as understood, for ``extensions.identifiers``."""


class PreparedDocument(SchemaExtension):
    """Hands Strawberry the document that the cache holds, parsed and validated."""

    def on_parse(self) -> Iterator[None]:
        """Provide the parsed document, so that it is not parsed again."""
        entry = _CURRENT_ENTRY.get(None)
        if entry is not None:
            self.execution_context.graphql_document = entry.document
        yield

    def on_validate(self) -> Iterator[None]:
        """Say that validation is done, so that it is not run again."""
        if _CURRENT_ENTRY.get(None) is not None:
            self.execution_context.pre_execution_errors = []
        yield


class ServedSchema(strawberry.Schema):
    """A schema that ``GraphQLService`` can serve; constructed as ``strawberry.Schema``."""

    def __init__(
        self,
        query: type,
        *,
        extensions: Iterable[type[SchemaExtension] | Callable[[], SchemaExtension]] = (),
        **options: Any,
    ) -> None:
        super().__init__(query, extensions=(PreparedDocument, *extensions), **options)

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Log nothing: ``gql.errors`` logs what is unexpected, without the document's values."""

    @property
    def compiles(self) -> bool:
        """Whether operations are compiled and no extension but ours takes part in execution."""
        extensions = self.get_extensions()
        return [type(each) for each in extensions] == [PreparedDocument, CompiledExecution] and all(
            each.compiles for each in extensions if isinstance(each, CompiledExecution)
        )


class GraphQLService:
    """Prepares and executes requests on one schema.

    Args:
        schema: The schema.
        settings: Limits, the cache's size and the time limit.
        context_factory: Opens what resolvers share for one request, and releases it.
        list_hints: Lengths of lists of objects that no argument bounds, for the cost.

    Attributes:
        documents: The parsed and validated documents.
        fallbacks: The operations that were not compiled, counted by reason.
    """

    def __init__(
        self,
        schema: ServedSchema,
        settings: Settings,
        context_factory: Callable[[], AbstractAsyncContextManager[ExecutionState]],
        *,
        list_hints: ListHints | None = None,
    ) -> None:
        self._schema = schema
        self._compiles = schema.compiles
        self._settings = settings
        self._context_factory = context_factory
        self.fallbacks: Final = Fallbacks()
        self.documents: Final = DocumentCache(schema._schema, settings, list_hints=list_hints or {})  # noqa: SLF001 - Strawberry has no public name for it

    def prepare(self, request: GraphQLRequest) -> PreparedRequest:
        """Parse, limit, validate and cost a request; the errors say why it is refused."""
        entry = self.documents.get(request.query)
        operation, cost = None, None
        errors: tuple[GraphQLError, ...] = entry.errors
        found = entry.find_operation(request.operation_name) if entry.document else None
        if isinstance(found, Operation):
            operation = found
            cost = found.cost.requested(request.variables) if found.cost else None
            errors = errors or tuple(self._refuse(found, cost))
        elif found is not None:
            errors = errors or (found,)
        return PreparedRequest(
            request=request, entry=entry, operation=operation, cost=cost, errors=errors
        )

    async def execute(self, prepared: PreparedRequest) -> Answer:
        """Execute a prepared request that has no errors.

        Whatever fails is in the answer's errors; only a cancellation is raised, after the context
        is released.
        """
        token = _CURRENT_ENTRY.set(prepared.entry)
        opened: list[ExecutionState] = []
        try:
            async with asyncio.timeout(self._settings.request_timeout_seconds) as limit:
                return await self._execute(prepared, opened)
        except TimeoutError as error:
            failure = self._timed_out() if limit.expired() else _wrap(error)
        except Exception as error:  # noqa: BLE001 - every failure becomes an answer
            failure = _wrap(error)
        finally:
            _CURRENT_ENTRY.reset(token)
        return Answer(
            executed=False,
            errors=(failure,),
            statements=sum(context.statements for context in opened),
        )

    async def _execute(self, prepared: PreparedRequest, opened: list[ExecutionState]) -> Answer:
        async with self._context_factory() as context:
            opened.append(context)
            result = await self._find_result(prepared, context)
            extensions = dict(result.extensions or {})
            execution = extensions.pop("execution", None)
            self.fallbacks.note(execution)
            if context.identifiers:
                extensions["identifiers"] = context.identifiers
            return Answer(
                executed=_was_executed(result),
                data=result.data,
                errors=tuple(result.errors or ()),
                extensions=extensions,
                execution=execution,
                statements=context.statements,
            )

    async def _find_result(
        self, prepared: PreparedRequest, context: ExecutionState
    ) -> ExecutionResult:
        """Execute by a plan where that can be, else by Strawberry and what it asks."""
        request, document = prepared.request, prepared.entry.document
        name = prepared.operation.name if prepared.operation else None
        if self._compiles and document is not None:
            question = Question(document, name, request.variables, context)
            try:
                return await self._execute_compiled(question, prepared.entry.plans)
            except NotCompiledError:
                # Strawberry's extension finds the same reason kept, and tells it.
                pass
        return await self._schema.execute(
            request.query,
            variable_values=dict(request.variables),
            context_value=context,
            operation_name=name,
        )

    async def _execute_compiled(self, question: Question, plans: Plans) -> ExecutionResult:
        try:
            result = await execute_compiled(self._schema, question, plans)
        except NotCompiledError:
            raise
        except Exception as error:  # noqa: BLE001 - as Strawberry does: the answer has the error
            return ExecutionResult(None, [_wrap(error)])
        if result.errors:
            self._schema.process_errors(result.errors)
        return ExecutionResult(result.data, result.errors, {"execution": COMPILED})

    def _refuse(self, operation: Operation, cost: int | None) -> Iterator[GraphQLError]:
        limit = self._settings.max_cost
        if operation.kind is OperationType.SUBSCRIPTION:
            yield build_error(
                ErrorCode.OPERATION_RESOLUTION_FAILURE,
                "The operation is a subscription; expected a query, as none are served here",
            )
        if cost is not None and cost > limit:
            yield build_error(
                ErrorCode.COST_LIMIT_EXCEEDED,
                f"The answer may hold {cost} objects; the limit is {limit}. "
                "Ask for smaller pages with `first`, or for fewer edges in one query.",
                requested=cost,
                limit=limit,
            )

    def _timed_out(self) -> GraphQLError:
        seconds = self._settings.request_timeout_seconds
        return build_error(
            ErrorCode.TIMEOUT,
            f"The answer took longer than {seconds:g} s. Ask for less in one query.",
        )


def _was_executed(result: ExecutionResult) -> bool:
    """Whether there is a data entry: a failed field has a path, a request error has none."""
    return result.data is not None or any(e.path is not None for e in result.errors or ())


def _wrap(error: Exception) -> GraphQLError:
    return GraphQLError(str(error), original_error=error)
