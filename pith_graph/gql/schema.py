"""The schema: the types, the scalars and the description that carries the refusal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from strawberry.extensions import SchemaExtension
from strawberry.printer import print_schema
from strawberry.schema.config import StrawberryConfig

from pith_graph.gql.enums import register_enums
from pith_graph.gql.execution import CompiledExecution
from pith_graph.gql.scalars import SCALARS
from pith_graph.gql.service import ServedSchema, current_plans
from pith_graph.gql.types.query import Query
from pith_graph.record_text import REFUSAL
from pith_graph.vocabulary import CoverageLane, ResolutionStatus

DESCRIPTION = (
    "A citation graph served with its evidence. An edge means that one paper names another. "
    f"{REFUSAL}\n\n"
    "An empty list and a null say what they mean: an error, a source that was not asked and a lane "
    "that was not measured are never an answer of zero."
)


LIST_HINTS: Mapping[tuple[str, str], int] = {
    ("Paper", "coverage"): len(CoverageLane),
    ("CitationRecord", "coverage"): len(CoverageLane),
    ("ReferenceResolution", "stateCounts"): len(ResolutionStatus),
}
"""How long the lists are that no argument bounds, for the cost of an operation."""


@cache
def build_schema(*, compiled: bool = True) -> ServedSchema:
    """Build the schema, once a process, with the compiled execution or without."""
    return make_schema(lambda: CompiledExecution(plans=current_plans, compiles=compiled))


def make_schema(*extensions: Callable[[], SchemaExtension]) -> ServedSchema:
    """Make the schema anew, with extensions."""
    register_enums()
    config = StrawberryConfig(scalar_map=SCALARS)
    schema = ServedSchema(Query, config=config, extensions=extensions)
    schema._schema.description = DESCRIPTION  # noqa: SLF001  # Strawberry takes none
    return schema


def print_sdl() -> str:
    """Print the schema in the schema definition language, as ``schema.graphql`` has it."""
    return print_schema(build_schema()).rstrip() + "\n"
