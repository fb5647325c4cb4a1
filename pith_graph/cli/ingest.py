"""``pith-graph ingest``: read files into the store, one command a kind of file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pith_graph.ingest.records import Ingest, RecordReport

SOME_REFUSED = 1
"""Exit code where at least one record was refused."""

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...",
        help="JSON, JSON Lines or either gzipped; `-` is standard input.",
        show_default=False,
    ),
]


def build_app() -> typer.Typer:
    """Build the group of commands."""
    app = typer.Typer(help="Read files into the store.", no_args_is_help=True)
    app.callback()(_group)
    app.command("record")(record)
    return app


def _group() -> None:
    """Group the commands, so that one alone does not take the group's place."""


def record(files: Files) -> None:
    """Take in Paper Citation Records.

    Each record is a transaction: it is taken in whole, or refused whole with its place and reason.
    Exit code 0: all were taken in or known already; 1: some were refused; 2: it could not run.
    """
    import asyncio

    ingest = asyncio.run(_run(files))
    counts = ", ".join(f"{count} {result}" for result, count in sorted(ingest.counts.items()))
    typer.echo(f"{ingest.counts.total()} records: {counts or 'none'}")
    if any(result == "refused" for result in ingest.counts):
        raise typer.Exit(SOME_REFUSED)


async def _run(files: list[str]) -> Ingest:
    from pith_graph.cli.database import utc_now, write_engine
    from pith_graph.ingest.records import Ingest

    async with write_engine() as (engine, url):
        ingest = Ingest(engine, url, utc_now)
        for file in files:
            for report in await ingest.run(file):
                _show(report)
    return ingest


def _show(report: RecordReport) -> None:
    if report.reason is not None:
        typer.echo(f"{report.place}: refused: {report.reason}", err=True)
        return
    typer.echo(f"{report.place}: {report.arxiv_id} {report.result}")
    for warning in report.warnings:
        typer.echo(f"{report.place}: note: {warning}", err=True)
