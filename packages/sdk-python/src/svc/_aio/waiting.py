"""Waits for work to finish. The service does the waiting."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from svc._errors import WorkFailed

#: Seconds that one request waits for a record to finish.
WAIT_SECONDS = 30


class _Work(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def status(self) -> str: ...


W = TypeVar("W", bound=_Work)


async def until_ended(
    what: str,
    get: Callable[[int], Awaitable[W]],
    timeout: float | None,
    *,
    on_record: Callable[[W], None] | None = None,
) -> W:
    """Waits for the record and returns it in any final status. ``on_record`` gets it every second.

    Raises WorkFailed after ``timeout`` seconds; the work continues.
    """
    longest = WAIT_SECONDS if on_record is None else 1
    end = None if timeout is None else time.monotonic() + timeout
    wait = 0
    while True:
        record = await get(wait)
        if record.status.lower() not in ("queued", "running"):
            return record
        if on_record is not None:
            on_record(record)
        left = longest if end is None else end - time.monotonic()
        if left <= 0:
            text = f"the {what} {record.id} has not finished after {timeout} seconds; it is still running"
            raise WorkFailed(text, code="not-ended-in-time", record=record)
        wait = int(max(1, min(longest, left)))
