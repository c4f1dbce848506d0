"""Maps error responses to exceptions, and decides when to retry."""

from __future__ import annotations

import random
import re
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any, Protocol, TypeVar

import httpx

from svc._errors import ServiceError, Unavailable, WorkFailed, error_for
from svc._records import Failure

#: Statuses after which the same request may succeed.
RETRIED = {429, 502, 503, 504}
#: Seconds that the service may ask to wait; beyond them the error is the better answer.
LONGEST_ASKED = 60.0
_TOKEN = re.compile(r"svc_(?:pat|sat|task|ses)_[0-9A-Za-z]{8,}")
#: Replacement for a token in every printed form.
_HIDDEN = "[token hidden]"


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
    hide = partial(_without_token, token=_token_of(response))
    # Proxies and other programs return JSON of their own, so a field counts only if it has the right type.
    text = {name: hide(value) for name, value in body.items() if isinstance(value, str)}
    errors = body.get("errors")
    unexplained = (
        f"The response was HTTP {status} without an explanation and may not come from the service. Check the address."
    )
    return error_for(status)(
        text.get("detail") or text.get("title") or unexplained,
        status=status,
        code=text.get("code") or f"http-{status}",
        request_id=text.get("request_id") or response.headers.get("X-Request-Id"),
        remedy=text.get("remedy"),
        errors=tuple(
            {name: hide(value) if isinstance(value, str) else value for name, value in error.items()}
            for error in (errors if isinstance(errors, list) else [])
            if _is_input_error(error)
        ),
        retry_after=_retry_after(response.headers),
    )


def _token_of(response: httpx.Response) -> str:
    try:
        request = response.request
    except RuntimeError:
        return ""  # Not the response to a request.
    authorization: str = request.headers.get("Authorization", "")
    return authorization.partition(" ")[2]


def _without_token(text: str, token: str) -> str:
    """The text without the request's token and anything that looks like one, which a proxy can repeat."""
    # Shorter texts aren't secrets and occur inside other words.
    known = text.replace(token, _HIDDEN) if len(token) >= 8 else text
    return _TOKEN.sub(_HIDDEN, known)


def _is_input_error(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("message"), str)


def parsed(response: httpx.Response) -> Any:
    """The JSON of a successful response."""
    try:
        return response.json()
    except ValueError:
        raise not_the_service(response, "isn't JSON") from None


def require_service(response: httpx.Response) -> None:
    """Raises Unavailable for a page of a proxy or of a sign-in form: no route of the service returns HTML."""
    if response.headers.get("Content-Type", "").lower().startswith("text/html"):
        raise not_the_service(response, "is an HTML page")


def not_the_service(response: httpx.Response, reason: str) -> Unavailable:
    """The error for a response that a proxy or another program sent or changed."""
    return Unavailable(
        f"The response from {response.url} {reason}, so it isn't from the service. Check the address.",
        status=response.status_code,
        code="not-the-service",
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


def _retry_after(headers: httpx.Headers) -> float | None:
    """Seconds. A time is compared with that of the response: the clock of this machine may be wrong."""
    text = headers.get("Retry-After", "")
    # Other digits such as "²" are not numbers for float().
    if text.isascii() and text.isdigit():
        return float(text)
    retry_at = _http_date(text)
    if retry_at is None:
        return None
    sent_at = _http_date(headers.get("Date", "")) or datetime.now(timezone.utc)
    return max(0.0, (retry_at - sent_at).total_seconds())


_HTTP_DATE = re.compile(r"[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT")


def _http_date(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text) if _HTTP_DATE.fullmatch(text) else None
    except ValueError:
        return None
