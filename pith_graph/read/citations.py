"""The columns and joins of a citation, and turning flat result rows into `CitationRow`.

What is selected is what is asked for: a shape says which attributes, and an end that is not looked
at is not joined. `pages`, `queries` and `history` build their statements on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, FromClause, and_

from pith_graph.read.prepared import Rows, reader_of
from pith_graph.read.rows import (
    NOT_READ,
    CitationRow,
    CitedReferenceRow,
    PaperRow,
    ResolutionRow,
    WorkRow,
)
from pith_graph.store import tables
from pith_graph.vocabulary import ResolutionStatus

REFERENCES = tables.paper_references
LINKS = tables.paper_reference_links
WORKS = tables.cited_works
CITING = tables.papers.alias("citing")
CITED = tables.papers.alias("cited")

Attributes = frozenset[str]
Columns = Sequence[ColumnElement[Any]]


def columns_of(relation: FromClause, names: Sequence[str]) -> list[Any]:
    """Return a relation's columns by name, in that order."""
    return [relation.c[name] for name in names]


# The columns of the attributes, in the order of the rows' fields.
PAPER_COLUMNS = ("id", *PaperRow._fields[1:8], "categories", *PaperRow._fields[9:])
WORK_COLUMNS = ("id", *WorkRow._fields[1:])
CITED_AS_COLUMNS = (*CitedReferenceRow._fields[:5], "authors", "raw_text")
LINK_COLUMNS = ("status", "resolver_source", "resolver_source_raw", "resolved_at")
OWN = CitationRow._fields[3:9]
"""The attributes of a citation that are columns of its entry, under the same names."""


@dataclass(frozen=True, slots=True)
class CitationShape:
    """Which attributes of a citation are read; of an end that is None, nothing is.

    Attributes:
        cursors: Whether its sort values are.
    """

    cursors: bool
    own: Attributes
    cited_as: Attributes
    resolution: Attributes
    citing_paper: Attributes | None
    cited_paper: Attributes | None
    cited_work: Attributes | None


WHOLE_PAPER = frozenset(PaperRow._fields)
WHOLE_WORK = frozenset(WorkRow._fields)
WHOLE = CitationShape(
    cursors=True,
    own=frozenset(OWN),
    cited_as=frozenset(CitedReferenceRow._fields),
    resolution=frozenset(ResolutionRow._fields),
    citing_paper=WHOLE_PAPER,
    cited_paper=WHOLE_PAPER,
    cited_work=WHOLE_WORK,
)


def joined(
    entries: FromClause, shape: CitationShape, references: FromClause = REFERENCES
) -> FromClause:
    """Join what holds references to their link, work and papers: all to-one, by primary key."""
    entries = entries.outerjoin(LINKS, LINKS.c.reference_id == references.c.id)
    if shape.cited_work is not None:
        entries = entries.outerjoin(WORKS, WORKS.c.id == LINKS.c.cited_work_id)
    if shape.citing_paper is not None:
        entries = entries.outerjoin(CITING, CITING.c.id == references.c.citing_paper_id)
    if shape.cited_paper is not None:
        # What is cited and not held has a row that is shown to nobody.
        held = and_(CITED.c.id == references.c.cited_paper_id, CITED.c.observed_at.is_not(None))
        entries = entries.outerjoin(CITED, held)
    return entries


@dataclass(slots=True)
class Ends:
    """The papers and works at the ends of citations that were read together, each made once."""

    citing: dict[int, PaperRow]
    cited: dict[int, PaperRow]
    works: dict[int, WorkRow]

    @classmethod
    def none(cls) -> Ends:
        """Return none yet."""
        return cls({}, {}, {})


Build = Callable[[Rows, Ends], list[CitationRow]]


@dataclass(frozen=True, slots=True)
class CitationReading:
    """What to select of citations, and how to make them of the raw rows."""

    columns: tuple[Any, ...]
    build: Build


def citation_reading(
    shape: CitationShape,
    dialect: str | None,
    *,
    before: int = 0,
    order: Columns = (),
    references: FromClause = REFERENCES,
) -> CitationReading:
    """Return how to read citations of a shape.

    Args:
        shape: What is asked for.
        dialect: Whose raw values the rows hold; None where they are read already.
        before: How many columns stand in the rows before these.
        order: What the list is ordered by: the citations' sort values.
        references: Where the entries are selected from.
    """
    writer = _Writer(dialect, before, references)
    key, work = writer.value(references.c.id), writer.value(LINKS.c.cited_work_id)
    place = f"({''.join(f'{writer.value(each)}, ' for each in order)})" if shape.cursors else "N"
    parts = [key, work, place]
    parts += [writer.value(references.c[name]) if name in shape.own else "N" for name in OWN]
    parts.append(
        writer.row("CitedReferenceRow", references, CITED_AS_COLUMNS, shape.cited_as)
        if shape.cited_as
        else "N"
    )
    parts.append(writer.resolution(shape.resolution))
    parts.append(writer.end("citing", CITING, "PaperRow", PAPER_COLUMNS, shape.citing_paper))
    parts.append(writer.end("cited", CITED, "PaperRow", PAPER_COLUMNS, shape.cited_paper))
    parts.append(writer.end("works", WORKS, "WorkRow", WORK_COLUMNS, shape.cited_work))
    return CitationReading(tuple(writer.columns), writer.compile(", ".join(parts)))


_ROWS = (CitedReferenceRow, ResolutionRow, CitationRow, PaperRow, WorkRow)
_FIELDS: Mapping[str, tuple[str, ...]] = {row.__name__: row._fields for row in _ROWS}


class _Writer:
    """Writes the expression of a citation, and keeps the columns that it reads."""

    def __init__(self, dialect: str | None, before: int, references: FromClause) -> None:
        self.columns: list[ColumnElement[Any]] = []
        self._dialect = dialect
        self._before = before
        self._references = references
        self._scope: dict[str, Any] = {
            "N": NOT_READ,
            "new": tuple.__new__,
            "UNRESOLVED": ResolutionStatus.UNRESOLVED,
            **{row.__name__: row for row in _ROWS},
        }

    def raw(self, column: ColumnElement[Any]) -> str:
        """Write a column's raw value."""
        index = next((i for i, known in enumerate(self.columns) if known is column), None)
        if index is None:
            index = len(self.columns)
            self.columns.append(column)
        return f"r[{self._before + index}]"

    def value(self, column: ColumnElement[Any]) -> str:
        """Write a column's value."""
        raw = self.raw(column)
        reader = None if self._dialect is None else reader_of(column.type, self._dialect)
        if reader is None:
            return raw
        name = f"read_{len(self._scope)}"
        self._scope[name] = reader
        return f"(None if (v := {raw}) is None else {name}(v))"

    def row(
        self, name: str, relation: FromClause, columns: Sequence[str], asked: Attributes
    ) -> str:
        """Write a row of its asked attributes."""
        fields = zip(_FIELDS[name], columns, strict=True)
        values = [
            self.value(relation.c[column]) if field in asked else "N" for field, column in fields
        ]
        return f"new({name}, ({', '.join(values)},))"

    def resolution(self, asked: Attributes) -> str:
        """Write a resolution: without a link, unresolved since the entry was observed."""
        if not asked:
            return "N"
        fields = zip(ResolutionRow._fields, LINK_COLUMNS, strict=True)
        values = [self.value(LINKS.c[column]) if f in asked else "N" for f, column in fields]
        observed = "N"
        if "observed_at" in asked:
            observed = self.value(self._references.c.source_observed_at)
        return (
            f"(new(ResolutionRow, (UNRESOLVED, None, None, {observed})) "
            f"if {self.raw(LINKS.c.status)} is None "
            f"else new(ResolutionRow, ({', '.join(values)})))"
        )

    def end(
        self,
        memo: str,
        relation: FromClause,
        name: str,
        columns: Sequence[str],
        asked: Attributes | None,
    ) -> str:
        """Write the paper or work at an end, made once; null where there is none held."""
        if asked is None:
            return "N"
        key = self.raw(relation.c.id)
        made = self.row(name, relation, columns, asked | {"key"})
        return f"(None if {key} is None else {memo}.get({key}) or {memo}.setdefault({key}, {made}))"

    def compile(self, parts: str) -> Build:
        """Return the function that makes citations."""
        lines = (
            "def build(rows, ends):",
            "    citing, cited, works = ends.citing, ends.cited, ends.works",
            f"    return [new(CitationRow, ({parts})) for r in rows]",
        )
        exec("\n".join(lines), self._scope)  # noqa: S102  # names of attributes and numbers alone
        build: Build = self._scope["build"]
        return build
