"""``pith-graph schema``: print the GraphQL schema."""

from __future__ import annotations

import typer


def schema() -> None:
    """Print the GraphQL schema in the schema definition language."""
    from pith_graph.gql.schema import print_sdl

    typer.echo(print_sdl(), nl=False)
