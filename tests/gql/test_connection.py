"""Reading a connection's paging arguments."""

from __future__ import annotations

import pytest

from pith_graph.errors import CursorError, InputError
from pith_graph.gql.connection import PageArguments, read_window
from pith_graph.gql.cursors import CursorForm, render_cursor
from pith_graph.read.keyset import Window
from pith_graph.settings import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE

FORM = CursorForm("list/sort/", (int, int))


def window(first=None, last=None, after=None, before=None) -> Window:
    return read_window(FORM, PageArguments(first, last, after, before))


def test_without_arguments_the_page_is_the_first_of_the_usual_size():
    assert window() == Window(size=DEFAULT_PAGE_SIZE)


@pytest.mark.parametrize("size", [0, 1, MAX_PAGE_SIZE])
def test_a_size_within_bounds_is_taken_from_its_end(size):
    assert window(first=size) == Window(size=size)
    assert window(last=size) == Window(size=size, backward=True)


@pytest.mark.parametrize("size", [-1, MAX_PAGE_SIZE + 1])
@pytest.mark.parametrize("name", ["first", "last"])
def test_a_size_out_of_bounds_names_the_bounds(name, size):
    with pytest.raises(InputError, match=rf"`{name}` is {size}: expected 0 to {MAX_PAGE_SIZE}"):
        window(**{name: size})


def test_both_ends_at_once_are_refused():
    with pytest.raises(InputError, match="`first` and `last` are both given"):
        window(first=0, last=0)


def test_cursors_become_borders_and_errors_name_their_argument():
    cursor = render_cursor(FORM.name, (1, 2))
    assert window(after=cursor, before=cursor, last=3) == Window(3, True, (1, 2), (1, 2))  # noqa: FBT003  # a record's fields
    for name in ("after", "before"):
        with pytest.raises(CursorError, match=f"`{name}` is not a cursor"):
            window(**{name: "x"})
