"""Bringing a database to the head revision, with Alembic. ``pith-graph db upgrade`` calls it."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy.engine import URL


def migrations_folder() -> Path:
    """Return the folder of migrations: in a wheel inside the package, else at the root."""
    package = Path(__file__).parent.parent
    installed = package / "migrations"
    return installed if installed.is_dir() else package.parent / "alembic"


def alembic_config(url: URL) -> Config:
    """Build Alembic's configuration for a database, without an ``alembic.ini``."""
    config = Config()
    config.set_main_option("script_location", str(migrations_folder()).replace("%", "%%"))
    config.attributes["url"] = url
    return config


def upgrade(url: URL) -> None:
    """Run all migrations that the database lacks; none where it is at head."""
    command.upgrade(alembic_config(url), "head")
