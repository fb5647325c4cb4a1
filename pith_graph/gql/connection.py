"""Relay connections over keyset pages: reading the arguments, and what a page says of itself."""

from __future__ import annotations

from dataclasses import dataclass

from pith_graph.errors import InputError
from pith_graph.gql.cursors import CursorForm, parse_cursor
from pith_graph.read.keyset import Window
from pith_graph.settings import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE


@dataclass(frozen=True, slots=True)
class PageArguments:
    """A connection's paging arguments as they came."""

    first: int | None = None
    last: int | None = None
    after: str | None = None
    before: str | None = None


def read_window(form: CursorForm, page: PageArguments) -> Window:
    """Read a connection's paging arguments.

    Raises:
        InputError: Both ``first`` and ``last``, or one of them out of bounds.
        CursorError: A cursor that is unreadable or from another list, sort or filter.
    """
    first, last = page.first, page.last
    if first is not None and last is not None:
        raise InputError("`first` and `last` are both given: expected one of them")
    for name, size in (("first", first), ("last", last)):
        if size is not None and not 0 <= size <= MAX_PAGE_SIZE:
            raise InputError(f"`{name}` is {size}: expected 0 to {MAX_PAGE_SIZE}")
    size = first if first is not None else last
    return Window(
        size=DEFAULT_PAGE_SIZE if size is None else size,
        backward=last is not None,
        after=None if page.after is None else parse_cursor(page.after, form, argument="after"),
        before=None if page.before is None else parse_cursor(page.before, form, argument="before"),
    )
