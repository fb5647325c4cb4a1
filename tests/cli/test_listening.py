"""The sockets of the server: on every address of a host, or one sentence why not."""

from __future__ import annotations

import socket

import pytest

from pith_graph.cli.listening import open_sockets, render_address
from pith_graph.errors import PithError


@pytest.mark.parametrize(
    ("host", "start"), [("127.0.0.1", "http://127.0.0.1:"), ("::1", "http://[::1]:")]
)
def test_port_zero_is_a_free_port_and_the_address_is_that_of_a_url(host, start):
    sockets = open_sockets(host, 0)
    address = render_address(host, sockets)
    port = int(address.removeprefix(start))
    assert port > 0
    with socket.create_connection((host, port)):
        pass
    for listener in sockets:
        assert listener.get_inheritable()
        listener.close()


def test_all_addresses_of_a_name_have_one_port():
    sockets = open_sockets("localhost", 0)
    assert len({listener.getsockname()[1] for listener in sockets}) == 1
    for listener in sockets:
        listener.close()


@pytest.mark.parametrize(
    ("host", "port", "reason"),
    [
        ("no-such-host.invalid", 0, "cannot listen on no-such-host.invalid:0: "),
        ("a" * 70 + ".example", 0, "cannot listen on aaa"),
        ("192.0.2.1", 8000, "192.0.2.1:8000: cannot assign requested address; expected another"),
    ],
)
def test_an_address_that_is_not_ours_is_said(host, port, reason):
    with pytest.raises(PithError) as caught:
        open_sockets(host, port)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_was_opened_is_closed_where_another_address_fails(monkeypatch):
    made: list[socket.socket] = []
    create = socket.create_server

    def create_one(*arguments, **named):
        if made:
            raise OSError(98, "Address already in use")
        made.append(create(*arguments, **named))
        return made[0]

    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (f"127.0.0.{n}", 0)) for n in (1, 2)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_kwargs: found)
    monkeypatch.setattr(socket, "create_server", create_one)
    with pytest.raises(PithError, match="already in use"):
        open_sockets("two", 0)
    assert made[0].fileno() == -1
