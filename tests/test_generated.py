"""Files that are made from the code, and the promise that a change which breaks clients is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from graphql import GraphQLSchema, build_schema, find_breaking_changes

from pith_graph.gql.schema import print_sdl
from tests.readme import README, render_readme

ROOT = Path(__file__).parent.parent
# The schema that clients were last told of; a release replaces it by schema.graphql.
PROMISED = Path(__file__).parent / "promised.graphql"


def untold_changes(promised: GraphQLSchema, schema: GraphQLSchema, changelog: str) -> list[str]:
    """Return the breaking changes that the changelog's unreleased Schema section does not name."""
    unreleased = changelog.partition("## Unreleased")[2].partition("\n## ")[0]
    told = unreleased.partition("### Schema")[2].partition("\n### ")[0]
    return [
        change.description
        for change in find_breaking_changes(promised, schema)
        if not any(f"`{name}`" in told for name in _names(change.description))
    ]


def _names(description: str) -> list[str]:
    return re.findall(r"[A-Z]\w*(?:\.\w+)?", description)


def test_schema_graphql_is_what_the_code_prints():
    written = (ROOT / "schema.graphql").read_text(encoding="utf-8")
    assert written == print_sdl(), "run `pith-graph schema > schema.graphql`"


def test_the_readme_shows_what_the_code_makes():
    text = README.read_text(encoding="utf-8")
    assert text == render_readme(text), "run `make readme`"


def test_no_client_is_broken_without_a_line_in_the_changelog():
    promised = build_schema(PROMISED.read_text(encoding="utf-8"))
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert untold_changes(promised, build_schema(print_sdl()), changelog) == []


@pytest.mark.parametrize(
    ("told", "untold"), [("", 1), ("- `Paper.title` is gone.", 0), ("- `Paper` is better.", 1)]
)
def test_a_removed_field_needs_its_name_in_the_schema_section(told, untold):
    promised = build_schema("type Query { paper: Paper } type Paper { title: String id: ID }")
    schema = build_schema("type Query { paper: Paper } type Paper { id: ID }")
    changelog = f"## Unreleased\n\n### Added\n\n- `Paper.title`\n\n### Schema\n\n{told}\n\n## 1.0\n"
    assert len(untold_changes(promised, schema, changelog)) == untold


def test_the_python_lines_of_the_readme_verify_the_sample_record(monkeypatch, capsys):
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(ROOT)
    exec(compile(code.replace("open(", "_read("), "README.md", "exec"), {"_read": _read})  # noqa: S102  # our own README
    assert capsys.readouterr().out == "True\n"


class _Closed:
    """A file's text for ``json.load``; the README's ``open`` leaves closing to the interpreter."""

    def __init__(self, text: str) -> None:
        self._text = text

    def read(self) -> str:
        return self._text


def _read(path: str) -> _Closed:
    return _Closed(Path(path).read_text(encoding="utf-8"))
