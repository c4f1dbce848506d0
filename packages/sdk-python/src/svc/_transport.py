"""HTTP below the client: one place that signs, retries and turns refusals into errors."""

from __future__ import annotations

import os
import random
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import httpx

from svc._errors import NotSignedIn, ServiceError, Unavailable, error_for

DEFAULT_URL = "http://127.0.0.1:8470"
RETRIES = 2
RETRIED = {429, 502, 503, 504}

Parameters = Mapping[str, str | int | float | bool | list[str] | None]


class Transport:
    """Sends requests to one service as one principal. The token is never printed."""

    def __init__(
        self,
        url: str | None,
        token: str | None,
        *,
        timeout: float,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = (url or os.environ.get("SVC_URL") or DEFAULT_URL).rstrip("/")
        credential = token or os.environ.get("SVC_TOKEN")
        if not credential:
            raise NotSignedIn("no token: set SVC_TOKEN or pass token=", status=401, code="unauthenticated")
        self._sleep = sleep
        # A token goes to the address it was given for, never through a redirect to another.
        self._http = httpx.Client(
            base_url=self.url,
            headers={"Authorization": f"Bearer {credential}", "User-Agent": "svc-python"},
            timeout=timeout,
            follow_redirects=False,
            transport=transport,
        )

    def __repr__(self) -> str:
        return f"<svc transport to {self.url}>"

    def close(self) -> None:
        self._http.close()

    def get(self, path: str, parameters: Parameters | None = None) -> Any:
        return self._send("GET", path, parameters).json()

    def page(self, path: str, parameters: Parameters | None = None) -> tuple[list[Any], str | None]:
        """One page of a list and the cursor of the next."""
        response = self._send("GET", path, parameters)
        return response.json(), response.headers.get("X-Next-Cursor")

    def post(
        self, path: str, body: object, parameters: Parameters | None = None, *, headers: dict[str, str] | None = None
    ) -> httpx.Response:
        # The key lets a retry find what the first try did.
        key = {"Idempotency-Key": str(uuid.uuid4())}
        return self._send("POST", path, parameters, json=body, headers={**key, **(headers or {})})

    # Changes without a key are sent once: a second try could meet what the first one did.
    def put(self, path: str, body: object | None) -> Any:
        sent = {} if body is None else {"json": body}
        response = self._send("PUT", path, None, retries=0, **sent)
        return response.json() if response.content else None

    def patch(self, path: str, body: object) -> Any:
        return self._send("PATCH", path, None, retries=0, json=body).json()

    def delete(self, path: str, parameters: Parameters | None = None, *, headers: dict[str, str] | None = None) -> Any:
        response = self._send("DELETE", path, parameters, retries=0, headers=headers or {})
        return response.json() if response.content else None

    @contextmanager
    def stream(self, path: str, parameters: Parameters | None = None) -> Iterator[httpx.Response]:
        """A GET whose body is read piece by piece."""
        with self._http.stream("GET", path, params=_present(parameters)) as response:
            if response.status_code >= 400:
                response.read()
                raise refusal(response)
            yield response

    def _send(
        self, method: str, path: str, parameters: Parameters | None, *, retries: int = RETRIES, **rest: Any
    ) -> httpx.Response:
        for attempt in range(retries + 1):
            try:
                response = self._http.request(method, path, params=_present(parameters), **rest)
            except httpx.TransportError as error:
                if attempt == retries:
                    raise Unavailable(f"{self.url} could not be reached: {error}; is the service up?") from error
                self._sleep(_pause(attempt, None))
                continue
            if response.status_code not in RETRIED or attempt == retries:
                break
            self._sleep(_pause(attempt, response.headers.get("Retry-After")))
        if response.status_code >= 300:
            raise refusal(response)
        return response


def segment(text: str) -> str:
    """One segment of a path, whatever characters a name has."""
    return quote(text, safe="")


def _present(parameters: Parameters | None) -> dict[str, Any]:
    flat = {key: value for key, value in (parameters or {}).items() if value is not None}
    return {key: str(value).lower() if isinstance(value, bool) else value for key, value in flat.items()}


def _pause(attempt: int, retry_after: str | None) -> float:
    if retry_after is not None and retry_after.isdigit():
        return min(float(retry_after), 30.0)
    return float(0.2 * 2**attempt * (0.5 + random.random()))


def refusal(response: httpx.Response) -> ServiceError:
    """The error an answer stands for."""
    try:
        body = response.json()
    except ValueError:
        body = {}
    if not isinstance(body, dict):
        body = {}
    detail = body.get("detail") or f"{response.request.method} {response.request.url.path}: {response.status_code}"
    return error_for(response.status_code)(
        str(detail),
        status=response.status_code,
        code=body.get("code"),
        request_id=body.get("request_id") or response.headers.get("X-Request-Id"),
        remedy=body.get("remedy"),
        errors=tuple(body.get("errors") or ()),
    )
