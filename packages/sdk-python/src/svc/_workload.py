"""Tokens of CI jobs and pods, which are exchanged for tokens of the service."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from svc._answers import refusal
from svc._errors import NotSignedIn, Unavailable
from svc._requests import base_address

#: A token is renewed this long before it expires, in seconds.
EARLY = 300.0


#: The connection to GitHub's service for tokens, which isn't that of the client: no token of the service goes there.
ACTIONS: dict[str, Any] = {"timeout": 30.0, "follow_redirects": False}


class WorkloadAuth(httpx.Auth):
    """Signs requests with a token that was exchanged for the token of this job or pod."""

    def __init__(self, url: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._url = url
        self._clock = clock
        self._token = ""
        self._until = 0.0
        # Concurrent requests wait for one exchange.
        self._threads = threading.Lock()
        self._tasks = asyncio.Lock()

    def __repr__(self) -> str:
        return f"<svc workload identity for {self._url}>"

    def sync_auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        with self._threads:
            if self._is_due():
                subject_token = _given_token()
                if subject_token is None:
                    with _actions_errors(), httpx.Client(**ACTIONS) as http:
                        subject_token = _issued(http.send(_actions_request(self._url)))
                started = self._clock()
                response = yield self._exchange(subject_token)
                response.read()
                self._accept(response, started)
        request.headers["Authorization"] = f"Bearer {self._token}"
        yield request

    async def async_auth_flow(self, request: httpx.Request) -> AsyncGenerator[httpx.Request, httpx.Response]:
        async with self._tasks:
            if self._is_due():
                subject_token = _given_token()
                if subject_token is None:
                    with _actions_errors():
                        async with httpx.AsyncClient(**ACTIONS) as http:
                            subject_token = _issued(await http.send(_actions_request(self._url)))
                started = self._clock()
                response = yield self._exchange(subject_token)
                await response.aread()
                self._accept(response, started)
        request.headers["Authorization"] = f"Bearer {self._token}"
        yield request

    def _is_due(self) -> bool:
        return self._clock() >= self._until

    def _exchange(self, subject_token: str) -> httpx.Request:
        return httpx.Request("POST", f"{self._url}/api/v1/token-exchange", json={"subject_token": subject_token})

    def _accept(self, response: httpx.Response, started: float) -> None:
        if response.status_code >= 300:
            raise refusal(response)
        answer = _json(response)
        token, lifetime = answer.get("access_token"), answer.get("expires_in")
        if not isinstance(token, str) or not isinstance(lifetime, int | float):
            raise Unavailable(f"the response from {self._url} isn't a token and may not come from the service")
        self._token = token
        self._until = started + lifetime - EARLY


def has_workload_identity() -> bool:
    """Whether this process runs in a CI job or a pod that has tokens for the service."""
    one = os.environ.get("SVC_IDENTITY_TOKEN_FILE") or os.environ.get("SVC_ID_TOKEN")
    actions = os.environ.get("ACTIONS_ID_TOKEN_REQUEST_URL") and os.environ.get("ACTIONS_ID_TOKEN_REQUEST_TOKEN")
    return bool(one or actions)


def _given_token() -> str | None:
    """The token of this job or pod, unless GitHub Actions issues one."""
    file = os.environ.get("SVC_IDENTITY_TOKEN_FILE")
    if file:
        try:
            return Path(file).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise _no_token(f"the file of SVC_IDENTITY_TOKEN_FILE can't be read: {error}") from None
    token = os.environ.get("SVC_ID_TOKEN")
    return token.strip() if token else None


def _actions_request(service_url: str) -> httpx.Request:
    url = httpx.URL(os.environ["ACTIONS_ID_TOKEN_REQUEST_URL"])
    url = url.copy_merge_params({"audience": base_address(service_url)})
    credential = os.environ["ACTIONS_ID_TOKEN_REQUEST_TOKEN"]
    return httpx.Request("GET", url, headers={"Accept": "application/json", "Authorization": f"Bearer {credential}"})


def _issued(response: httpx.Response) -> str:
    token = _json(response).get("value") if response.status_code == 200 else None
    if not isinstance(token, str):
        raise _no_token(
            f"GitHub Actions issued no token for this job ({response.status_code}): set the permission id-token: write"
        )
    return token


@contextmanager
def _actions_errors() -> Iterator[None]:
    try:
        yield
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise _no_token(f"GitHub Actions issued no token for this job: {error}") from None


def _json(response: httpx.Response) -> dict[str, Any]:
    """The object in a response; empty for anything else."""
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _no_token(detail: str) -> NotSignedIn:
    return NotSignedIn(detail, status=401, code="no-workload-token")
