from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from service import Answer, Request, Service, problem

import svc
from svc._models import PackageIndex

RECORD = {
    "id": "i-1",
    "name": "corp",
    "url": "https://corp.example/simple",
    "credential_secret": None,
    "created_by": None,
    "created_at": "2026-03-01T08:00:00.000Z",
    "updated_at": "2026-03-01T08:00:00.000Z",
}


@contextmanager
def opened(answer: Answer) -> Iterator[tuple[svc.Client, list[Request]]]:
    with Service(lambda _: answer) as service, svc.Client(service.url, "svc_pat_secret") as made:
        yield made, service.requests


def test_create_list_and_get() -> None:
    with opened(Answer(RECORD, 201)) as (made, asked):
        index = made.package_indexes.create("corp", "https://corp.example/simple", credential_secret="pw")
    assert isinstance(index, PackageIndex)
    assert not hasattr(svc, "PackageIndex")
    assert asked[0].body == {"name": "corp", "url": "https://corp.example/simple", "credential_secret": "pw"}
    with opened(Answer([RECORD])) as (made, _):
        assert [item.name for item in made.package_indexes.list()] == ["corp"]
    with opened(problem(404, "not-found", "There is no package index x.")) as (made, _), pytest.raises(svc.NotFound):
        made.package_indexes.get("x")


def test_update_sends_what_is_given_and_none_clears() -> None:
    with opened(Answer(RECORD)) as (made, asked):
        made.package_indexes.update("corp", credential_secret=None)
        made.package_indexes.update(name="corp", url="https://corp.example/v2")
    assert [(request.method, request.body) for request in asked] == [
        ("PATCH", {"credential_secret": None}),
        ("PATCH", {"url": "https://corp.example/v2"}),
    ]


@pytest.mark.parametrize("changes", [{"name": "other"}, {"id": "x"}, {"url": "u", "credentials": "x"}])
def test_update_refuses_other_keywords_before_a_request(changes: dict[str, str]) -> None:
    """Proves SDK-7."""
    with opened(Answer(RECORD)) as (made, asked), pytest.raises(TypeError):
        made.package_indexes.update("corp", **changes)
    assert asked == []


def test_changes_without_a_key_are_sent_once() -> None:
    """Proves SDK-4."""
    with opened(problem(503, "database-unavailable", "later")) as (made, asked), pytest.raises(svc.Unavailable):
        made.package_indexes.delete("corp")
    assert len(asked) == 1


def test_secrets_serve_one_use() -> None:
    body = {"id": "s", "name": "pw", "keys": ["password"], "warnings": [], "use": "package-index", "index": "corp"}
    with opened(Answer(body, 201)) as (made, asked):
        secret = made.secrets.create("dev", "pw", {"password": "x"}, index="corp")
        with pytest.raises(TypeError, match="one use"):
            made.secrets.bind("dev", "pw", index="corp", environment_use=True)
    assert secret.keys == ("password",)
    assert [request.body for request in asked] == [{"name": "pw", "values": {"password": "x"}, "index": "corp"}]
