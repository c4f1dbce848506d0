"""The relay between a port and a Unix socket."""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path

import pytest

from svc._relay import Relay


@pytest.fixture
def outside(tmp_path: Path) -> socket.socket:
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(tmp_path / "relay"))
    server.listen()
    return server


@pytest.fixture
def port(outside: socket.socket) -> int:
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=Relay(listener, outside.getsockname()).run, daemon=True).start()
    return int(listener.getsockname()[1])


def read(end: socket.socket) -> bytes:
    return b"".join(iter(lambda: end.recv(1 << 20), b""))


def test_large_amounts_pass_both_ways_and_each_end_closes_by_itself(outside: socket.socket, port: int) -> None:
    sent = os.urandom(5_000_000)

    def echo() -> None:
        accepted, _ = outside.accept()
        accepted.sendall(read(accepted))
        accepted.close()

    threading.Thread(target=echo, daemon=True).start()
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(sent)
        client.shutdown(socket.SHUT_WR)
        assert read(client) == sent


def test_a_connection_that_nothing_accepts_is_closed(outside: socket.socket, port: int) -> None:
    outside.close()
    with socket.create_connection(("127.0.0.1", port)) as client:
        assert client.recv(1) == b""


def test_connections_do_not_wait_for_each_other(outside: socket.socket, port: int) -> None:
    first = socket.create_connection(("127.0.0.1", port))
    idle, _ = outside.accept()
    with socket.create_connection(("127.0.0.1", port)) as second:
        accepted, _ = outside.accept()
        second.sendall(b"a")
        assert accepted.recv(1) == b"a"
        accepted.close()
        assert second.recv(1) == b""
    idle.sendall(b"b")
    assert first.recv(1) == b"b"
    first.close()
    assert idle.recv(1) == b""
    idle.close()
