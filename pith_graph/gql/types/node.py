"""Relay's Node: global ids of papers, citations and works, made of their public ids."""

from __future__ import annotations

import base64
import binascii
from typing import TypeAlias
from uuid import UUID

import strawberry

from pith_graph.errors import InputError, shorten
from pith_graph.identifiers import is_arxiv_id
from pith_graph.read.loaders import Loaders
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
        return encode_global_id("Paper", row.arxiv_id)
    if isinstance(row, CitationRow):
        return encode_global_id("Citation", row.observation_id)
    return encode_global_id("Work", row.work_id)


def encode_global_id(kind: str, public_id: str) -> strawberry.ID:
    """Encode the global id of what a type's name and a public id name."""
    name = f"{kind}:{public_id}"
    return strawberry.ID(base64.urlsafe_b64encode(name.encode()).decode())


async def find_node(loaders: Loaders, kind: str, public_id: str) -> NodeRow | None:
    """Load a node by its type's name and its public id; None where the store does not hold it."""
    if kind == "Paper":
        return await loaders.papers.load(public_id)
    if kind == "Citation":
        return await loaders.citations.load(public_id)
    return await loaders.works_by_id.load(public_id)


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
