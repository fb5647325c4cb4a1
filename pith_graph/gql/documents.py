"""The one cache of documents: text -> parsed, limited, validated and costed.

A document is worked through once, in the order of price: parse, structural limits (linear),
validation (which compares fields pairwise, so only within the limits), cost. ``gql/service.py``
asks for every request's document here. Refused documents are kept too, so that repeating one is
cheap.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    OperationDefinitionNode,
    OperationType,
    parse,
)

from pith_graph.errors import shorten
from pith_graph.gql.cost import ListHints, OperationCost, compile_costs
from pith_graph.gql.errors import ErrorCode, build_error, with_code
from pith_graph.gql.limits import Limits, find_excesses
from pith_graph.gql.plans import DocumentPlans
from pith_graph.gql.validation import validate_document
from pith_graph.settings import Settings

_MOST_ERRORS = 20

# Measured with tracemalloc on documents of 7 to 10,000 tokens: graphql-core's nodes, tokens and
# locations and the compiled cost hold 250 to 510 bytes a token. The text is kept twice, as the key
# and as the source of locations, in four bytes a character if a single one needs them.
_BYTES_PER_TOKEN = 600
_BYTES_PER_CHARACTER = 2 * 4
_BYTES_PER_ENTRY = 8_192
_BYTES_PER_ERROR = 2_048


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation of a document; ``cost`` is there when the document is valid."""

    name: str | None
    kind: OperationType
    cost: OperationCost | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentEntry:
    """What is known of one document's text, for as long as it is cached.

    Attributes:
        text: The document as received.
        document: The parsed document; None if it cannot be parsed.
        errors: Why it is refused, each with ``extensions.code``; empty if it may be executed.
        operations: The operations in the order of the text.
        size: The bytes that the entry is taken to hold.
        plans: What execution compiles once per document; counted beside ``size``.
    """

    text: str
    document: DocumentNode | None
    errors: tuple[GraphQLError, ...]
    operations: tuple[Operation, ...]
    size: int
    plans: DocumentPlans = field(default_factory=DocumentPlans, compare=False)

    def find_operation(self, name: str | None) -> Operation | GraphQLError:
        """Return the operation of this name, or the only one, or the error that says why not."""
        if name is None and len(self.operations) == 1:
            return self.operations[0]
        if name is not None:
            for operation in self.operations:
                if operation.name == name:
                    return operation
        return self._unresolved(name)

    def _unresolved(self, name: str | None) -> GraphQLError:
        names = [shorten(o.name) if o.name else "one without a name" for o in self.operations]
        known = ", ".join(names[:10]) + (", …" if len(names) > 10 else "")  # noqa: PLR2004
        if not names:
            message = "The document has no operation; expected a query, such as `{ __typename }`"
        elif name is None:
            message = (
                f"The document has {len(names)} operations: {known}. "
                "Expected `operationName` to say which one to run"
            )
        else:
            message = f"The document has no operation {shorten(name)}; expected one of: {known}"
        return build_error(ErrorCode.OPERATION_RESOLUTION_FAILURE, message)


_NO_HINTS: Final[ListHints] = MappingProxyType({})


class DocumentCache:
    """Documents by their text, the least recently used dropped when their bytes are too many.

    Not safe between threads; nothing in it waits, so tasks of one event loop may share it.
    """

    def __init__(
        self, schema: GraphQLSchema, settings: Settings, *, list_hints: ListHints = _NO_HINTS
    ) -> None:
        self._schema = schema
        self._limits = Limits.from_settings(settings)
        self._max_tokens = settings.max_query_tokens
        self._max_bytes = settings.document_cache_bytes
        self._hints = list_hints
        self._entries: OrderedDict[str, DocumentEntry] = OrderedDict()
        self._bytes = 0

    @property
    def size(self) -> int:
        """The bytes that the cached entries are taken to hold."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, text: str) -> DocumentEntry:
        """Return the entry of a document, worked through now if it is not cached."""
        entry = self._entries.get(text)
        if entry is not None:
            self._entries.move_to_end(text)
            return entry
        entry = self._prepare(text)
        self._keep(entry)
        return entry

    def _keep(self, entry: DocumentEntry) -> None:
        if entry.size > self._max_bytes:
            return
        self._entries[entry.text] = entry
        entry.plans.count_for(self._count)
        self._count(entry.size)

    def _count(self, change: int) -> None:
        self._bytes += change
        while self._bytes > self._max_bytes:
            _, dropped = self._entries.popitem(last=False)
            dropped.plans.count_for()
            self._bytes -= dropped.size + dropped.plans.size

    def _prepare(self, text: str) -> DocumentEntry:
        try:
            document = parse(
                text, max_lexical_tokens=self._max_tokens, max_comments=self._max_tokens
            )
        except GraphQLError as error:
            return _build_entry(text, None, [with_code(error, ErrorCode.GRAPHQL_PARSE_FAILED)])
        errors = find_excesses(document, self._limits) or validate_document(self._schema, document)
        costs = [] if errors else compile_costs(self._schema, document, self._hints)
        return _build_entry(text, document, errors, costs)


def _build_entry(
    text: str,
    document: DocumentNode | None,
    errors: Sequence[GraphQLError],
    costs: Sequence[OperationCost] = (),
) -> DocumentEntry:
    definitions = document.definitions if document else ()
    nodes = [d for d in definitions if isinstance(d, OperationDefinitionNode)]
    shown = tuple(errors[:_MOST_ERRORS])
    return DocumentEntry(
        text=text,
        document=document,
        errors=shown,
        operations=tuple(
            Operation(
                name=node.name.value if node.name else None,
                kind=node.operation,
                cost=costs[position] if costs else None,
            )
            for position, node in enumerate(nodes)
        ),
        size=estimate_bytes(text, document, shown),
    )


def estimate_bytes(
    text: str, document: DocumentNode | None, errors: Sequence[GraphQLError] = ()
) -> int:
    """Estimate from above the memory that a document's entry holds, in bytes."""
    tokens = document.token_count if document else 0
    messages = sum(len(error.message) for error in errors)
    return (
        _BYTES_PER_ENTRY
        + _BYTES_PER_TOKEN * (tokens or 0)
        + _BYTES_PER_CHARACTER * (len(text) + messages)
        + _BYTES_PER_ERROR * len(errors)
    )
