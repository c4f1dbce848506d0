"""What every resource of the client is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from svc._models import Page
from svc._transport import Parameters, Transport, segment

T = TypeVar("T")
#: A word of a filter, or several.
Words = str | list[str] | tuple[str, ...] | None


class Resource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _page(self, path: str, parameters: Parameters, make: Callable[[dict[str, Any]], T]) -> Page[T]:
        items, cursor = self._transport.page(path, parameters)
        return Page(tuple(make(item) for item in items), cursor)

    def _iterate(self, path: str, parameters: dict[str, Any], make: Callable[[dict[str, Any]], T]) -> Iterator[T]:
        cursor: str | None = None
        while True:
            page = self._page(path, {**parameters, "cursor": cursor}, make)
            yield from page.items
            cursor = page.next_cursor
            if cursor is None:
                return


def environment_path(name: str) -> str:
    return f"/api/v1/environments/{segment(name)}"


def words(value: Words) -> str | None:
    return value if value is None or isinstance(value, str) else ",".join(value)
