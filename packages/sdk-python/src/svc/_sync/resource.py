# Written out of svc/_aio by "npm run generate". Do not edit.
"""The base class of the client's resources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from svc._sync.transport import Transport
from svc._records import Page, read
from svc._requests import Parameters

T = TypeVar("T")


class Resource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _page(self, path: str, parameters: Parameters, model: type[T]) -> Page[T]:
        items, cursor = self._transport.page(path, parameters)
        return Page(tuple(read(model, item) for item in items), cursor)

    def _iterate(self, path: str, parameters: Parameters, model: type[T]) -> Iterator[T]:
        cursor: str | None = None
        while True:
            page = self._page(path, {**parameters, "cursor": cursor}, model)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def _all(self, path: str, parameters: Parameters, model: type[T]) -> list[T]:
        return [item for item in self._iterate(path, parameters, model)]
