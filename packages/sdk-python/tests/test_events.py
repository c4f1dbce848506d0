"""The stream of events."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import svc
from svc._aio import events as asynchronous
from svc._sync import events as blocking

EVENT = b'id: 7\ndata: {"kind": "run", "id": "r1", "name": null, "repository": null}\n\n'
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


@contextmanager
def falling_silent() -> Iterator[str]:
    """A service that sends one message and then nothing, on an open connection."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        done = threading.Event()

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(HEAD + f"{len(EVENT):x}\r\n".encode() + EVENT + b"\r\n")
                done.wait()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}"
        finally:
            done.set()
            thread.join()


def test_a_connection_without_signs_of_life_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    assert blocking.MAX_QUIET_SECONDS == 45
    monkeypatch.setattr(blocking, "MAX_QUIET_SECONDS", 0.2)
    with falling_silent() as url, svc.Client(url, "t") as client:
        stream = client.events.stream("dev")
        assert next(stream).event_id == "7"
        with pytest.raises(svc.Unavailable, match=r"has sent nothing for 0\.2 s"):
            next(stream)


def test_the_same_with_the_asynchronous_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asynchronous, "MAX_QUIET_SECONDS", 0.2)

    async def listen(url: str) -> None:
        async with svc.AsyncClient(url, "t") as client:
            stream = client.events.stream("dev")
            assert (await anext(stream)).event_id == "7"
            with pytest.raises(svc.Unavailable, match=r"has sent nothing for 0\.2 s"):
                await anext(stream)

    with falling_silent() as url:
        asyncio.run(listen(url))
