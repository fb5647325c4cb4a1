"""Relay's Node: global ids of papers, citations and works, made of their public ids."""

from __future__ import annotations

import base64
import binascii
from typing import TypeAlias
from uuid import UUID

import strawberry

from pith_graph.errors import InputError, shorten
from pith_graph.identifiers import is_arxiv_id
from pith_graph.read.rows import CitationRow, PaperRow, WorkRow

NodeRow: TypeAlias = PaperRow | CitationRow | WorkRow
"""The source objects of nodes."""


@strawberry.interface(description="Something with a global id, which `node(id:)` finds again.")
class Node:
    """Relay's interface."""

    @strawberry.field(description="The global id: opaque, stable, made of the public identifier.")
    def id(parent: strawberry.Parent[NodeRow]) -> strawberry.ID:
        """Return the global id."""
        return render_global_id(parent)


def render_global_id(row: NodeRow) -> strawberry.ID:
    """Encode the global id of a row."""
    if isinstance(row, PaperRow):
        name = f"Paper:{row.arxiv_id}"
    elif isinstance(row, CitationRow):
        name = f"Citation:{row.observation_id}"
    else:
        name = f"Work:{row.work_id}"
    return strawberry.ID(base64.urlsafe_b64encode(name.encode()).decode())


def parse_global_id(text: str) -> tuple[str, str]:
    """Decode a global id into its kind and its public id, which is well-formed.

    Raises:
        InputError: Not a global id of this schema.
    """
    try:
        decoded = base64.b64decode(text.encode(), altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError) as error:
        raise _no_global_id(text) from error
    kind, _, public_id = decoded.partition(":")
    if kind == "Paper" and is_arxiv_id(public_id):
        return kind, public_id
    if kind in {"Citation", "Work"}:
        try:
            return kind, str(UUID(public_id))
        except ValueError as error:
            raise _no_global_id(text) from error
    raise _no_global_id(text)


def _no_global_id(text: str) -> InputError:
    return InputError(
        f"{shorten(text)} is not a global id: expected the `id` of a Paper, Citation or Work"
    )
