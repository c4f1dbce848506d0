"""Tokens of CI jobs and pods, which are exchanged for tokens of the service."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncGenerator, Callable, Generator
from pathlib import Path
from typing import Any

import httpx

from svc._answers import refusal
from svc._errors import NotSignedIn

#: A token is renewed this long before it expires, in seconds.
EARLY = 300.0


class WorkloadAuth(httpx.Auth):
    """Signs requests with a token that was exchanged for the token of this job or pod."""

    def __init__(self, url: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._url = url
        self._clock = clock
        self._token = ""
        self._until = 0.0

    def __repr__(self) -> str:
        return f"<svc workload identity for {self._url}>"

    def sync_auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        steps = self._renewal()
        step = next(steps, None)
        while step is not None:
            response = yield step
            response.read()
            step = _after(steps, response)
        request.headers["Authorization"] = f"Bearer {self._token}"
        yield request

    async def async_auth_flow(self, request: httpx.Request) -> AsyncGenerator[httpx.Request, httpx.Response]:
        steps = self._renewal()
        step = next(steps, None)
        while step is not None:
            response = yield step
            await response.aread()
            step = _after(steps, response)
        request.headers["Authorization"] = f"Bearer {self._token}"
        yield request

    def _renewal(self) -> Generator[httpx.Request, httpx.Response, None]:
        """The requests for a new token, if it is missing or expires soon. Each takes its response."""
        if self._clock() < self._until:
            return
        subject_token = yield from _subject_token(self._url)
        body = {"subject_token": subject_token}
        started = self._clock()
        response = yield httpx.Request("POST", f"{self._url}/api/v1/token-exchange", json=body)
        if response.status_code >= 300:
            raise refusal(response)
        answer: dict[str, Any] = response.json()
        self._token = answer["access_token"]
        self._until = started + answer["expires_in"] - EARLY


def _after(steps: Generator[httpx.Request, httpx.Response, None], response: httpx.Response) -> httpx.Request | None:
    try:
        return steps.send(response)
    except StopIteration:
        return None


def has_workload_identity() -> bool:
    """Whether this process runs in a CI job or a pod that has tokens for the service."""
    one = os.environ.get("SVC_IDENTITY_TOKEN_FILE") or os.environ.get("SVC_ID_TOKEN")
    actions = os.environ.get("ACTIONS_ID_TOKEN_REQUEST_URL") and os.environ.get("ACTIONS_ID_TOKEN_REQUEST_TOKEN")
    return bool(one or actions)


def _subject_token(audience: str) -> Generator[httpx.Request, httpx.Response, str]:
    file = os.environ.get("SVC_IDENTITY_TOKEN_FILE")
    if file:
        try:
            return Path(file).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise _no_token(f"the file of SVC_IDENTITY_TOKEN_FILE can't be read: {error}") from None
    token = os.environ.get("SVC_ID_TOKEN")
    if token:
        return token.strip()
    url = httpx.URL(os.environ["ACTIONS_ID_TOKEN_REQUEST_URL"]).copy_merge_params({"audience": audience})
    credential = os.environ["ACTIONS_ID_TOKEN_REQUEST_TOKEN"]
    response = yield httpx.Request("GET", url, headers={"Authorization": f"Bearer {credential}"})
    issued = response.json().get("value") if response.status_code == 200 else None
    if not isinstance(issued, str):
        raise _no_token(
            f"GitHub Actions issued no token for this job ({response.status_code}): set the permission id-token: write"
        )
    return issued


def _no_token(detail: str) -> NotSignedIn:
    return NotSignedIn(detail, status=401, code="no-workload-token")
