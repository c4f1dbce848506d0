# Written out of svc/_aio by "npm run generate". Do not edit.
"""Waiting for the end of a piece of work, at the service and not here."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, TypeVar

from svc._errors import WorkFailed

#: Seconds that one request waits at the service for a record to end.
WAIT_SECONDS = 30


class _Work(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def status(self) -> str: ...


W = TypeVar("W", bound=_Work)


def until_ended(what: str, get: Callable[[int], W], timeout: float | None) -> W:
    """The record once it has ended, however it ended. Raises WorkFailed after ``timeout`` seconds; the work goes on."""
    end = None if timeout is None else time.monotonic() + timeout
    wait = 0
    while True:
        record = get(wait)
        if record.status.lower() not in ("queued", "running"):
            return record
        left = WAIT_SECONDS if end is None else end - time.monotonic()
        if left <= 0:
            text = f"the {what} {record.id} has not ended after {timeout} seconds; it goes on"
            raise WorkFailed(text, code="not-ended-in-time", record=record)
        wait = int(max(1, min(WAIT_SECONDS, left)))
