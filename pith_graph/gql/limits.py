"""What a document may look like before it is validated.

Depth, aliases, directives, root fields and breadth are counted with fragments laid open, in one
linear pass. ``gql/documents.py`` calls it after parsing: validation compares fields pairwise, and
is run only on documents within these limits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from graphql import DocumentNode, FragmentDefinitionNode, GraphQLError, OperationDefinitionNode

from pith_graph.gql.errors import ErrorCode, build_error
from pith_graph.gql.structure import LARGEST_TOTAL, Totals, measure
from pith_graph.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much structure a document may have; all but the first two per operation.

    Attributes:
        operations: Operations in the document.
        fragments: Fragment definitions in the document.
        depth: Nesting of fields.
        aliases: Aliases.
        directives: Directives.
        root_fields: Fields of the root selection.
        breadth: Fields of any one selection set. Validation compares them pairwise.
        introspection_lists: Lists asked of ``__schema`` and ``__type``; the standard introspection
            query has nine.
        introspection_depth: Nesting of those lists from which types are reached again. They are
            answered without a pause and multiply: fields of the types of all fields of all types
            took a hundred times as long as the standard query.
    """

    operations: int = 50
    fragments: int = 250
    depth: int
    aliases: int
    directives: int
    root_fields: int
    breadth: int = 500
    introspection_lists: int = 12
    introspection_depth: int = 2

    @classmethod
    def from_settings(cls, settings: Settings) -> Limits:
        """Take the limits that are settings; the others keep their defaults."""
        return cls(
            depth=settings.max_depth,
            aliases=settings.max_aliases,
            directives=settings.max_directives,
            root_fields=settings.max_root_fields,
        )


def find_excesses(document: DocumentNode, limits: Limits) -> list[GraphQLError]:
    """Return one error for every limit that an operation, a fragment or the document exceeds.

    The message names the limit, what was asked for and what to do instead. A document without
    excess is small enough to be validated.
    """
    fragments = [d for d in document.definitions if isinstance(d, FragmentDefinitionNode)]
    operations = [d for d in document.definitions if isinstance(d, OperationDefinitionNode)]
    crowded = list(_find_crowds(len(operations), len(fragments), limits))
    if crowded:
        return crowded
    excesses: list[GraphQLError] = []
    for definition, totals in measure(document):
        excesses.extend(_compare(totals, limits, where=_title(definition)))
    return excesses


def _find_crowds(operations: int, fragments: int, limits: Limits) -> Iterator[GraphQLError]:
    if operations > limits.operations:
        yield _excess("operations", operations, limits.operations, where="The document")
    if fragments > limits.fragments:
        yield _excess("fragments", fragments, limits.fragments, where="The document")


def _compare(totals: Totals, limits: Limits, *, where: str) -> Iterator[GraphQLError]:
    if totals.depth > limits.depth:
        yield build_error(
            ErrorCode.DEPTH_LIMIT_EXCEEDED,
            f"{where} nests fields {totals.depth} deep; the limit is {limits.depth}. "
            "Ask for the deeper part in a second query, from the ids that the first one answers.",
            requested=totals.depth,
            limit=limits.depth,
        )
    for noun, asked, limit in (
        ("aliases", totals.aliases, limits.aliases),
        ("directives", totals.directives, limits.directives),
        ("root fields", totals.root_fields, limits.root_fields),
        ("fields in one selection set", totals.breadth, limits.breadth),
        ("introspection lists", totals.introspection_lists, limits.introspection_lists),
        (
            "introspection lists within each other",
            totals.introspection_depth,
            limits.introspection_depth,
        ),
    ):
        # A fragment has no root; its outermost fields count where it is spread.
        if asked > limit and not (noun == "root fields" and where.startswith("Fragment")):
            yield _excess(f"{noun}, fragments laid open", asked, limit, where=where)


def _excess(noun: str, asked: int, limit: int, *, where: str) -> GraphQLError:
    number = f"more than {LARGEST_TOTAL - 1}" if asked >= LARGEST_TOTAL else str(asked)
    return build_error(
        ErrorCode.COST_LIMIT_EXCEEDED,
        f"{where} has {number} {noun}; the limit is {limit}. Split it into several requests.",
        requested=asked,
        limit=limit,
    )


def _title(definition: OperationDefinitionNode | FragmentDefinitionNode) -> str:
    kind = "Fragment" if isinstance(definition, FragmentDefinitionNode) else "Operation"
    return f"{kind} {definition.name.value[:80]}" if definition.name else "The operation"
