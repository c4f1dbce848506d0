"""A small HTTP service that answers as the real one does, for tests of clients in other processes."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit


@dataclass
class Request:
    method: str
    target: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: Any


@dataclass
class Answer:
    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


class Service:
    """Responds with ``answer(request)`` on a free port and records the requests."""

    def __init__(self, answer: Callable[[Request], Answer]) -> None:
        self.requests: list[Request] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def _serve(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                raw = self.rfile.read(length)
                url = urlsplit(self.path)
                request = Request(
                    self.command,
                    url.path,
                    unquote(url.path),
                    parse_qs(url.query),
                    dict(self.headers),
                    json.loads(raw) if raw else None,
                )
                service.requests.append(request)
                reply = answer(request)
                content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Service:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def problem(status: int, code: str, detail: str, **more: Any) -> Answer:
    body = {"type": code, "title": code, "status": status, "detail": detail, "code": code, "request_id": "r-1", **more}
    return Answer(body, status, {"Content-Type": "application/problem+json"})


def query_service(columns: list[dict[str, str]], rows: list[list[Any]], arrow: bytes = b"") -> Service:
    """Answers every query with the same rows, two a page."""

    def answer(request: Request) -> Answer:
        if request.method == "POST":
            return Answer({"id": "q1", "status": "QUEUED", "sql_text": request.body["sql"]}, 201)
        if not request.path.endswith("/results"):
            return Answer({"id": "q1", "status": "SUCCEEDED", "sql_text": ""})
        if request.query["format"] == ["arrow"]:
            return Answer(arrow)
        start = int(request.query.get("cursor", ["0"])[0])
        after = start + 2
        more = str(after) if after < len(rows) else None
        return Answer({"columns": columns, "rows": rows[start:after], "next_cursor": more})

    return Service(answer)
