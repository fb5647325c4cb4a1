"""``pith-graph db upgrade``."""

from __future__ import annotations

import pytest

from pith_graph.store.revision import HEAD
from tests.cli.conftest import execute, rows_of
from tests.commands import run
from tests.databases import KINDS, made_database
from tests.records import SEED_ID, seed_path


@pytest.mark.parametrize("kind", KINDS)
def test_an_upgrade_makes_a_database_and_doing_it_again_changes_nothing(kind, tmp_path):
    with made_database(kind, tmp_path, migrated=False) as database:
        for _ in range(2):
            result = run("db", "upgrade", database=database)
            assert (result.code, result.err) == (0, "")
            assert result.text.endswith(f" is at revision {HEAD}\n")
        assert run("ingest", "record", str(seed_path), database=database).code == 0
        before = rows_of(database)
        assert run("db", "upgrade", database=database).code == 0
        assert rows_of(database) == before


def test_the_default_is_a_file_in_the_working_folder(tmp_path):
    assert run("db", "upgrade", cwd=tmp_path).code == 0
    assert (tmp_path / "pith-graph.db").exists()
    assert run("ingest", "record", str(seed_path), cwd=tmp_path).code == 0
    assert run("record", SEED_ID, cwd=tmp_path).code == 0


def test_a_path_with_odd_characters_is_a_path(tmp_path):
    folder = tmp_path / "a folder, é"
    folder.mkdir()
    url = f"sqlite+aiosqlite:///{folder}/graph 1.db"
    assert run("db", "upgrade", database=url).code == 0
    assert run("ingest", "record", str(seed_path), database=url).code == 0
    assert run("record", SEED_ID, database=url).code == 0
    assert (folder / "graph 1.db").exists()


@pytest.mark.parametrize("path", ["missing/x.db", "file/x.db", "."])
def test_a_file_that_cannot_be_made_is_named(path, tmp_path):
    (tmp_path / "file").touch()
    result = run("db", "upgrade", database=f"sqlite+aiosqlite:///{tmp_path / path}")
    assert (result.code, result.out) == (2, b"")
    assert str(tmp_path) in result.err
    assert "unable to open database file" in result.err


def test_what_is_no_database_is_left_as_it_is(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("not a database " * 100)
    result = run("db", "upgrade", database=f"sqlite+aiosqlite:///{file}")
    assert result.code == 2
    assert "file is not a database" in result.err
    assert file.read_text() == "not a database " * 100


def test_a_database_of_a_newer_version_is_not_touched(database):
    execute(database, "UPDATE alembic_version SET version_num = '9999'")
    before = rows_of(database)
    result = run("db", "upgrade", database=database)
    assert result.code == 2
    assert "a newer version may have made it" in result.err
    assert "'9999'" in result.err
    assert rows_of(database) == before
