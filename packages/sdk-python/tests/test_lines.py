"""Responses that are read line by line."""

from __future__ import annotations

import json

import pytest
from service import Answer, Service

import svc

#: JSON texts contain these as they are, and Python's ``splitlines`` splits at them.
TEXT = "a\u2028b\u2029c\x85d"
LOG = {"sequence": 1, "time": None, "asset": None, "stream": "stdout", "line": TEXT}
EVENT = {"id": "e1", "sequence": 1, "type": "SECRET_CREATED", "detail": {"name": TEXT}}


def body(*values: object) -> bytes:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode()


def test_only_a_line_feed_separates_lines() -> None:
    def answer_of(content: bytes) -> Service:
        return Service(lambda _: Answer(content))

    with answer_of(body(LOG, LOG)) as service, svc.Client(service.url, "t") as client:
        assert [line.line for line in client.runs.logs("dev", "r1")] == [TEXT, TEXT]
    with answer_of(body(EVENT, {"signed_head": None})) as service, svc.Client(service.url, "t") as client:
        assert [event.detail["name"] for event in client.audit.export(on_head=lambda _: None)] == [TEXT]
    message = b"id: 7\ndata: " + body({"kind": "table", "id": "t1", "name": TEXT, "repository": None}) + b"\n"
    with answer_of(message) as service, svc.Client(service.url, "t") as client:
        assert [(event.name, event.event_id) for event in client.events.stream("dev")] == [(TEXT, "7")]


@pytest.mark.parametrize("rest", [b'{"sequence": 2, "li', b"<html>\n"])
def test_a_line_that_was_cut_off_or_comes_from_another_program(rest: bytes) -> None:
    with Service(lambda _: Answer(body(LOG) + rest)) as service, svc.Client(service.url, "t") as client:
        lines = client.runs.logs("dev", "r1")
        assert next(lines).line == TEXT
        with pytest.raises(svc.Unavailable, match="has a line that isn't JSON") as caught:
            next(lines)
    assert caught.value.code == "not-the-service"
