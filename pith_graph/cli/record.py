"""``pith-graph record``: print a paper's citation record, rebuilt from rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from datetime import datetime

NOT_HELD = 1
MALFORMED = 2


def record(
    arxiv_id: Annotated[
        str, typer.Argument(help="An arXiv id or DOI in any written form.", show_default=False)
    ],
    as_of: Annotated[
        str | None,
        typer.Option(
            metavar="T", help="As it was known at this time, ISO 8601.", show_default=False
        ),
    ] = None,
) -> None:
    """Print the Paper Citation Record of a paper as canonical JSON and a newline.

    Exit code 0: printed; 1: not held; 2: a malformed id or time, or it could not run.
    """
    import asyncio
    import sys

    from pith_graph.errors import NotHeldError
    from pith_graph.instants import parse_any_instant

    at = None if as_of is None else parse_any_instant(as_of)
    try:
        data = asyncio.run(_build(arxiv_id, at))
    except NotHeldError as error:
        typer.echo(f"pith-graph: {error}", err=True)
        raise typer.Exit(NOT_HELD) from error
    sys.stdout.buffer.write(data + b"\n")
    sys.stdout.buffer.flush()


async def _build(text: str, at: datetime | None) -> bytes:
    from pith_graph.cli.database import read_engine, utc_now
    from pith_graph.errors import InputError
    from pith_graph.gql.context import open_context
    from pith_graph.gql.identify import load_paper
    from pith_graph.identifiers import ArxivId, parse_identifier
    from pith_graph.record.build import build_record, record_bytes
    from pith_graph.record.facts import fetch_past_facts, load_facts
    from pith_graph.settings import Settings

    identifier = parse_identifier(text)
    async with (
        read_engine() as engine,
        open_context(engine, Settings(), clock=utc_now) as context,
    ):
        if at is not None and at > context.now:
            raise InputError("--as-of is yet to come: expected a time up to now")
        if at is not None and isinstance(identifier, ArxivId):
            facts = await fetch_past_facts(context.snapshot, identifier.base, at=at)
        else:
            paper = await load_paper(context, text)
            if at is None:
                facts = await load_facts(context.loaders, paper)
            else:
                facts = await fetch_past_facts(context.snapshot, paper.arxiv_id, at=at)
        return record_bytes(build_record(facts, as_of=at or context.now))
