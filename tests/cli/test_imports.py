"""That commands start fast: what one does not use it does not import."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.commands import ROOT, environment

NEEDED_BY_OTHERS = ("alembic", "asyncpg", "filelock", "hypothesis", "rich", "websockets")


def modules_after(*imported: str) -> set[str]:
    """Return the names of all modules, once these and the entry point are imported."""
    code = f"import sys, pith_graph.cli.main, {', '.join(imported)}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env=environment(None),
        cwd=ROOT,
        timeout=60,
        check=True,
    )
    return set(done.stdout.decode().split())


def test_the_entry_point_imports_no_database_and_no_web_server():
    modules = modules_after("sys")
    assert not modules & {"sqlalchemy", "strawberry", "graphql", "starlette", "uvicorn", "pydantic"}


@pytest.mark.parametrize(
    "imported",
    [
        ("uvicorn", "pith_graph.cli.listening", "pith_graph.cli.database", "pith_graph.web.app"),
        ("pith_graph.cli.database", "pith_graph.gql.context", "pith_graph.record.build"),
    ],
    ids=["serve", "record"],
)
def test_serving_and_printing_a_record_import_nothing_that_only_others_use(imported):
    modules = modules_after(*imported)
    assert not modules & set(NEEDED_BY_OTHERS)
    assert not {
        name for name in modules if name.startswith(("pith_graph.ingest", "pith_graph.sources"))
    }


def test_printing_a_record_imports_no_web_server():
    modules = modules_after("pith_graph.cli.database", "pith_graph.gql.context")
    assert not modules & {"starlette", "uvicorn", "brotli", "zstandard", "pith_graph.web.app"}
