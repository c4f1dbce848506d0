"""Vectors shared with the TypeScript client (vectors/README.md), for the blocking and the asynchronous client."""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import datetime
import decimal
import inspect
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

import svc
from svc._values import _timestamp

FOLDER = Path(__file__).parents[3] / "vectors"
BOTH = pytest.mark.parametrize("kind", ["blocking", "asynchronous"])


def vectors(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


RECORDS: dict[str, Any] = vectors("records")


def in_python(vector: dict[str, Any]) -> bool:
    """Browsers have calls of their own."""
    return "python" in vector or "typescript" not in vector


def each(name: str) -> Any:
    return pytest.mark.parametrize(
        "vector", [pytest.param(one, id=one["name"]) for one in vectors(name) if in_python(one)]
    )


class Spoken:
    """Makes calls on one of the clients, whose service returns these responses in order."""

    def __init__(self, kind: str, *answers: httpx.Response, file: Path | None = None) -> None:
        #: Replaces ``{"file": true}`` among the arguments.
        self.file = file
        self.sent: list[httpx.Request] = []
        self.pauses: list[float] = []
        self._kind = kind
        self._answers = [*answers]

    def _answer(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.sent.append(request)
        return self._answers.pop(0)

    async def _answer_later(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        self.sent.append(request)
        return self._answers.pop(0)

    def make(self, call: str, args: list[Any], options: dict[str, Any] | None = None, **_: Any) -> Any:
        given = [self._argument(item) for item in args]
        options = {key: self._argument(item) for key, item in (options or {}).items()}
        if self._kind == "asynchronous":
            return asyncio.run(self._make_later(call, given, options))
        transport = httpx.MockTransport(self._answer)
        if call == "sign_in":
            return svc.Client.sign_in(*given, url="http://svc.test", transport=transport)
        with svc.Client("http://svc.test", "t", transport=transport) as client:
            client._transport._sleep = self.pauses.append
            result = _method(client, call)(*given, **options)
            return [*result] if inspect.isgenerator(result) else result

    def _argument(self, item: Any) -> Any:
        if not isinstance(item, dict):
            return item
        if item == {"file": True}:
            return self.file
        if "time" in item:
            return datetime.datetime.fromisoformat(item["time"])
        return item["bytes"].encode() if "bytes" in item else item

    async def _make_later(self, call: str, args: list[Any], options: dict[str, Any]) -> Any:
        async def pause(seconds: float) -> None:
            self.pauses.append(seconds)

        transport = httpx.MockTransport(self._answer_later)
        if call == "sign_in":
            return await svc.AsyncClient.sign_in(*args, url="http://svc.test", transport=transport)
        async with svc.AsyncClient("http://svc.test", "t", transport=transport) as client:
            client._transport._sleep = pause
            result = _method(client, call)(*args, **options)
            if inspect.isasyncgen(result):
                return [item async for item in result]
            return await result


def _method(client: object, call: str) -> Any:
    for name in call.split("."):
        client = getattr(client, name)
    return client


def same(value: Any, wire: Any) -> bool:
    """Whether a record holds all that was sent."""
    if dataclasses.is_dataclass(value):
        missing = [key for key in wire if not hasattr(value, key)]
        assert missing == [], f"{type(value).__name__} lacks {missing}"
        return all(same(getattr(value, key), part) for key, part in wire.items())
    if isinstance(value, datetime.datetime):
        return value == _timestamp(wire)
    if isinstance(value, datetime.date):
        return value.isoformat() == wire
    if isinstance(value, bytes):
        return base64.b64encode(value).decode() == wire
    if isinstance(value, decimal.Decimal):
        return str(value) == wire
    if isinstance(value, int) and isinstance(wire, str):  # beyond what JSON can represent
        return value == int(wire)
    if isinstance(value, dict):
        return value.keys() == wire.keys() and all(same(part, wire[key]) for key, part in value.items())
    if isinstance(value, (list, tuple)):
        return len(value) == len(wire) and all(same(*pair) for pair in zip(value, wire, strict=True))
    return bool(value == wire)


def answer_of(answer: dict[str, Any]) -> httpx.Response:
    status = answer["status"]
    if "bytes" in answer:
        return httpx.Response(status, content=answer["bytes"].encode())
    if "record" in answer:
        return httpx.Response(status, json=RECORDS[answer["record"]])
    if "records" not in answer:
        return httpx.Response(status)
    items = [RECORDS[name] for name in answer["records"]]
    if answer.get("messages"):
        return httpx.Response(status, text="".join(message_of(item) for item in items))
    if answer.get("lines"):
        return httpx.Response(status, text="".join(json.dumps(item) + "\n" for item in items))
    return httpx.Response(status, json=items)


def message_of(item: dict[str, Any]) -> str:
    """A record as a server-sent event, whose id it repeats."""
    data = {name: value for name, value in item.items() if name != "event_id"}
    return f":\nid: {item['event_id']}\ndata: {json.dumps(data)}\n\n"


@BOTH
@each("calls")
def test_call(vector: dict[str, Any], kind: str, tmp_path: Path) -> None:
    spoken = Spoken(kind, answer_of(vector["answer"]), file=tmp_path / "file")
    result = spoken.make(**vector["python"])
    (sent,) = spoken.sent
    expected, answer = vector["request"], vector["answer"]
    assert (sent.method, sent.url.raw_path.decode().partition("?")[0]) == (expected["method"], expected["path"])
    assert dict(sent.url.params) == expected.get("query", {})
    assert sent.headers.get("authorization") == (None if vector.get("anonymous") else "Bearer t")
    for name, value in expected.get("headers", {}).items():
        assert sent.headers[name] == value
    if "upload" in expected:
        assert sent.content == expected["upload"].encode()
    else:
        assert (json.loads(sent.content) if sent.content else None) == expected.get("body")
    if "bytes" in answer:
        assert (tmp_path / "file").read_bytes() == answer["bytes"].encode()
    elif "record" in answer or "records" in answer:
        assert same(getattr(result, vector["python"].get("picks", ""), result), read_of(vector))
    else:
        assert result is None


def read_of(vector: dict[str, Any]) -> Any:
    """What a client makes of the answer: rows by their names, the records of a list, one record, or a field of it."""
    answer = vector["answer"]
    if "rows" in vector:
        return vector["rows"]
    if "records" in answer:
        return [RECORDS[name] for name in answer["records"]]
    record = RECORDS[answer["record"]]
    field = "waiting" if vector.get("wraps") == "waiting" else vector["python"].get("gives")
    return record[field] if field else record


@BOTH
@each("refused")
def test_refused_before_a_request(vector: dict[str, Any], kind: str) -> None:
    spoken = Spoken(kind)
    error = {"TypeError": TypeError, "ValueError": ValueError}[vector["python"]["raises"]]
    with pytest.raises(error):
        spoken.make(**vector["python"])
    assert spoken.sent == []


@BOTH
@each("errors")
def test_error(vector: dict[str, Any], kind: str) -> None:
    answer = vector["answer"]
    text = answer["body"] if isinstance(answer["body"], str) else json.dumps(answer["body"])
    # Several times, because the client retries some errors.
    responses = [httpx.Response(answer["status"], headers=answer["headers"], text=text) for _ in range(3)]
    with pytest.raises(getattr(svc, vector["python"])) as caught:
        Spoken(kind, *responses).make("me", [])
    expected = dict(vector["error"])
    assert str(caught.value) == expected.pop("message")
    expected["errors"] = tuple(expected["errors"])
    assert {key: getattr(caught.value, key) for key in expected} == expected


@BOTH
@each("repeats")
def test_repeat(vector: dict[str, Any], kind: str) -> None:
    headers = {"Retry-After": vector["retry_after"]} if "retry_after" in vector else {}
    answers = [
        httpx.Response(status, json=[] if status == 200 else {"code": vector.get("code")}, headers=headers)
        for status in vector["statuses"]
    ]
    spoken = Spoken(kind, *answers)
    if vector.get("fails"):
        with pytest.raises(svc.ServiceError):
            spoken.make(**vector["python"])
    else:
        spoken.make(**vector["python"])
    assert len(spoken.sent) == vector["tries"]
    if vector.get("same_key"):
        assert len({request.headers["idempotency-key"] for request in spoken.sent}) == 1
    if "pause_at_least" in vector:
        assert spoken.pauses[0] >= vector["pause_at_least"]


@BOTH
@each("triggers")
def test_triggers(vector: dict[str, Any], kind: str) -> None:
    job = {key: value for key, value in RECORDS["Job"].items() if key != "triggers"}
    if vector["triggers"] is not None:
        job["triggers"] = vector["triggers"]
    shown = Spoken(kind, httpx.Response(200, json=job)).make("jobs.get", ["dev", "nightly"]).triggers
    assert isinstance(shown, tuple)
    assert [trigger.kind for trigger in shown] == vector["kinds"]
    assert all(trigger.cron is None for trigger in shown if trigger.kind == "on_demand")
