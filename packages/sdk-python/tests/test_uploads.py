from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

import svc

MB = 1024 * 1024
AT = "/api/v1/environments/dev/namespaces/a/tables/b"
WRITE = {"id": "w", "table": "a.b", "mode": "append", "status": "queued", "rows": None, "error": None}
WRITE |= {"created_at": "2026-03-01T08:00:00.000Z", "started_at": None, "ended_at": None}


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """A file of three parts, the last of two bytes."""
    path = tmp_path / "rows.csv"
    with path.open("wb") as file:
        for letter, size in ((b"a", 64 * MB), (b"b", 64 * MB), (b"c", 2)):
            file.write(letter * size)
    return path


def digest(letter: bytes, size: int) -> str:
    return hashlib.sha256(letter * size).hexdigest()


class Uploads:
    """Answers as the service, with one part that has arrived. The first connection of a part breaks."""

    def __init__(self, damage: bool = False) -> None:
        self.requests: list[tuple[str, str, int]] = []
        self.started: dict[str, Any] = {}
        self.damage = damage

    def __call__(self, request: httpx.Request) -> httpx.Response:
        body = request.read()
        path = request.url.path.removeprefix(AT)
        self.requests.append((request.method, path, len(body)))
        if request.method == "PUT":
            if len([1 for method, _, _ in self.requests if method == "PUT"]) == 1:
                raise httpx.ReadError("broken")
            found = "0" * 64 if self.damage else hashlib.sha256(body).hexdigest()
            return httpx.Response(200, json={"number": 1, "size": len(body), "sha256": found})
        if path == "/uploads":
            self.started = json.loads(body)
            arrived = [{"number": 2, "size": 64 * MB, "sha256": digest(b"b", 64 * MB)}]
            return httpx.Response(201, json={"id": "u", "part_bytes": 64 * MB, "parts": arrived})
        return httpx.Response(202, json=WRITE)


def load(uploads: Uploads, rows: Path) -> svc.Write:
    with svc.Client("http://svc.test", "t", transport=httpx.MockTransport(uploads)) as client:
        return client.tables.load("dev", "a.b", rows, format="csv", mode="replace")


def test_a_large_file_is_sent_in_parts_and_only_what_is_missing(rows: Path) -> None:
    uploads = Uploads()
    assert load(uploads, rows).id == "w"
    assert [request[:2] for request in uploads.requests] == [
        ("POST", "/uploads"),
        ("PUT", "/uploads/u/parts/1"),
        ("PUT", "/uploads/u/parts/1"),
        ("PUT", "/uploads/u/parts/3"),
        ("POST", "/uploads/u/writes"),
    ]
    assert [size for method, _, size in uploads.requests if method == "PUT"] == [64 * MB, 64 * MB, 2]
    assert uploads.started["size"] == 128 * MB + 2
    # An unchanged file is recognized, a changed one is not.
    first = uploads.started["fingerprint"]
    load(uploads, rows)
    assert uploads.started["fingerprint"] == first
    rows.write_bytes(b"x" * (128 * MB + 2))
    load(uploads, rows)
    assert uploads.started["fingerprint"] != first


def test_a_part_that_arrives_damaged_ends_the_upload(rows: Path) -> None:
    with pytest.raises(svc.SvcError, match="part 1 arrived damaged"):
        load(Uploads(damage=True), rows)


class Files:
    """Answers as the service, for uploads with the names of their files as ids."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str, bytes]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        body = request.read()
        path = request.url.path.removeprefix(AT)
        self.requests.append((request.method, path, body))
        if request.method == "PUT":
            found = hashlib.sha256(body).hexdigest()
            return httpx.Response(200, json={"number": 1, "size": len(body), "sha256": found})
        if path == "/uploads":
            return httpx.Response(201, json={"id": json.loads(body)["name"], "part_bytes": 64 * MB, "parts": []})
        return httpx.Response(202, json=WRITE)


def test_several_files_are_loaded_in_one_write(tmp_path: Path) -> None:
    texts = {"a.csv": "id\n1\n", "b.csv": "", "c.csv": "id\n3\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    files = Files()
    sent: list[float] = []
    with svc.Client("http://svc.test", "t", transport=httpx.MockTransport(files)) as client:
        paths = [tmp_path / name for name in texts]
        options: svc.CsvOptions = {"header": True}
        client.tables.load("dev", "a.b", paths, format="csv", csv=options, on_progress=sent.append)
        with pytest.raises(ValueError, match="rows has no files"):
            client.tables.load("dev", "a.b", [], format="csv")
    assert [path for _, path, _ in files.requests] == [
        "/uploads",
        "/uploads/a.csv/parts/1",
        "/uploads",
        "/uploads",
        "/uploads/c.csv/parts/1",
        "/uploads/a.csv/writes",
    ]
    assert json.loads(files.requests[-1][2]) == {"mode": "append", "header": True, "also": ["b.csv", "c.csv"]}
    assert sent == [5, 10]


@pytest.mark.parametrize("names", [["a.csv"], ["a.csv", "b.csv"]])
def test_a_file_that_changes_while_it_is_read_is_not_loaded(tmp_path: Path, names: list[str]) -> None:
    for name in names:
        (tmp_path / name).write_text("id\n1\n")

    def append(position: float) -> None:
        with (tmp_path / "a.csv").open("a") as file:
            file.write("2\n")

    files = Files()
    with (
        svc.Client("http://svc.test", "t", transport=httpx.MockTransport(files)) as client,
        pytest.raises(svc.SvcError, match="changed while it was read"),
    ):
        client.tables.load("dev", "a.b", [tmp_path / name for name in names], format="csv", on_progress=append)
    assert not [path for _, path, _ in files.requests if path.endswith("/writes")]
