"""A client that costs next to nothing: one keep-alive connection, requests as bytes.

``measuring`` times with it; under load the driver is ``wrk``, in ``driving``.
"""

from __future__ import annotations

import socket
from types import TracebackType
from typing import Self

_OK = b" 200 "


class Client:
    """A connection to a server on the loopback, which must answer 200."""

    def __init__(self, port: int, path: str = "/graphql") -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=120)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: application/json\r\n"
            "Content-Type: application/json\r\nContent-Length: "
        ).encode()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Close the connection."""
        self._socket.close()

    def post(self, body: bytes) -> bytes:
        """Return the body of the answer.

        Raises:
            RuntimeError: The status is not 200, or the server closed the connection.
        """
        self._socket.sendall(self._head + str(len(body)).encode() + b"\r\n\r\n" + body)
        received = bytearray()
        while (end := received.find(b"\r\n\r\n")) < 0:
            self._receive(received)
        head, answer = bytes(received[:end]), received[end + 4 :]
        fields = dict(
            line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if b": " in line
        )
        if b"content-length" in fields:
            while len(answer) < int(fields[b"content-length"]):
                self._receive(answer)
        else:
            while (joined := _join_chunks(answer)) is None:
                self._receive(answer)
            answer = joined
        if _OK not in head.split(b"\r\n", 1)[0]:
            raise RuntimeError(f"the server answered {head[:80]!r}: {bytes(answer[:500])!r}")
        return bytes(answer)

    def _receive(self, into: bytearray) -> None:
        part = self._socket.recv(1 << 18)
        if not part:
            raise RuntimeError("the server closed the connection")
        into += part


def _join_chunks(body: bytearray) -> bytearray | None:
    """Return the data of a chunked body; None where it is not yet whole."""
    joined, place = bytearray(), 0
    while (end := body.find(b"\r\n", place)) >= 0:
        size = int(body[place:end], 16)
        if not size:
            return joined if body.endswith(b"\r\n\r\n") else None
        joined += body[end + 2 : end + 2 + size]
        place = end + 4 + size
    return None
