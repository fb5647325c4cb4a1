"""The validation of a document: the specification's rules, with a bound on the quadratic one.

``gql/documents.py`` calls it for documents within the structural limits.
"""

from __future__ import annotations

from typing import Final

from graphql import (
    ASTValidationRule,
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    OverlappingFieldsCanBeMergedRule,
    ValidationContext,
    specified_rules,
    validate,
)
from graphql.validation.validate import ValidationAbortedError
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule

from pith_graph.gql.errors import ErrorCode, build_error, with_code

MERGE_BUDGET: Final = 50_000
"""Units of comparing that one document's fields may take: about 0.15 s at the worst.

graphql-core's own bound is ten times as high. The record query takes a few hundred.
"""

_MOST_ERRORS = 20


class BoundedMergeRule(OverlappingFieldsCanBeMergedRule):
    """Fields that merge must agree; given up when there are too many pairs to compare."""

    def __init__(self, context: ValidationContext) -> None:
        super().__init__(context)
        self.rule_context.remaining_complexity_budget = MERGE_BUDGET


def _bounded(rule: type[ASTValidationRule]) -> type[ASTValidationRule]:
    return BoundedMergeRule if rule is OverlappingFieldsCanBeMergedRule else rule


_RULES = (*map(_bounded, specified_rules), MaybeNullValidationRule, OneOfInputValidationRule)


def validate_document(schema: GraphQLSchema, document: DocumentNode) -> list[GraphQLError]:
    """Validate a document; each error carries ``GRAPHQL_VALIDATION_FAILED`` in its extensions.

    A document that would take too long to compare is ``COST_LIMIT_EXCEEDED``. At most 21 errors
    are returned.
    """
    errors = validate(schema, document, _RULES, max_errors=_MOST_ERRORS)
    if errors and _was_given_up(errors[-1], found=len(errors) - 1):
        return [
            build_error(
                ErrorCode.COST_LIMIT_EXCEEDED,
                "The document names the same fields so often, or nests fragments so deep, that "
                "checking whether they agree takes too long. Ask for each field once.",
            )
        ]
    return [with_code(error, ErrorCode.GRAPHQL_VALIDATION_FAILED) for error in errors]


def _was_given_up(last: GraphQLError, *, found: int) -> bool:
    """Whether validation stopped for want of budget rather than of room for more errors."""
    return isinstance(last, ValidationAbortedError) and found < _MOST_ERRORS
