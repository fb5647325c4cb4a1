"""The sockets that ``pith-graph serve`` listens on, opened before it says so."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from contextlib import ExitStack

from pith_graph.errors import PithError, shorten_text

_BACKLOG = 2048


def open_sockets(host: str, port: int) -> list[socket.socket]:
    """Listen on every address of a host, on one port; port 0 is a free one.

    Raises:
        PithError: The name is unknown, the port is taken or not ours to take.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        with ExitStack() as opened:
            sockets: list[socket.socket] = []
            for family, address in dict.fromkeys((family, to[0]) for family, *_, to in found):
                # The second address of a name has the port that the first one was given.
                taken = sockets[0].getsockname()[1] if sockets else port
                listener = socket.create_server(
                    (str(address), taken), family=family, backlog=_BACKLOG
                )
                opened.callback(listener.close)
                # Worker processes inherit it.
                listener.set_inheritable(True)
                sockets.append(listener)
            opened.pop_all()
            return sockets
    except (OSError, UnicodeError) as error:
        raise PithError(
            f"cannot listen on {_written(shorten_text(host))}:{port}: {_reason(error)}; "
            "expected another --port or --host"
        ) from error


def render_address(host: str, sockets: Sequence[socket.socket]) -> str:
    """Render the URL at which a host's sockets are reached."""
    return f"http://{_written(host)}:{sockets[0].getsockname()[1]}"


def _reason(error: OSError | UnicodeError) -> str:
    """Return what the system says, without what Python adds to it."""
    if not isinstance(error, OSError):
        return "it is no name of a host"
    if isinstance(error, socket.gaierror) or error.errno is None:
        return str(error.strerror).lower()
    return os.strerror(error.errno).lower()


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host else host
