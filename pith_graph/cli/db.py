"""``pith-graph db``: the database's schema."""

from __future__ import annotations

import typer


def build_app() -> typer.Typer:
    """Build the group of commands."""
    app = typer.Typer(help="The database's schema.", no_args_is_help=True)
    app.callback()(_group)
    app.command("upgrade")(upgrade)
    return app


def _group() -> None:
    """Group the commands, so that one alone does not take the group's place."""


def upgrade() -> None:
    """Bring the database of PITH_DATABASE_URL to this version's schema; make it if it is new."""
    from alembic.util import CommandError

    from pith_graph.cli.database import explained_errors
    from pith_graph.errors import StoreError
    from pith_graph.settings import Settings
    from pith_graph.store import migrations
    from pith_graph.store.engine import parse_database_url
    from pith_graph.store.revision import HEAD

    url = parse_database_url(Settings().database_url)
    try:
        with explained_errors(url):
            migrations.upgrade(url)
    except CommandError as error:
        raise StoreError(
            f"the database cannot be upgraded to revision {HEAD}, a newer version may have made "
            f"it: {error}"
        ) from error
    typer.echo(f"{url.render_as_string(hide_password=True)} is at revision {HEAD}")
