"""Requests that must still be sent when the caller is interrupted."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

#: Seconds for each request that an interrupted caller still waits for.
GIVE_UP_SECONDS = 5.0

#: A task that nobody refers to may be collected before it is done.
_running: set[asyncio.Task[Any]] = set()


def finish(act: Callable[..., Any], *arguments: Any) -> Any:
    """Calls ``act``; an asynchronous one runs in a task of its own, which continues when its caller is cancelled."""
    work = act(*arguments)
    return _shielded(work) if inspect.isawaitable(work) else work


async def _shielded(work: Any) -> None:
    task = asyncio.ensure_future(work)
    _running.add(task)
    task.add_done_callback(_running.discard)
    await asyncio.shield(task)
