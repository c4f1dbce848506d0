"""Signing in with a second factor."""

from __future__ import annotations

import json

import httpx
import pytest

import svc

PROBLEM = {
    "code": "second-factor-required",
    "detail": "The sign-in needs a second factor.",
    "second_factor": {"challenge": "c-1", "methods": ["code"], "options": None},
}


def service(asked: list[tuple[str, object]]) -> httpx.MockTransport:
    def answer(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        asked.append((request.url.path, body))
        if request.url.path == "/api/v1/sign-in":
            return httpx.Response(401, json=PROBLEM)
        return httpx.Response(200, json={"token": "svc_ses_x", "expires_at": "2026-03-01T12:00:00Z"})

    return httpx.MockTransport(answer)


@pytest.mark.parametrize(
    ("code", "sent"),
    [
        ("123 456", {"challenge": "c-1", "code": "123 456"}),
        ("k3vm-qd7p-x8ra-ne5w", {"challenge": "c-1", "recovery_code": "k3vm-qd7p-x8ra-ne5w"}),
    ],
)
def test_a_code_completes_the_sign_in(code: str, sent: dict[str, str]) -> None:
    """FACTOR-2."""
    for given in (code, lambda: code):
        asked: list[tuple[str, object]] = []
        with svc.Client.sign_in("ann", "pw", url="http://svc.test", code=given, transport=service(asked)) as client:
            assert client.session is not None
        assert asked[1] == ("/api/v1/sign-in/second-factor", sent)


def test_without_a_code_the_error_says_what_is_missing() -> None:
    asked: list[tuple[str, object]] = []
    with pytest.raises(svc.NotSignedIn, match="second factor") as raised:
        svc.Client.sign_in("ann", "pw", url="http://svc.test", transport=service(asked))
    assert raised.value.code == "second-factor-required"
    assert len(asked) == 1
