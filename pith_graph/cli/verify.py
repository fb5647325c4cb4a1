"""``pith-graph verify``: recompute digests in record files, or check the store against itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pith_graph.sources.record_files import RawRecord, RefusedRecord
    from pith_graph.store.check import Problem

DIFFERS = 1
"""Exit code where something differs or cannot be read."""


def verify(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE]...",
            help="Record files as `ingest record` reads them; `-` is standard input.",
            show_default=False,
        ),
    ] = None,
    store: Annotated[  # noqa: FBT002  # an option is a boolean
        bool, typer.Option("--store", help="Check the store's counts, search text and history.")
    ] = False,
) -> None:
    """Verify records by their digests, or the store by counting again.

    Exit code 0: all match; 1: something differs or cannot be read.
    """
    if bool(files) == store:
        raise typer.BadParameter("expected files, or --store")
    problems = _verify_store() if store else sum(_verify_file(file) for file in files or ())
    if problems:
        raise typer.Exit(DIFFERS)


def _verify_file(file: str) -> int:
    """Verify one file, print what differs, and return how many problems it has."""
    from pith_graph.errors import RecordRefusedError
    from pith_graph.sources.record_files import open_record_file

    problems = 0
    try:
        with open_record_file(file) as opened:
            for raw in opened.split():
                problems += _verify_record(raw)
    except RecordRefusedError as error:
        typer.echo(f"{file}: {error}", err=True)
        problems += 1
    return problems


def _verify_record(raw: RawRecord | RefusedRecord) -> int:
    from pith_graph.errors import RecordRefusedError
    from pith_graph.sources.record_digests import verify_document
    from pith_graph.sources.record_files import RefusedRecord

    if isinstance(raw, RefusedRecord):
        typer.echo(f"{raw.place}: {raw.error}", err=True)
        return 1
    try:
        mismatches = verify_document(raw.data)
    except RecordRefusedError as error:
        typer.echo(f"{raw.place}: {error}", err=True)
        return 1
    for mismatch in mismatches:
        typer.echo(f"{raw.place}: {mismatch.place}: {mismatch.reason}", err=True)
    if not mismatches:
        typer.echo(f"{raw.place}: all digests match")
    return len(mismatches)


def _verify_store() -> int:
    """Check the store, print its problems, and return how many there are."""
    import asyncio

    problems = asyncio.run(_check_store())
    for problem in problems:
        typer.echo(str(problem), err=True)
    typer.echo(f"{len(problems)} problems" if problems else "the store agrees with itself")
    return len(problems)


async def _check_store() -> list[Problem]:
    from pith_graph.cli.database import read_engine
    from pith_graph.store.check import check_store

    async with read_engine() as engine:
        return await check_store(engine)
