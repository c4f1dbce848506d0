"""Maps error responses to exceptions, and decides when to retry."""

from __future__ import annotations

import random
from typing import Protocol, TypeVar

import httpx

from svc._errors import ServiceError, WorkFailed, error_for
from svc._records import Failure

#: Statuses after which the same request may succeed.
RETRIED = {429, 502, 503, 504}
#: Seconds that the service may ask to wait; beyond them the error is the better answer.
LONGEST_ASKED = 60.0


def mended_later(error: ServiceError) -> bool:
    if error.retry_after is not None and error.retry_after > LONGEST_ASKED:
        return False
    # The first request with this key is still in progress; its response is ready soon.
    return error.status in RETRIED or error.code == "idempotency-key-in-use"


def pause_before(attempt: int, asked: float | None) -> float:
    """Seconds before the next attempt: Retry-After, else exponential backoff; both with jitter."""
    base = 0.25 * 2**attempt
    if asked is None:
        return float(base * (0.5 + random.random()))
    return float(asked + base * random.random())


def refusal(response: httpx.Response) -> ServiceError:
    """The exception for a response."""
    try:
        body = response.json()
    except ValueError:
        body = {}
    if not isinstance(body, dict):
        body = {}
    status = response.status_code
    detail = body.get("detail") or (
        f"The response was HTTP {status} without an explanation and may not come from the service. Check the address."
    )
    return error_for(status)(
        str(detail),
        status=status,
        code=body.get("code") or f"http-{status}",
        request_id=body.get("request_id") or response.headers.get("X-Request-Id"),
        remedy=body.get("remedy"),
        errors=tuple(body.get("errors") or ()),
        retry_after=_seconds(response.headers.get("Retry-After")),
    )


class _Work(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def error(self) -> Failure | None: ...


W = TypeVar("W", bound=_Work)


def succeeded(what: str, record: W) -> W:
    """The record of work that has finished. Raises WorkFailed unless it succeeded."""
    if record.status.lower() == "succeeded":
        return record
    failure = record.error
    raise WorkFailed(
        failure.detail if failure else f"the {what} {record.id} was {record.status.lower()}",
        code=failure.code if failure else None,
        remedy=failure.remedy if failure else None,
        record=record,
    )


def _seconds(text: str | None) -> float | None:
    return float(text) if text is not None and text.isdigit() else None
