"""The databases that the benchmarks read: loaded once for each shape and version of the code."""

from __future__ import annotations

import hashlib
import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from sqlalchemy.engine import URL

from bench.cluster import on_server
from bench.graph import HUB
from bench.loading import load
from bench.queries import Subject
from bench.shape import Shape
from bench.titles import rare_words
from pith_graph.store.engine import parse_database_url
from pith_graph.vocabulary import ResolutionStatus

_ROOT = Path(__file__).parent.parent
_SUBJECTS = 200


def prepare_sqlite(folder: Path, shape: Shape) -> URL:
    """Return the address of a file with the graph, made where it is missing."""
    file = folder / f"{_name(shape)}.db"
    if not file.exists():
        unfinished = folder / "unfinished.db"
        for left in folder.glob("unfinished.db*"):
            left.unlink()
        load(parse_database_url(f"sqlite+aiosqlite:///{unfinished}"), shape)
        unfinished.rename(file)
    return parse_database_url(f"sqlite+aiosqlite:///{file}")


def prepare_postgresql(server: URL, shape: Shape) -> URL:
    """Return the address of a database with the graph, made where it is missing."""
    name = _name(shape)
    if not on_server(server, f"SELECT 1 FROM pg_database WHERE datname = '{name}'"):  # noqa: S608  # our own name
        on_server(server, "DROP DATABASE IF EXISTS unfinished", "CREATE DATABASE unfinished")
        load(server.set(database="unfinished"), shape)
        on_server(server, f'ALTER DATABASE unfinished RENAME TO "{name}"')
    return server.set(database=name)


def citing_papers(url: URL, seed: int) -> list[Subject]:
    """Choose papers with at least 100 outbound citations, from a SQLite file."""
    return _choose(url, seed, "outbound", 100)


def cited_papers(url: URL, seed: int) -> list[Subject]:
    """Choose papers that are cited at least 20 times, the hub left out, from a SQLite file."""
    return _choose(url, seed, "inbound", 20)


def hub(url: URL) -> Subject:
    """Return the hub, from a SQLite file."""
    return _read(url, "p.id = ?", HUB)[0]


def _choose(url: URL, seed: int, direction: str, fewest: int) -> list[Subject]:
    total = " + ".join(f"c.{direction}_{status.value}" for status in ResolutionStatus)
    found = _read(url, f"{total} >= ? AND p.id <> {HUB}", fewest)
    return random.Random(seed).sample(found, min(_SUBJECTS, len(found)))


def _read(url: URL, condition: str, parameter: int) -> list[Subject]:
    statement = (
        "SELECT p.id, p.arxiv_id, p.title FROM papers p"  # noqa: S608  # our own conditions
        f" JOIN paper_citation_counts c ON c.paper_id = p.id WHERE {condition} ORDER BY p.id"
    )
    with closing(sqlite3.connect(str(url.database))) as connection:
        rows: Sequence[tuple[int, str, str]] = connection.execute(
            statement, (parameter,)
        ).fetchall()
    return [Subject(key, name, rare_words(title)) for key, name, title in rows]


def _name(shape: Shape) -> str:
    """Name a database by its shape and by the code that makes it."""
    digest = hashlib.sha256()
    names = ("shape", "titles", "graph", "loading")
    sources = [Path(__file__).with_name(f"{name}.py") for name in names]
    for source in sources + sorted((_ROOT / "alembic" / "versions").glob("*.py")):
        digest.update(source.read_bytes())
    return f"graph_{shape.citations}_{shape.seed}_{digest.hexdigest()[:8]}"
