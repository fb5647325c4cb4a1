"""Searching held papers by the words of their titles, best first, in exact pages.

Titles and queries are folded alike. Every word of the query must begin a word of the title. The
rank comes from the title and the query alone, so that pages stay exact while papers are added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
from pith_graph.read.keyset import Order, Page, Values, Window, cut, order_by, outside, within
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
    found = _found(snapshot.dialect, parse_words(query))
    order = Order((found.c.rank, found.c.paper_id), descending=True)
    borders = select(
        _any_outside(found, order, window.after, after=True).label("outside_after"),
        _any_outside(found, order, window.before, after=False).label("outside_before"),
    ).subquery("border")
    page = (
        select(found.c.rank, found.c.paper_id)
        .where(*within(order, window))
        .order_by(*order_by(order, backward=window.backward))
        .limit(window.size + 1)
        .subquery("page")
    )
    statement = (
        select(*borders.c, page.c.rank, *columns_of(papers, PAPER_COLUMNS))
        .select_from(borders.outerjoin(page, true()))
        .outerjoin(papers, papers.c.id == page.c.paper_id)
        .order_by(page.c.rank.desc(), page.c.paper_id.desc())
    )
    rows = await snapshot.fetch(statement)
    hits = [SearchHit(PaperRow(*row[3:]), row[2]) for row in rows if row[2] is not None]
    return cut(hits, window, outside_after=bool(rows[0][0]), outside_before=bool(rows[0][1]))


async def fetch_search_count(snapshot: Snapshot, query: str) -> int:
    """Count the held papers whose titles match.

    Raises:
        InputError: The query has no letter or digit, or is too long.
    """
    found = _found(snapshot.dialect, parse_words(query))
    rows = await snapshot.fetch(select(func.count()).select_from(found))
    return int(rows[0][0])


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


def _found(dialect: str, words: Sequence[str]) -> CTE:
    """Select the ids and ranks of all held papers that match."""
    # The words are ASCII letters and digits, quoted all the same: neither language has anything
    # that a quoted word of letters and digits could mean but itself.
    different = sorted(set(words))
    if dialect == "sqlite":
        titles = table("paper_search", column("rowid", BigInteger), column("folded", Text))
        paper_id = titles.c.rowid
        pattern = " AND ".join(f'"{word}"*' for word in different)
        matches: ColumnElement[bool] = titles.c.folded.op("MATCH")(pattern)
    else:
        titles = table(
            "paper_search",
            column("paper_id", BigInteger),
            column("folded", Text),
            column("lexemes", TSVECTOR),
        )
        paper_id = titles.c.paper_id
        pattern = " & ".join(f"'{word}':*" for word in different)
        matches = titles.c.lexemes.op("@@")(cast(bindparam(None, pattern, Text), TSQUERY))
    return (
        select(paper_id.label("paper_id"), _rank(dialect, titles.c.folded, words).label("rank"))
        .select_from(titles.join(papers, papers.c.id == paper_id))
        .where(and_(matches, papers.c.observed_at.is_not(None)))
        .cte("found")
        .prefix_with("MATERIALIZED")
    )


def _rank(dialect: str, folded: ColumnElement[str], words: Sequence[str]) -> ColumnElement[int]:
    """Rank a title: the words as a phrase, then how many are whole words of it, then short ones."""
    position = func.instr if dialect == "sqlite" else func.strpos
    spaced = literal(" ", Text).concat(folded).concat(literal(" ", Text))

    def holds(part: str) -> ColumnElement[int]:
        return case((position(spaced, literal(part, Text), type_=Integer) > 0, 1), else_=0)

    length = func.length(folded, type_=Integer)
    rank = holds(f" {' '.join(words)}") * _PHRASE
    for word in sorted(set(words)):
        rank += holds(f" {word} ") * _WORD
    return rank + case((length < _LONGEST, _LONGEST - length), else_=0)


def _any_outside(
    found: CTE, order: Order, border: Values | None, *, after: bool
) -> ColumnElement[bool]:
    if border is None:
        return false()
    return exists(select(found.c.paper_id).where(outside(order, border, after=after)))
