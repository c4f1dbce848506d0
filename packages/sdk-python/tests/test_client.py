from __future__ import annotations

import dataclasses
import datetime
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from service import Answer, Request, Service, problem, query_service

import svc
from svc._answers import refusal


def client(service: Service) -> svc.Client:
    made = svc.Client(service.url, "svc_pat_secret")
    made._transport._sleep = lambda _: None
    return made


def test_without_a_token_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SVC_TOKEN", raising=False)
    with pytest.raises(svc.NotSignedIn, match="SVC_TOKEN"):
        svc.Client()


def test_address_and_token_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proves SDK-1."""
    body = {
        "id": "1",
        "name": "ada",
        "type": "person",
        "active": True,
        "created_at": "2026-01-02T03:04:05.678901Z",
        "new": 1,
    }
    with Service(lambda _: Answer(body)) as service:
        monkeypatch.setenv("SVC_URL", service.url + "/")
        monkeypatch.setenv("SVC_TOKEN", "svc_pat_secret")
        with svc.Client() as made:
            me = made.me()
            assert "svc_pat_secret" not in repr(made)
    assert me.name == "ada"
    assert me.created_at == datetime.datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=datetime.timezone.utc)
    assert service.requests[0].headers["Authorization"] == "Bearer svc_pat_secret"
    with pytest.raises(dataclasses.FrozenInstanceError):
        me.name = "eve"  # type: ignore[misc]


def test_a_response_that_is_not_json_is_not_from_the_service() -> None:
    with Service(lambda _: Answer(b"<html>Sign in to the Wi-Fi</html>")) as service, client(service) as made:
        for call in (made.me, made.environments.list, lambda: made.environments.create("dev")):
            with pytest.raises(svc.Unavailable, match="isn't JSON") as caught:
                call()
            assert (caught.value.status, caught.value.code) == (200, "not-the-service")
        with pytest.raises(svc.Unavailable, match="isn't JSON"):
            svc.Client.sign_in("ann", "correct horse battery", url=service.url)


def test_an_error_never_shows_a_token() -> None:
    other = "svc_sat_" + "a" * 36
    body = {
        "detail": f"svc_pat_secret and {other} were refused",
        "remedy": f"use {other}",
        "errors": [{"pointer": "/x", "message": "not svc_pat_secret"}],
    }
    with Service(lambda _: Answer(body, 422)) as service, client(service) as made:
        with pytest.raises(svc.InvalidRequest) as caught:
            made.me()
    assert str(caught.value) == "[token hidden] and [token hidden] were refused"
    assert caught.value.remedy == "use [token hidden]"
    assert caught.value.errors == ({"pointer": "/x", "message": "not [token hidden]"},)


@pytest.mark.parametrize("body", [None, {}, {"id": 1}, [None], [1], "x"])
def test_json_of_another_form_is_not_from_the_service(body: object) -> None:
    with Service(lambda _: Answer(body)) as service, client(service) as made:
        calls: list[Callable[[], object]] = [made.environments.list, made.workers, lambda: made.runs.list("dev")]
        for call in calls if isinstance(body, dict) else [*calls, made.me]:
            with pytest.raises(svc.Unavailable, match="so it isn't from the service") as caught:
                call()
            assert caught.value.code == "not-the-service"


def test_a_retry_after_with_other_digits_is_ignored() -> None:
    with Service(lambda _: Answer({}, 500, {"Retry-After": "\u00b2"})) as service, client(service) as made:
        with pytest.raises(svc.Unavailable) as caught:
            made.me()
    assert caught.value.retry_after is None


@pytest.mark.parametrize(
    ("date", "until", "seconds"),
    [
        ("Sun, 01 Mar 2026 12:00:00 GMT", "Sun, 01 Mar 2026 12:00:30 GMT", 30.0),
        ("Sun, 01 Mar 2026 12:00:00 GMT", "Sun, 01 Mar 2026 11:00:00 GMT", 0.0),
        ("not a date", "Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("Sun, 01 Mar 2026 12:00:00 GMT", "Sun, 32 Mar 2026 12:00:00 GMT", None),
        ("Sun, 01 Mar 2026 12:00:00 GMT", "soon", None),
        # Which would be a time without a zone, and a number of seconds that is too large.
        ("Sun, 01 Mar 2026 12:00:00 GMT", "Sun, 01 Mar 2026 12:00:30 XYZ GMT", None),
        ("Sun, 01 Mar 2026 12:00:00 GMT", "Sun, 01 Mar 2026 12:00:99999999999999999999 GMT", None),
    ],
)
def test_a_retry_after_may_be_a_time(date: str, until: str, seconds: float | None) -> None:
    response = httpx.Response(503, headers={"Date": date, "Retry-After": until})
    assert refusal(response).retry_after == seconds


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, svc.NotSignedIn),
        (403, svc.NotAllowed),
        (404, svc.NotFound),
        (409, svc.Conflict),
        (422, svc.InvalidRequest),
        (500, svc.Unavailable),
    ],
)
def test_each_status_is_an_error_with_cause_and_remedy(status: int, kind: type[svc.ServiceError]) -> None:
    """Proves SDK-5."""
    with Service(lambda _: problem(status, "a-code", "the cause", remedy="svc do it")) as service:
        with pytest.raises(kind) as caught, client(service) as made:
            made.environments.get("prod")
    assert (caught.value.status, caught.value.code, caught.value.request_id) == (status, "a-code", "r-1")
    assert caught.value.remedy == "svc do it"
    assert str(caught.value) == "the cause"


def test_a_throttled_request_is_tried_again_with_the_same_key() -> None:
    """Proves SDK-4."""
    answers = [
        problem(503, "unavailable", "later"),
        Answer({"path": "raw", "description": None, "created_at": None}, 201),
    ]
    with Service(lambda _: answers.pop(0)) as service, client(service) as made:
        assert made.namespaces.create("dev", "raw").path == "raw"
    keys = {request.headers["Idempotency-Key"] for request in service.requests}
    assert len(service.requests) == 2 and len(keys) == 1


def test_no_service_there_is_unavailable() -> None:
    made = svc.Client("http://127.0.0.1:9", "t")
    made._transport._sleep = lambda _: None
    with pytest.raises(svc.Unavailable, match="could not be reached"):
        made.me()


def test_a_redirect_never_carries_the_token_elsewhere() -> None:
    with Service(lambda _: Answer(None, 302, {"Location": "http://127.0.0.1:9/"})) as service, client(service) as made:
        with pytest.raises(svc.ServiceError):
            made.me()


def test_rows_come_page_by_page_as_python_values() -> None:
    columns = [{"name": "t", "type": "timestamptz"}, {"name": "b", "type": "binary"}, {"name": "x", "type": "double"}]
    rows = [["2026-01-02T03:04:05.123456789Z", "YWI=", "NaN"], [None, None, 1.5], ["2026-01-02T03:04:05Z", "", 2]]
    with query_service(columns, rows) as service, client(service) as made:
        found = list(made.queries.rows("dev", "SELECT 1"))
    assert found[0]["t"] == datetime.datetime(2026, 1, 2, 3, 4, 5, 123456, tzinfo=datetime.timezone.utc)
    assert found[0]["b"] == b"ab" and found[0]["x"] != found[0]["x"]
    assert found[1] == {"t": None, "b": None, "x": 1.5}
    assert len(found) == 3


def test_a_failed_query_raises_its_cause() -> None:
    failed = {"id": "q", "status": "FAILED", "error": {"code": "sql-error", "detail": "no such column", "remedy": None}}
    with Service(lambda _: Answer(failed, 201)) as service, client(service) as made:
        with pytest.raises(svc.WorkFailed, match="no such column") as caught:
            made.queries.run("dev", "SELECT nope")
    assert caught.value.code == "sql-error"


@pytest.mark.parametrize(
    ("message", "remedy", "text"),
    [
        ("a table is missing", None, "a table is missing"),
        ("a table is missing", "svc table get a.b", "a table is missing (svc table get a.b)"),
        (
            "may not read a.b. Grant it: svc grant create",
            "svc grant create",
            "may not read a.b. Grant it: svc grant create",
        ),
    ],
)
def test_failed_work_names_what_mends_it_once(message: str, remedy: str | None, text: str) -> None:
    assert str(svc.WorkFailed(message, remedy=remedy)) == text


def test_lists_follow_the_cursor_and_names_are_escaped() -> None:
    def answer(request: Request) -> Answer:
        if "/tables/" in request.path:
            return Answer({"id": "t", "columns": []})
        last = "cursor" in request.query
        return Answer([{"id": "2" if last else "1"}], headers={} if last else {"X-Next-Cursor": "c"})

    with Service(answer) as service, client(service) as made:
        assert [run.id for run in made.runs.iter("dev", status=["failed", "queued"])] == ["1", "2"]
        assert made.runs.list_page("dev").next_cursor == "c"
        made.tables.get("dev", "a/b.t")
    assert service.requests[0].query == {"status": ["failed,queued"]}
    assert service.requests[-1].target == "/api/v1/environments/dev/namespaces/a%2Fb/tables/t"
    with pytest.raises(ValueError, match="time zone"):
        made.runs.list("dev", since=datetime.datetime(2026, 1, 1))
    for since in ["2026-01-01T00:00:00Z", datetime.date(2026, 1, 1)]:
        with pytest.raises(TypeError, match="must be a datetime with a time zone"):
            made.runs.list("dev", since=since)  # type: ignore[arg-type]


def test_unknown_triggers_are_dropped_and_none_is_an_empty_tuple() -> None:
    """Proves SDK-3."""
    triggers = [
        {"kind": "schedule", "cron": "0 0 * * *", "timezone": "UTC", "paused": False},
        {"kind": "on_push"},
        {"kind": "on_demand"},
    ]
    with (
        Service(lambda _: Answer([{"name": "a", "triggers": triggers}, {"name": "b"}])) as service,
        client(service) as made,
    ):
        first, second = made.jobs.list("dev")
    assert [trigger.kind for trigger in first.triggers] == ["schedule", "on_demand"]
    assert second.triggers == ()


def test_the_head_that_ends_an_export_of_the_audit_log_is_no_event() -> None:
    since = {"sequence": 1, "time": "2026-02-02T09:30:00.123Z"}
    head = {"version": 1, "sequence": 2, "hash": "ab", "signed_since": since, "key_id": "cd", "mac": "ef"}
    lines: list[dict[str, Any]] = [{"id": "a", "sequence": 1}, {"id": "b", "sequence": 2}, {"signed_head": head}]
    body = "".join(json.dumps(line) + "\n" for line in lines).encode()
    heads: list[Any] = []

    def answer(request: Request) -> Answer:
        return Answer({"intact": True}) if request.path.endswith("verification") else Answer(body)

    with Service(answer) as service, client(service) as made:
        assert [event.id for event in made.audit.export(on_head=heads.append)] == ["a", "b"]
        assert [event.id for event in made.audit.export()] == ["a", "b"]
        assert heads[0] is not None
        made.audit.verify(head=heads[0])
    assert [request.query.get("heads") for request in service.requests] == [["true"], None, None]
    sent = json.loads(service.requests[-1].query["head"][0])
    time = datetime.datetime.fromisoformat(sent["signed_since"].pop("time"))
    assert time == datetime.datetime(2026, 2, 2, 9, 30, 0, 123000, datetime.timezone.utc)
    assert sent == {**head, "signed_since": {"sequence": 1}}


def test_a_busy_project_answers_with_the_start_that_waits() -> None:
    waiting = {"job": "j", "repository": "r", "trigger": "api", "merged": 2, "waits_for_run_id": "x"}
    with Service(lambda _: Answer({"waiting": waiting}, 202)) as service, client(service) as made:
        assert made.jobs.start("dev", "j").waits_for_run_id == "x"


def test_jobs_are_paused_and_resumed_and_runs_retried() -> None:
    with Service(lambda _: Answer({"id": "r2", "name": "j", "paused": True})) as service, client(service) as made:
        job = made.jobs.pause("dev", "j", "shop")
        assert job.paused and job.triggers == ()
        made.jobs.resume("dev", "j")
        assert made.runs.retry("dev", "r1").id == "r2"
    assert [(request.method, request.target) for request in service.requests] == [
        ("POST", "/api/v1/environments/dev/jobs/j/pause"),
        ("POST", "/api/v1/environments/dev/jobs/j/resume"),
        ("POST", "/api/v1/environments/dev/runs/r1/retry"),
    ]
    assert service.requests[0].query == {"repository": ["shop"]}
    assert all(request.body is None for request in service.requests)


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", True),
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\nX: y", False),
        ("", False),
    ],
)
def test_the_trace_of_the_environment_goes_on(monkeypatch: pytest.MonkeyPatch, given: str, sent: bool) -> None:
    monkeypatch.setenv("TRACEPARENT", given)
    with Service(lambda _: Answer([])) as service, client(service) as made:
        made.environments.list()
    assert service.requests[0].headers.get("traceparent") == (given if sent else None)
