"""Relay connections over keyset pages: reading the arguments, and what a page says of itself."""

from __future__ import annotations

from pith_graph.errors import InputError
from pith_graph.gql.cursors import CursorForm, parse_cursor
from pith_graph.read.keyset import Window
from pith_graph.settings import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE


def read_window(
    form: CursorForm, *, first: int | None, last: int | None, after: str | None, before: str | None
) -> Window:
    """Read a connection's paging arguments.

    Raises:
        InputError: Both ``first`` and ``last``, or one of them out of bounds.
        CursorError: A cursor that is unreadable or from another list, sort or filter.
    """
    if first is not None and last is not None:
        raise InputError("`first` and `last` are both given: expected one of them")
    for name, size in (("first", first), ("last", last)):
        if size is not None and not 0 <= size <= MAX_PAGE_SIZE:
            raise InputError(f"`{name}` is {size}: expected 0 to {MAX_PAGE_SIZE}")
    size = first if first is not None else last
    return Window(
        size=DEFAULT_PAGE_SIZE if size is None else size,
        backward=last is not None,
        after=None if after is None else parse_cursor(after, form, argument="after"),
        before=None if before is None else parse_cursor(before, form, argument="before"),
    )
