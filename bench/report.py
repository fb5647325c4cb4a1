"""Writing what was found: a table on the terminal, a section of ``RESULTS.md``, a plot.

Each benchmark owns a section between two markers, and leaves the others as they are.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.plot import render_bars
from bench.results import Results

_FOLDER = Path(__file__).parent
_HEAD = """# Results

`make bench` and `make bench-scale` write this and their sections anew; what follows stays. Every
ratio is of one run, in which the servers were asked in turns about the same papers, each a process
of its own on the loopback, without compression.

- **One hop**: a paper with 100 of its outbound citations, each with its resolution, cited paper,
  cited work and standing. **Two hops**: the same with 100 outbound citations of every cited paper.
- **floor**: the bare driver, the same rows and fields, orjson, the same Starlette and uvicorn. Its
  answer is byte for byte the server's `data`; a run in which it is not ends.
- **graphql-core**: this server with `PITH_COMPILED_EXECUTION=false`: the same schema and loaders.
- **PostGraphile** reads the same PostgreSQL, **datasette-graphql** the same SQLite file.
- The graph is made up with the field's shape: 5 to 300 references a paper, inbound citations by a
  power law, a tenth of all to one hub, a fifth of the references unresolved, a notice on one work
  in 500. It is loaded in bulk and `pith-graph verify --store` finds nothing wrong with it.
"""


def print_checks(results: Results) -> None:
    """Print the ratios against their targets."""
    table = Table()
    for heading in ("what", "database", "found", "target", ""):
        table.add_column(heading)
    for check in results.checks:
        said = "met" if check.met else "[bold red]missed[/]"
        table.add_row(check.what, check.database, f"{check.found:.2f}", str(check.target), said)
    Console(width=120).print(table)


def write_section(name: str, title: str, results: Results, notes: list[str]) -> None:
    """Write a section of ``RESULTS.md`` and its plot."""
    plot = f"{name}.svg"
    (_FOLDER / plot).write_text(render_bars(title, results.bars, "ms"), encoding="utf-8")
    checks = [
        f"| {check.what} | {check.database} | {check.found:.2f} | {check.target} "
        f"| {'met' if check.met else '**missed**'} |"
        for check in results.checks
    ]
    figures = [f"| {one.what} | {one.database} | {one.value} |" for one in results.figures]
    lines = [
        f"## {title}",
        "",
        *(f"- {note}" for note in [f"{datetime.now(UTC):%Y-%m-%d}", *notes]),
        "",
        f"![{title}, in milliseconds]({plot})",
        "",
        "| ratio or figure | database | found | target | |",
        "|---|---|---|---|---|",
        *checks,
        "",
        "| measured | database | |",
        "|---|---|---|",
        *figures,
    ]
    file = _FOLDER / "RESULTS.md"
    text = with_head(file.read_text(encoding="utf-8") if file.exists() else "")
    file.write_text(replace_section(text, name, "\n".join(lines)), encoding="utf-8")


def with_head(text: str) -> str:
    """Return a text with what stands above its first section written anew."""
    begin = text.find("<!-- ")
    return _HEAD if begin < 0 else f"{_HEAD}\n{text[begin:]}"


def replace_section(text: str, name: str, section: str) -> str:
    """Return a text with the section between a name's markers replaced, or added at the end."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    marked = f"{begin}\n{section}\n{end}\n"
    if begin not in text or end not in text:
        return f"{text.rstrip()}\n\n{marked}"
    before, after = text.split(begin, 1)[0], text.split(end, 1)[1]
    return before + marked + after.removeprefix("\n")
