"""The connections of a client, which processes and event loops don't share."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

import httpx


class Connections:
    """The connections of a blocking client.

    After a fork, those of the parent would carry responses to the parent.
    """

    def __init__(self, connect: Callable[[], httpx.Client], *, is_shared: bool) -> None:
        self._connect = connect
        # A transport of the caller decides itself which connections it uses.
        self._is_shared = is_shared
        self._http = connect()
        self._process = os.getpid()

    @property
    def http(self) -> httpx.Client:
        if not self._is_shared and self._process != os.getpid():
            self._http = self._connect()
            self._process = os.getpid()
        return self._http

    def close(self) -> None:
        self.http.close()


class AsyncConnections:
    """The connections of an asynchronous client.

    A connection works only in the event loop that opened it, and each ``asyncio.run`` has its own.
    """

    def __init__(self, connect: Callable[[], httpx.AsyncClient], *, is_shared: bool) -> None:
        self._connect = connect
        self._is_shared = is_shared
        self._process = os.getpid()
        # The first loop uses them. An invalid address raises here.
        self._unused: httpx.AsyncClient | None = connect()
        self._by_loop: dict[asyncio.AbstractEventLoop | None, httpx.AsyncClient] = {}
        self._closed: httpx.AsyncClient | None = None

    @property
    def http(self) -> httpx.AsyncClient:
        if self._closed is not None:
            return self._closed
        if not self._is_shared and self._process != os.getpid():
            self._by_loop = {}
            self._process = os.getpid()
        loop = None if self._is_shared else _running_loop()
        found = self._by_loop.get(loop)
        if found is None:
            for other in list(self._by_loop):
                if other is not None and other.is_closed():
                    self._by_loop.pop(other, None)
            found, self._unused = self._unused or self._connect(), None
            self._by_loop[loop] = found
        return found

    async def aclose(self) -> None:
        self._closed = self.http
        self._by_loop = {}
        await self._closed.aclose()


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        # A loop of another library, such as Trio.
        return None
