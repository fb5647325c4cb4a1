"""Searching held papers by the words of their titles, best first, in exact pages.

Titles and queries are folded alike. Every word of the query must begin a word of the title. The
rank comes from the title and the query alone, so that pages stay exact while papers are added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import (
    CTE,
    BigInteger,
    ColumnElement,
    Integer,
    Text,
    and_,
    bindparam,
    case,
    cast,
    column,
    exists,
    false,
    func,
    literal,
    select,
    table,
    true,
)
from sqlalchemy.dialects.postgresql import TSQUERY, TSVECTOR

from pith_graph.errors import InputError, shorten
from pith_graph.folding import fold_tokens
from pith_graph.read.citations import PAPER_COLUMNS, columns_of
from pith_graph.read.keyset import (
    Order,
    Page,
    Values,
    Window,
    WindowShape,
    cut,
    order_by,
    outside_after,
    outside_before,
    rows_of,
    within,
)
from pith_graph.read.prepared import Prepared, prepare
from pith_graph.read.rows import PaperRow
from pith_graph.read.snapshot import Snapshot
from pith_graph.store.tables import papers

MAX_WORDS = 16
"""Most words of a query."""

MAX_CHARACTERS = 1000
"""Longest query as written."""

_PHRASE, _WORD, _LONGEST = 1_000_000, 10_000, 9_999


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A paper that was found. A higher ``rank`` is a better match."""

    paper: PaperRow
    rank: int

    @property
    def sort_values(self) -> Values:
        """The sort values, which its cursor holds."""
        return (self.rank, self.paper.key)


SearchPage = Page[SearchHit]


async def fetch_search(snapshot: Snapshot, query: str, window: Window) -> SearchPage:
    """Return a page of the held papers whose titles match, the best first, the newest of equals.

    Raises:
        InputError: The query has no letter or digit, or is too long.
    """
    words = parse_words(query)
    different = len(set(words))
    statement = _search_statement(snapshot.dialect, different, window.shape)
    values = {**_values(snapshot.dialect, words), **window.values}
    rows = await snapshot.fetch(statement, values)
    hits = [SearchHit(PaperRow(*row[3:]), row[2]) for row in rows if row[2] is not None]
    return cut(hits, window, outside_after=bool(rows[0][0]), outside_before=bool(rows[0][1]))


@lru_cache(maxsize=128)
def _search_statement(dialect: str, words: int, window: WindowShape) -> Prepared:
    found = _found(dialect, words)
    order = Order((found.c.rank, found.c.paper_id), descending=True)
    borders = select(
        _any(found, outside_after(order, window)).label("outside_after"),
        _any(found, outside_before(order, window)).label("outside_before"),
    ).subquery("border")
    page = (
        select(found.c.rank, found.c.paper_id)
        .where(*within(order, window))
        .order_by(*order_by(order, backward=window.backward))
        .limit(rows_of(window))
        .subquery("page")
    )
    return prepare(
        select(*borders.c, page.c.rank, *columns_of(papers, PAPER_COLUMNS))
        .select_from(borders.outerjoin(page, true()))
        .outerjoin(papers, papers.c.id == page.c.paper_id)
        .order_by(page.c.rank.desc(), page.c.paper_id.desc()),
        dialect,
    )


async def fetch_search_count(snapshot: Snapshot, query: str) -> int:
    """Count the held papers whose titles match.

    Raises:
        InputError: The query has no letter or digit, or is too long.
    """
    words = parse_words(query)
    statement = _count_statement(snapshot.dialect, len(set(words)))
    rows = await snapshot.fetch(statement, _values(snapshot.dialect, words))
    return int(rows[0][0])


@cache
def _count_statement(dialect: str, words: int) -> Prepared:
    return prepare(select(func.count()).select_from(_found(dialect, words)), dialect)


def parse_words(query: str) -> tuple[str, ...]:
    """Return the folded words of a query.

    Raises:
        InputError: There is none, or the query is too long.
    """
    if len(query) > MAX_CHARACTERS:
        raise InputError(
            f"the search query has {len(query)} characters: expected at most {MAX_CHARACTERS}"
        )
    words = fold_tokens(query)
    if not words:
        raise InputError(
            f"the search query {shorten(query)} has no word: expected a letter or a digit"
        )
    if len(words) > MAX_WORDS:
        raise InputError(
            f"the search query {shorten(query)} has {len(words)} words: "
            f"expected at most {MAX_WORDS}"
        )
    return words


def _values(dialect: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the values of the parameters of `_found`."""
    different = sorted(set(words))
    # The words are ASCII letters and digits, quoted all the same: neither language has anything
    # that a quoted word of letters and digits could mean but itself.
    if dialect == "sqlite":
        pattern = " AND ".join(f'"{word}"*' for word in different)
    else:
        pattern = " & ".join(f"'{word}':*" for word in different)
    whole = {f"word_{index}": f" {word} " for index, word in enumerate(different)}
    return {"pattern": pattern, "phrase": f" {' '.join(words)}", **whole}


def _found(dialect: str, words: int) -> CTE:
    """Select the ids and ranks of all held papers that match a number of different words."""
    pattern = bindparam("pattern", type_=Text)
    if dialect == "sqlite":
        titles = table("paper_search", column("rowid", BigInteger), column("folded", Text))
        paper_id = titles.c.rowid
        matches: ColumnElement[bool] = titles.c.folded.op("MATCH")(pattern)
    else:
        titles = table(
            "paper_search",
            column("paper_id", BigInteger),
            column("folded", Text),
            column("lexemes", TSVECTOR),
        )
        paper_id = titles.c.paper_id
        matches = titles.c.lexemes.op("@@")(cast(pattern, TSQUERY))
    return (
        select(paper_id.label("paper_id"), _rank(dialect, titles.c.folded, words).label("rank"))
        .select_from(titles.join(papers, papers.c.id == paper_id))
        .where(and_(matches, papers.c.observed_at.is_not(None)))
        .cte("found")
        .prefix_with("MATERIALIZED")
    )


def _rank(dialect: str, folded: ColumnElement[str], words: int) -> ColumnElement[int]:
    """Rank a title: the words as a phrase, then how many are whole words of it, then short ones."""
    position = func.instr if dialect == "sqlite" else func.strpos
    spaced = literal(" ", Text).concat(folded).concat(literal(" ", Text))

    def holds(part: str) -> ColumnElement[int]:
        found = position(spaced, bindparam(part, type_=Text), type_=Integer)
        return case((found > 0, 1), else_=0)

    length = func.length(folded, type_=Integer)
    rank = holds("phrase") * _PHRASE
    for index in range(words):
        rank += holds(f"word_{index}") * _WORD
    return rank + case((length < _LONGEST, _LONGEST - length), else_=0)


def _any(found: CTE, outside: ColumnElement[bool] | None) -> ColumnElement[bool]:
    return false() if outside is None else exists(select(found.c.paper_id).where(outside))
