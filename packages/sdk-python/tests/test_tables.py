from __future__ import annotations

import datetime
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from service import Answer, Request, Service, problem

import svc

AT = "2026-03-01T08:00:00.000Z"
DROPPED = {
    "name": "orders",
    "namespace": "sales.raw",
    "uuid": "u-1",
    "kind": "managed",
    "dropped_at": AT,
    "purge_after": "2026-03-08T08:00:00.000Z",
    "restorable": True,
    "reason": "user",
    "held": False,
}
TABLE = {"id": "u-1", "name": "orders", "namespace": "sales.raw", "kind": "managed", "columns": []}
RETENTION = {
    "source": "table",
    "days": None,
    "on": "2026-04-01",
    "never": False,
    "set_by": "ann",
    "set_at": AT,
    "last_activity_at": AT,
    "expires_at": "2026-04-01T00:00:00.000Z",
    "kept": None,
    "hold": {"reason": "case 12", "until": None, "set_by": "ann", "set_at": AT},
}
PLACE = "/api/v1/environments/dev/namespaces/sales.raw"


@contextmanager
def opened(answer: Answer) -> Iterator[tuple[svc.Client, list[Request]]]:
    with Service(lambda _: answer) as service, svc.Client(service.url, "svc_pat_secret") as made:
        yield made, service.requests


def test_clone_names_both_tables_and_waits() -> None:
    record = {"id": "q-1", "status": "SUCCEEDED", "sql_text": "", "into": "a.b.copy", "row_count": 3, "created_at": AT}
    with opened(Answer(record, 201)) as (made, asked):
        assert made.tables.clone("dev", "sales.raw.orders", 'a.b."copy', break_glass="why").row_count == 3
        with pytest.raises(ValueError, match="not a table name"):
            made.tables.clone("dev", "orders", "a.copy")
    assert [(r.method, r.path, r.body) for r in asked] == [
        (
            "POST",
            "/api/v1/environments/dev/queries",
            {"sql": 'CREATE TABLE "a.b"."""copy" CLONE "sales.raw"."orders"'},
        )
    ]


def test_drop_and_restore() -> None:
    with opened(Answer(DROPPED)) as (made, asked):
        dropped = made.tables.delete("dev", "sales.raw.orders")
        made.tables.delete("dev", "sales.raw.orders", purge=True, break_glass="it léaks")
    assert dropped.restorable and dropped.purge_after == datetime.datetime(2026, 3, 8, 8, tzinfo=datetime.timezone.utc)
    assert [(r.method, r.path, r.query) for r in asked] == [
        ("DELETE", f"{PLACE}/tables/orders", {}),
        ("DELETE", f"{PLACE}/tables/orders", {"purge": ["true"]}),
    ]
    assert {key.lower(): value for key, value in asked[1].headers.items()}["svc-break-glass"] == "it%20l%C3%A9aks"
    with opened(Answer([DROPPED])) as (made, asked):
        assert [table.uuid for table in made.tables.list_dropped("dev", "sales.raw")] == ["u-1"]
    with opened(Answer(TABLE)) as (made, asked):
        assert made.tables.undrop("dev", "sales.raw.orders").id == "u-1"
        made.tables.undrop("dev", "sales.raw.orders", new_name="before", id="u-1")
    assert [(r.path, r.body) for r in asked] == [
        (f"{PLACE}/tables/orders/undrop", {}),
        (f"{PLACE}/tables/orders/undrop", {"new_name": "before", "id": "u-1"}),
    ]
    late = problem(409, "undo-period-over", "too late")
    with opened(late) as (made, _), pytest.raises(svc.Conflict) as raised:
        made.tables.undrop("dev", "sales.raw.orders")
    assert raised.value.code == "undo-period-over"


def test_environments() -> None:
    record = {"id": "e-1", "name": "dev", "protected": False, "retention_days": 30, "deleted_at": AT, "purge_after": AT}
    with opened(Answer(record)) as (made, asked):
        assert made.environments.delete("dev").purge_after is not None
        made.environments.delete("dev", purge=True)
        made.environments.restore("dev")
        assert made.environments.set_retention("dev", 30).retention_days == 30
        made.environments.set_retention("dev", None)
    assert [(r.method, r.path.removeprefix("/api/v1/environments/"), r.query, r.body) for r in asked] == [
        ("DELETE", "dev", {}, None),
        ("DELETE", "dev", {"purge": ["true"]}, None),
        ("POST", "dev/restore", {}, None),
        ("PUT", "dev/retention", {}, {"days": 30}),
        ("PUT", "dev/retention", {}, {"days": None}),
    ]


def test_retention() -> None:
    with opened(Answer(RETENTION)) as (made, asked):
        retention = made.tables.retention("dev", "sales.raw.orders")
        made.tables.set_retention("dev", "sales.raw.orders", days=30)
        made.tables.set_retention("dev", "sales.raw.orders", on=datetime.date(2026, 4, 1))
        made.tables.set_retention("dev", "sales.raw.orders", never=True)
        for wrong in ({}, {"days": 1, "never": True}):
            with pytest.raises(TypeError):
                made.tables.set_retention("dev", "sales.raw.orders", **wrong)
    assert retention.on == datetime.date(2026, 4, 1)
    assert retention.hold is not None and retention.hold.reason == "case 12"
    assert [r.body for r in asked] == [None, {"days": 30}, {"on": "2026-04-01"}, {"never": True}]


def test_expiring() -> None:
    row = {"id": "u-1", "name": "orders", "namespace": "sales", "kind": "managed", "expires_at": AT, "source": "table"}
    with opened(Answer([row])) as (made, asked):
        assert made.tables.expiring("dev", within_days=14)[0].name == "orders"
        made.tables.expiring("dev")
    assert [r.query for r in asked] == [{"within_days": ["14"]}, {}]


def test_rows_are_bytes_or_paths(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with opened(Answer({"id": "w-1", "status": "QUEUED"}, 201)) as (made, asked):
        for rows in (bytearray(b"1"), memoryview(b"1")):
            made.tables.load("dev", "a.b", rows, format="csv")
        assert [request.body for request in asked] == [1, 1]
        for wrong in (None, 97, io.BytesIO(b"1"), iter([b"1"]), [97], [b"1"]):
            with pytest.raises(TypeError, match=r"use bytes .*, a path or a list of paths"):
                made.tables.load("dev", "a.b", wrong, format="csv")  # type: ignore[arg-type]
            with pytest.raises(TypeError, match="use bytes"):
                made.tables.infer("dev", "a", wrong, format="csv")  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="rows has no files"):
            made.tables.load("dev", "a.b", [], format="csv")
        with pytest.raises(ValueError, match="is not a regular file; read it"):
            made.tables.load("dev", "a.b", pipe, format="csv")
    assert len(asked) == 2
