from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from service import Answer, Request, Service

import svc
from svc._requests import base_address
from svc._workload import WorkloadAuth

PRINCIPAL = {"id": "1", "name": "ci", "type": "service-account", "active": True, "created_at": "2026-01-02T03:04:05Z"}
VARIABLES = (
    "SVC_TOKEN",
    "SVC_ID_TOKEN",
    "SVC_IDENTITY_TOKEN_FILE",
    "ACTIONS_ID_TOKEN_REQUEST_URL",
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
)


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def answer(request: Request) -> Answer:
    if request.path.startswith("/actions"):
        return Answer({"value": "of-actions"})
    if request.path == "/api/v1/token-exchange":
        subject = request.body["subject_token"]
        if subject == "refused":
            return Answer({"detail": "refused", "code": "token-exchange-refused"}, status=401)
        return Answer({"access_token": f"for-{subject}", "expires_in": 3600})
    return Answer(PRINCIPAL)


def authorizations(service: Service) -> list[str | None]:
    return [request.headers.get("Authorization") for request in service.requests]


def test_the_token_of_a_job_is_exchanged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proves TOKEN-11."""
    monkeypatch.setenv("SVC_ID_TOKEN", "job\n")
    with Service(answer) as service, svc.Client(service.url) as client:
        assert (client.me().name, client.me().name) == ("ci", "ci")
        assert "job" not in repr(client)
    assert authorizations(service) == [None, "Bearer for-job", "Bearer for-job"]


def test_the_asynchronous_client_reads_a_file_for_each_exchange(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Proves TOKEN-11."""
    file = tmp_path / "token"
    monkeypatch.setenv("SVC_IDENTITY_TOKEN_FILE", str(file))
    now = [0.0]

    async def work(url: str) -> None:
        async with svc.AsyncClient(url) as client:
            client._transport._http.auth = WorkloadAuth(url, clock=lambda: now[0])
            with pytest.raises(svc.NotSignedIn, match="SVC_IDENTITY_TOKEN_FILE"):
                await client.me()
            for text in ("first", "second"):
                file.write_text(text)
                await client.me()
                now[0] += 3301.0

    with Service(answer) as service:
        asyncio.run(work(service.url))
    assert authorizations(service) == [None, "Bearer for-first", None, "Bearer for-second"]


def test_github_actions_issues_a_token_for_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proves TOKEN-11."""
    with Service(answer) as service:
        monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_URL", f"{service.url}/actions?api-version=2")
        monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "job")
        with svc.Client(f"{service.url}/") as client:
            client.me()

        async def work() -> None:
            async with svc.AsyncClient(service.url) as client:
                await client.me()

        asyncio.run(work())
    assert authorizations(service) == ["Bearer job", None, "Bearer for-of-actions"] * 2
    assert service.requests[0].query == {"api-version": ["2"], "audience": [service.url]}


def test_the_audience_is_the_address_in_one_spelling() -> None:
    """Proves TOKEN-11."""
    spellings = ("https://svc.example.com", "HTTPS://SVC.example.com:443/", "https://svc.example.com/")
    assert {base_address(url) for url in spellings} == {"https://svc.example.com"}
    assert base_address("http://[::1]:8470/svc/") == "http://[::1]:8470/svc"


def test_concurrent_threads_wait_for_one_exchange(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proves TOKEN-11."""
    monkeypatch.setenv("SVC_ID_TOKEN", "job")
    with Service(answer) as service, svc.Client(service.url) as client, ThreadPoolExecutor(8) as threads:
        assert {me.name for me in threads.map(lambda _: client.me(), range(8))} == {"ci"}
    assert authorizations(service).count(None) == 1


def test_concurrent_tasks_wait_for_one_exchange(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proves TOKEN-11."""
    monkeypatch.setenv("SVC_ID_TOKEN", "job")

    async def work(url: str) -> None:
        async with svc.AsyncClient(url) as client:
            await asyncio.gather(*(client.me() for _ in range(8)))

    with Service(answer) as service:
        asyncio.run(work(service.url))
    assert authorizations(service).count(None) == 1


def test_responses_that_are_no_tokens_are_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proves TOKEN-11."""
    with Service(lambda _: Answer(b"<html>")) as service:
        monkeypatch.setenv("SVC_ID_TOKEN", "job")
        with svc.Client(service.url) as client, pytest.raises(svc.Unavailable, match="isn't a token"):
            client.me()
        monkeypatch.delenv("SVC_ID_TOKEN")
        monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "job")
        for url in (service.url, "http://127.0.0.1:9", "not an address"):
            monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_URL", url)
            with svc.Client(service.url) as client, pytest.raises(svc.NotSignedIn, match="issued no token") as caught:
                client.me()
            assert caught.value.code == "no-workload-token"


def test_a_refused_token_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proves TOKEN-11."""
    monkeypatch.setenv("SVC_ID_TOKEN", "refused")
    with Service(answer) as service, svc.Client(service.url) as client, pytest.raises(svc.NotSignedIn) as caught:
        client.me()
    assert caught.value.code == "token-exchange-refused"
