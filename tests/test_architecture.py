"""The package's layers and shape, read from its source: arrows between layers only point down."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "pith_graph"

# What each layer may import beside itself and the ground floor: a layer, or one module of it.
MAY_IMPORT: dict[str, set[str]] = {
    "sources": set(),
    "resolve": set(),
    "fetch": set(),
    "ingest": {"sources", "resolve", "store"},
    "store": set(),
    "read": {"store.tables", "store.types"},
    "record": {"read"},
    "gql": {"read", "record"},
    "web": {"gql", "record", "read", "store.engine", "store.revision"},
    "cli": {"*"},
}
GROUND = "ground"

# Importing these alone gives a module the means to write SQL.
SQL_LAYERS = {"store", "read"}
# What builds an engine, the settings or a client, and where alone it may be called.
BUILDERS = {
    "Settings",
    "create_async_engine",
    "create_engine",
    "create_read_engine",
    "create_write_engine",
}
MAY_BUILD = ("web.app", "cli.")
LONGEST = 500
# Could be lifted out: it says how it is used, and knows nothing of the rest.
LIBRARY = PACKAGE / "gql" / "execution"


@dataclass(frozen=True, slots=True)
class Module:
    """One file of the package. ``name`` is without the package's own."""

    name: str
    path: Path

    @property
    def layer(self) -> str:
        return self.name.split(".", maxsplit=1)[0] if "." in self.name else GROUND

    @property
    def tree(self) -> ast.Module:
        return parse(self.path)


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), path.name)


def all_modules() -> Iterator[Module]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts != ("__init__",):
            yield Module(".".join(part for part in parts if part != "__init__"), path)


MODULES = [module for module in all_modules() if module.path.name != "__init__.py"]
each_module = pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)


def imports_of(module: Module, *, typing_too: bool = True) -> Iterator[str]:
    """Yield what a module imports, each as a dotted name of a module or of something in it."""
    for node in walk(module.tree, typing_too=typing_too):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module.name} has a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def walk(node: ast.AST, *, typing_too: bool) -> Iterator[ast.AST]:
    """Walk a tree, perhaps without what is there for type checkers alone."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and not typing_too:
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from walk(child, typing_too=typing_too)


def own_imports_of(module: Module, *, typing_too: bool = True) -> Iterator[str]:
    """Yield the modules of this package that a module imports, without the package's name."""
    known = {other.name for other in MODULES}
    for name in imports_of(module, typing_too=typing_too):
        if not name.startswith("pith_graph."):
            continue
        own = name.removeprefix("pith_graph.")
        while own not in known and "." in own:
            own = own.rpartition(".")[0]
        if own in known:
            yield own


def test_every_folder_of_the_package_is_a_layer_with_rules() -> None:
    assert {module.layer for module in MODULES} - {GROUND} <= set(MAY_IMPORT)


@each_module
def test_arrows_point_down(module: Module) -> None:
    allowed = MAY_IMPORT.get(module.layer, set())
    for name in own_imports_of(module):
        layer = name.split(".", maxsplit=1)[0] if "." in name else GROUND
        fine = layer in {GROUND, module.layer, *allowed} or name in allowed or "*" in allowed
        assert fine, f"{module.name} imports {name}; {module.layer} may import {sorted(allowed)}"


@each_module
def test_no_imports_go_round_in_a_circle(module: Module) -> None:
    """GraphQL's types do name each other, for the type checker, as the graph does."""
    by_name = {other.name: other for other in MODULES}
    seen: set[str] = set()
    ahead = list(own_imports_of(module, typing_too=False))
    while ahead:
        name = ahead.pop()
        assert name != module.name, f"{module.name} imports itself by way of others"
        if name not in seen:
            seen.add(name)
            ahead += own_imports_of(by_name[name], typing_too=False)


@each_module
def test_sql_is_written_in_store_and_read_alone(module: Module) -> None:
    if module.layer in SQL_LAYERS:
        return
    means = {"select", "insert", "update", "delete", "text", "Table", "Column", "column", "table"}
    for name in imports_of(module):
        owner, _, imported = name.rpartition(".")
        assert not (owner.startswith("sqlalchemy") and imported in means), name
        assert owner not in {"sqlite3", "aiosqlite", "asyncpg"}, name
        assert name not in {"sqlite3", "aiosqlite", "asyncpg", "sqlalchemy"}, name


@each_module
def test_only_the_composition_roots_build_engines_and_settings(module: Module) -> None:
    if module.name.startswith(MAY_BUILD) or module.name == "store.engine":
        return
    called = {name_of(call.func) for call in ast.walk(module.tree) if isinstance(call, ast.Call)}
    assert not called & BUILDERS


@each_module
def test_nothing_is_built_at_import(module: Module) -> None:
    built = {*BUILDERS, "Starlette", "Typer", "ServedSchema", "Schema", "open", "AsyncClient"}
    allowed = {"Typer"}  # a command registers itself on it
    for statement in module.tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        called = {name_of(call.func) for call in at_import(statement) if isinstance(call, ast.Call)}
        assert not called & (built - allowed), f"line {statement.lineno}"


def at_import(node: ast.AST) -> Iterator[ast.AST]:
    """Walk what runs when a module is imported: not the bodies of functions."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from at_import(child)


def name_of(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


@each_module
def test_no_module_is_longer_than_one_reads(module: Module) -> None:
    assert len(module.path.read_text().splitlines()) <= LONGEST


@each_module
def test_every_module_says_what_lives_in_it(module: Module) -> None:
    assert ast.get_docstring(module.tree)


def test_packages_say_nothing() -> None:
    for file in PACKAGE.rglob("__init__.py"):
        if file.parent not in {PACKAGE, LIBRARY}:
            assert not parse(file).body, file


def test_the_execution_is_a_library_of_its_own() -> None:
    inside = [module for module in MODULES if module.path.parent == LIBRARY]
    assert inside
    for module in inside:
        for name in own_imports_of(module):
            assert name.startswith("gql.execution."), f"{module.name} imports {name}"
