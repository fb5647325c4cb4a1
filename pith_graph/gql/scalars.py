"""The scalars, each with the document that specifies it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NewType
from uuid import UUID

import strawberry
from strawberry.types.scalar import ScalarDefinition

from pith_graph.errors import InputError, shorten
from pith_graph.instants import parse_any_instant, render_instant

ArxivId = NewType("ArxivId", str)
DOI = NewType("DOI", str)


def _parse_instant(value: Any) -> datetime:
    if not isinstance(value, str):
        raise InputError(f"{shorten(value)} is not an ISO 8601 time in a string")
    return parse_any_instant(value)


def _parse_uuid(value: Any) -> UUID:
    if isinstance(value, str):
        try:
            return UUID(value)
        except ValueError:
            pass
    raise InputError(f"{shorten(value)} is not a UUID such as 24514ff3-c30a-4254-a4ec-ed5a690fdb0a")


SCALARS: dict[object, ScalarDefinition] = {
    datetime: strawberry.scalar(
        name="DateTime",
        description="A UTC time, ISO 8601, to the microsecond; answers end in `Z`.",
        specified_by_url="https://www.rfc-editor.org/rfc/rfc3339",
        serialize=render_instant,
        parse_value=_parse_instant,
    ),
    UUID: strawberry.scalar(
        name="UUID",
        description="A universally unique identifier, in lower case with hyphens.",
        specified_by_url="https://www.rfc-editor.org/rfc/rfc9562",
        serialize=str,
        parse_value=_parse_uuid,
    ),
    ArxivId: strawberry.scalar(
        name="ArxivId",
        description="A bare arXiv identifier without a version: `2509.00217`, `hep-th/9901001`.",
        specified_by_url="https://info.arxiv.org/help/arxiv_identifier.html",
        serialize=str,
        parse_value=str,
    ),
    DOI: strawberry.scalar(
        name="DOI",
        description="A digital object identifier as its source wrote it; compared in lower case.",
        specified_by_url="https://www.doi.org/the-identifier/resources/handbook/",
        serialize=str,
        parse_value=str,
    ),
}
