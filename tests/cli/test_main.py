"""The program: its version, its help, and how it fails."""

from __future__ import annotations

import subprocess

import pytest

from pith_graph import __version__
from tests.commands import Result, command_line, environment, run

UNREACHABLE = "postgresql+asyncpg://someone:hidden@127.0.0.1:1/graph"


def test_the_version_is_the_packages():
    result = run("--version")
    assert (result.code, result.text, result.err) == (0, f"pith-graph {__version__}\n", "")


def test_help_names_every_command():
    text = run("--help").text
    for command in ("db", "ingest", "record", "verify", "schema", "serve"):
        assert f"  {command} " in text


@pytest.mark.parametrize(
    "arguments",
    [["nonsense"], ["--nonsense"], ["db", "nonsense"], ["record"], ["ingest", "record"]],
)
def test_a_wrong_use_is_two_and_says_so(arguments):
    result = run(*arguments)
    assert (result.code, result.out) == (2, b"")
    assert "Usage: pith-graph" in result.err


@pytest.mark.parametrize(
    ("arguments", "url", "message"),
    [
        ("db upgrade", "mysql://someone:hidden@host/graph", "the database driver 'mysql' is not"),
        ("ingest record x", "postgresql://a:hidden@host/x", "expected sqlite+aiosqlite:///PATH or"),
        ("serve", "://hidden", "the database URL cannot be read"),
        ("record 2509.00217", "sqlite+aiosqlite://", "a SQLite database needs a file"),
        ("db upgrade", f"{UNREACHABLE}?sslmode=require", "'sslmode', which asyncpg does not take"),
        ("db upgrade", UNREACHABLE, "Connect call failed"),
        ("ingest record x", UNREACHABLE, "Connect call failed"),
        ("record 2509.00217", UNREACHABLE, "Connect call failed"),
        ("verify --store", UNREACHABLE, "Connect call failed"),
        ("serve", UNREACHABLE, "Connect call failed"),
    ],
)
def test_a_database_that_cannot_be_used_is_one_line_without_secrets(arguments, url, message):
    result = run(*arguments.split(), database=url)
    assert message in check_refusal(result)


@pytest.mark.parametrize(
    "arguments", ["db upgrade", "ingest record x", "record 2509.00217", "serve"]
)
def test_a_setting_that_cannot_be_is_named_without_its_value(arguments):
    settings = {"PITH_MAX_DEPTH": "hidden", "PITH_LOG_LEVEL": "hidden", "PITH_MAX_COST": "0"}
    result = run(*arguments.split(), database=UNREACHABLE, settings=settings)
    line = check_refusal(result)
    for name in settings:
        assert f"{name}: " in line


def check_refusal(result: Result) -> str:
    assert (result.code, result.out) == (2, b"")
    assert result.err.startswith("pith-graph: ")
    assert result.err.count("\n") == 1
    assert "hidden" not in result.err
    return result.err


def test_a_reader_that_goes_away_is_no_traceback():
    with subprocess.Popen(
        command_line("schema"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(None),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
