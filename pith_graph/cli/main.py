"""``pith-graph``: the commands, one a module, each importing what it needs when it runs."""

from __future__ import annotations

import sys
from typing import Annotated, NoReturn

import typer

from pith_graph import __version__
from pith_graph.cli import db, ingest, record, schema, serve, verify
from pith_graph.errors import DatabaseNotReadyError, PithError

COULD_NOT_RUN = 2
"""Exit code where a command could not do its work at all."""


def build_app() -> typer.Typer:
    """Build the command-line application."""
    app = typer.Typer(
        name="pith-graph",
        help="A citation graph served with its evidence.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_root)
    app.add_typer(db.build_app(), name="db")
    app.add_typer(ingest.build_app(), name="ingest")
    app.command("record")(record.record)
    app.command("verify")(verify.verify)
    app.command("schema")(schema.schema)
    app.command("serve")(serve.serve)
    return app


def main() -> None:
    """Run a command; an error raised on purpose is one line on standard error, exit code 2."""
    try:
        build_app()()
    except PithError as error:
        _give_up(f"{error}{_words_of_the_driver(error)}")
    except ValueError as error:
        from pydantic import ValidationError

        if not isinstance(error, ValidationError) or error.title != "Settings":
            raise
        # Without the value, which may be a secret: the variable's name says where to look.
        _give_up(
            "; ".join(
                f"PITH_{str(problem['loc'][0]).upper()}: {problem['msg']}"
                for problem in error.errors(include_url=False, include_input=False)
            )
        )


def _words_of_the_driver(error: PithError) -> str:
    """Return what the database's driver said, for the operator's eyes alone."""
    cause = error.__cause__
    if not isinstance(error, DatabaseNotReadyError) or cause is None:
        return ""
    return f" ({getattr(cause, 'orig', cause)})"


def _give_up(reason: str) -> NoReturn:
    sys.stderr.write(f"pith-graph: {reason}\n")
    sys.exit(COULD_NOT_RUN)


def _show_version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"pith-graph {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[  # noqa: FBT002  # read by its callback; options are booleans
        bool,
        typer.Option(
            "--version",
            help="Show the version.",
            is_eager=True,
            callback=lambda value: _show_version(wanted=value),
        ),
    ] = False,
) -> None:
    """Run before every command."""
