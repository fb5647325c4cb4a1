"""A GraphQL request on its way: as received, as prepared, and its answer.

These values are what ``gql/service.py`` and the transports (``web/endpoint.py``) hand each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graphql import GraphQLError, OperationType

from pith_graph.gql.documents import DocumentEntry, Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphQLRequest:
    """The parameters of a request, their types checked, nothing else."""

    query: str
    operation_name: str | None = None
    variables: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRequest:
    """A request that may be executed, or why not.

    Attributes:
        request: The request as received.
        entry: What is known of its document.
        operation: The operation to run; None where there is no such one.
        cost: The most objects that its answer may hold; None where that is not known.
        errors: Why it is refused, each with ``extensions.code``; empty if it may be executed.
    """

    request: GraphQLRequest
    entry: DocumentEntry
    operation: Operation | None
    cost: int | None
    errors: tuple[GraphQLError, ...]

    @property
    def kind(self) -> OperationType | None:
        """Whether it is a query, a mutation or a subscription; None where that is not known."""
        return self.operation.kind if self.operation else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The outcome of an execution.

    Attributes:
        executed: Whether execution began: only then does the answer have a data entry.
        data: The data entry; None if a failure reached the root.
        errors: The errors as raised; ``gql.errors.format_errors`` renders them.
        extensions: Extensions of the answer, the cost not among them.
        execution: ``compiled``, or why graphql-core executed it; None where nothing did.
        statements: The database statements that were spent.
    """

    executed: bool
    data: Mapping[str, Any] | None = None
    errors: tuple[GraphQLError, ...] = ()
    extensions: Mapping[str, Any] = field(default_factory=dict)
    execution: str | None = None
    statements: int = 0
