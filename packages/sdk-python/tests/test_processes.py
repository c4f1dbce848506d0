from __future__ import annotations

import asyncio
import copy
import os
import pickle
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from service import Answer, Request, Service

import svc


@contextmanager
def persistent_service() -> Iterator[tuple[str, list[int]]]:
    """A service that keeps connections open, and the port of the client in each request."""
    ports: list[int] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            ports.append(self.client_address[1])
            content = b"[]"
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", ports
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_has_its_own_connections() -> None:
    with persistent_service() as (url, ports), svc.Client(url, "t") as client:
        client.workers()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                client.workers()
                code = 0
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        client.workers()
    before, of_child, after = ports
    assert of_child != before
    assert after == before


def test_an_asynchronous_client_works_in_several_event_loops() -> None:
    with persistent_service() as (url, ports):
        client = svc.AsyncClient(url, "t")

        async def twice() -> None:
            for _ in range(2):
                await client.workers()

        asyncio.run(twice())
        asyncio.run(twice())
        first, again, *others = ports
        assert first == again
        assert others[0] == others[1] != first

        # Each of two loops that run at once has its own.
        ready = threading.Barrier(2)

        async def concurrently() -> None:
            for _ in range(3):
                await client.workers()
                ready.wait(timeout=30)

        threads = [threading.Thread(target=asyncio.run, args=[concurrently()]) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(ports) == 10
        assert len(set(ports[4:])) == 2

        asyncio.run(client.aclose())
        with pytest.raises(RuntimeError, match="closed"):
            asyncio.run(client.workers())


def test_a_workload_identity_works_in_several_event_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVC_ID_TOKEN", "t")

    def answer(request: Request) -> Answer:
        return Answer({"access_token": "a", "expires_in": 0} if request.method == "POST" else [])

    with Service(answer) as service:
        client = svc.AsyncClient(service.url)

        async def both() -> None:
            await asyncio.gather(client.workers(), client.workers())

        asyncio.run(both())
        asyncio.run(both())


@pytest.mark.parametrize(
    "error",
    [
        svc.UnsupportedValue("day", "the date infinity", "pandas"),
        svc.WorkFailed("it failed", code="x", remedy="svc runs list", record=None),
        svc.NotFound("there is no table", status=404, code="not-found", request_id="r1", errors=({"message": "m"},)),
    ],
)
def test_errors_are_copied_and_cross_processes(error: svc.SvcError) -> None:
    for other in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (type(other), str(other), vars(other)) == (type(error), str(error), vars(error))
