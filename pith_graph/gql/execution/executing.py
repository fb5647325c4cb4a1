"""Executing one question by its plan: its operation is found, its variables read, the plan run.

`extension` calls this within Strawberry's execution; a server that has parsed and validated the
document calls it directly, and asks Strawberry only if `NotCompiledError` says that the operation
is left to graphql-core. Plans are kept where the caller says, so that they live and die with the
document.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from graphql import (
    DirectiveNode,
    DocumentNode,
    ExecutionResult,
    FragmentDefinitionNode,
    GraphQLBoolean,
    GraphQLError,
    GraphQLID,
    GraphQLString,
    OperationDefinitionNode,
    SelectionNode,
    SelectionSetNode,
    VariableNode,
    default_field_resolver,
    default_type_resolver,
    get_nullable_type,
)
from graphql.execution import Executor
from graphql.execution.collect_fields import FragmentDetails
from graphql.execution.get_variable_signature import (
    GraphQLVariableSignature,
    get_variable_signature,
)
from graphql.execution.values import VariableValues, VariableValueSource, get_variable_values
from strawberry import Schema
from strawberry.execution import optimized_is_awaitable
from strawberry.extensions import SchemaExtension
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from pith_graph.gql.execution.compiling import compile_operation
from pith_graph.gql.execution.fields import NotCompiledError
from pith_graph.gql.execution.plan import OperationPlan
from pith_graph.gql.execution.run import run_plan

_CONDITIONS = frozenset({"skip", "include"})

_PLAIN: Final[Mapping[Any, type]] = {GraphQLString: str, GraphQLID: str, GraphQLBoolean: bool}
"""The Python type of a variable's value that coercion gives back as it is."""

_MOST_COERCION_ERRORS = 50
"""As many as graphql-core tells of."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a schema.

    Attributes:
        document: The document, valid.
        operation_name: Which of its operations; None for the only one.
        variables: As they were given.
        context: What resolvers share.
        root: The source of the root fields.
        extensions: What resolvers get as ``info.input_extensions``.
    """

    document: DocumentNode
    operation_name: str | None = None
    variables: Mapping[str, Any] | None = None
    context: Any = None
    root: Any = None
    extensions: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """That an operation is left to graphql-core, and why.

    Attributes:
        size: The bytes that it is taken to hold.
    """

    reason: str
    size: int = 512


@dataclass(frozen=True, slots=True)
class LaidOut:
    """An operation laid out, and what its plans differ by.

    Attributes:
        conditions: The variables that ``@skip`` and ``@include`` look at.
        operation: The operation.
        definitions: All fragments of the document.
        fragments: The same in graphql-core's form.
        signatures: The operation's variables.
        size: The bytes that it is taken to hold.
    """

    conditions: tuple[str, ...]
    operation: OperationDefinitionNode
    definitions: dict[str, FragmentDefinitionNode]
    fragments: dict[str, FragmentDetails]
    signatures: tuple[GraphQLVariableSignature, ...]
    size: int = 512


_Selecting: TypeAlias = OperationDefinitionNode | FragmentDefinitionNode | SelectionNode

Kept: TypeAlias = OperationPlan | Refusal | LaidOut


class Plans(Protocol):
    """Where the plans of one document are kept; a dict will do if documents are few."""

    def get(self, key: Hashable, /) -> Kept | None:
        """Return what is kept under a key."""

    def __setitem__(self, key: Hashable, kept: Kept, /) -> None:
        """Keep something, or do not."""


async def execute_compiled(schema: Schema, question: Question, plans: Plans) -> ExecutionResult:
    """Execute a query by its plan, which is compiled now if it is new.

    Returns:
        The result as graphql-core would give it, request errors included.

    Raises:
        NotCompiledError: The operation is to be left to graphql-core; the text says why.
    """
    name = question.operation_name
    laid_out = plans.get(name)
    if isinstance(laid_out, LaidOut):
        executor = _set_up(schema, question, laid_out)
    else:
        executor = _build(schema, question)
    if isinstance(executor, list):
        return ExecutionResult(None, executor)
    if not isinstance(laid_out, LaidOut):
        laid_out = plans[name] = _lay_out(executor)
    plan = _find_plan(executor, schema, (name, laid_out), plans)
    return await run_plan(plan, executor, schema)


def _build(schema: Schema, question: Question) -> Executor[Any] | list[GraphQLError]:
    """Have graphql-core find the operation and its fragments."""
    return StrawberryGraphQLCoreExecutionContext.build(
        schema._schema,  # noqa: SLF001  # Strawberry has no public name for it
        question.document,
        root_value=question.root,
        context_value=question.context,
        raw_variable_values=dict(question.variables or {}),
        operation_name=question.operation_name,
        is_awaitable=optimized_is_awaitable,  # type: ignore[arg-type]  # a guard but in name
        operation_extensions=question.extensions,
    )


def _set_up(
    schema: Schema, question: Question, laid_out: LaidOut
) -> Executor[Any] | list[GraphQLError]:
    """Do what ``build`` does of an operation that it has found before."""
    core = schema._schema  # noqa: SLF001  # Strawberry has no public name for it
    given = dict(question.variables or {})
    variables = _take_plain(laid_out.signatures, given) or get_variable_values(
        core,
        laid_out.operation.variable_definitions or (),
        given,
        max_errors=_MOST_COERCION_ERRORS,
    )
    if isinstance(variables, list):
        return variables
    return StrawberryGraphQLCoreExecutionContext(
        core,
        laid_out.definitions,
        laid_out.fragments,
        question.root,
        question.context,
        laid_out.operation,
        variables,
        default_field_resolver,
        default_type_resolver,
        default_field_resolver,
        is_awaitable=optimized_is_awaitable,
        operation_extensions=question.extensions,
    )


def _take_plain(
    signatures: Iterable[GraphQLVariableSignature], given: Mapping[str, Any]
) -> VariableValues | None:
    """Return variables that are strings and truth values as they are declared; None if one is not.

    They are most, and coercion would give each back as it is.
    """
    sources: dict[str, VariableValueSource] = {}
    coerced: dict[str, Any] = {}
    for signature in signatures:
        value = given.get(signature.name)
        if _PLAIN.get(get_nullable_type(signature.type)) is not type(value):
            return None
        sources[signature.name] = VariableValueSource(signature, value)
        coerced[signature.name] = value
    return VariableValues(sources, coerced)


def _lay_out(executor: Executor[Any]) -> LaidOut:
    operation, definitions = executor.operation, executor.fragment_definitions
    found = (
        get_variable_signature(executor.schema, each)
        for each in operation.variable_definitions or ()
    )
    return LaidOut(
        conditions=find_conditions(operation, definitions),
        operation=operation,
        definitions=definitions,
        fragments=executor.fragments,
        signatures=tuple(each for each in found if not isinstance(each, GraphQLError)),
    )


def _find_plan(
    executor: Executor[Any], schema: Schema, found: tuple[str | None, LaidOut], plans: Plans
) -> OperationPlan:
    """Return the plan of an operation with these conditions, compiled now if it is new."""
    name, laid_out = found
    values = executor.variable_values.coerced
    key = (name, *(values.get(each) for each in laid_out.conditions))
    plan = plans.get(key)
    if plan is None:
        plan = plans[key] = _compile(executor, schema)
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
) -> tuple[str, ...]:
    """Return the variables that ``@skip`` and ``@include`` may look at."""
    found = {
        argument.value.name.value
        for directive in find_directives(operation, fragments)
        for argument in directive.arguments or ()
        if directive.name.value in _CONDITIONS and isinstance(argument.value, VariableNode)
    }
    return tuple(sorted(found))


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
