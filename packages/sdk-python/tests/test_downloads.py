"""Downloads to files."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from service import Answer, Service

import svc


@pytest.fixture
def broken() -> Iterator[svc.Client]:
    """A client of a service whose connection breaks within a response."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while self.rfile.readline().strip():
                pass
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with svc.Client(f"http://127.0.0.1:{server.server_address[1]}", "t", env="dev") as client:
            yield client
        server.shutdown()


DOWNLOADS: list[Callable[[svc.Client, Path], None]] = [
    lambda client, file: client.queries.download("dev", "q1", file),
    lambda client, file: client.tables.download("dev", "a.model", file),
    lambda client, file: client.writes.rejected("dev", "w1", file),
]


@pytest.mark.parametrize("download", DOWNLOADS)
def test_a_download_that_breaks_leaves_files_as_they_were(
    download: Callable[[svc.Client, Path], None], broken: svc.Client, tmp_path: Path
) -> None:
    file = tmp_path / "rows"
    other = tmp_path / "rows.part"
    other.write_text("mine")
    for before in (None, "rows of yesterday"):
        if before is not None:
            file.write_text(before)
        with pytest.raises(svc.Unavailable):
            download(broken, file)
        assert sorted((one.name, one.read_text()) for one in tmp_path.iterdir()) == (
            [("rows.part", "mine")] if before is None else [("rows", before), ("rows.part", "mine")]
        )


@pytest.mark.parametrize("download", DOWNLOADS)
def test_a_page_of_a_proxy_is_not_a_download(download: Callable[[svc.Client, Path], None], tmp_path: Path) -> None:
    page = Answer(b"<html>Sign in</html>", headers={"Content-Type": "text/html; charset=utf-8"})
    with Service(lambda _: page) as service, svc.Client(service.url, "t") as client:
        with pytest.raises(svc.Unavailable, match="is an HTML page, so it isn't from the service") as caught:
            download(client, tmp_path / "rows")
        with pytest.raises(svc.Unavailable, match="HTML page"):
            list(client.queries.stream("dev", "q1", format="csv"))
    assert caught.value.code == "not-the-service"
    assert list(tmp_path.iterdir()) == []
