"""The base class of the client's resources."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TypeVar

from svc._aio.transport import AsyncTransport
from svc._records import Page, read
from svc._requests import Parameters

T = TypeVar("T")


class Resource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def _page(self, path: str, parameters: Parameters, model: type[T]) -> Page[T]:
        items, cursor = await self._transport.page(path, parameters)
        return Page(tuple(read(model, item) for item in items), cursor)

    async def _iterate(self, path: str, parameters: Parameters, model: type[T]) -> AsyncIterator[T]:
        cursor: str | None = None
        while True:
            page = await self._page(path, {**parameters, "cursor": cursor}, model)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    async def _all(self, path: str, parameters: Parameters, model: type[T]) -> list[T]:
        return [item async for item in self._iterate(path, parameters, model)]
