"""Reads responses line by line."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx

from svc._answers import not_the_service


async def lines(response: httpx.Response) -> AsyncIterator[str]:
    """The lines of a body. Only a line feed separates them: JSON texts contain others, such as U+2028, as they are."""
    rest = b""
    async for piece in response.aiter_bytes():
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line.decode()
    if rest:
        yield rest.decode()


async def json_lines(response: httpx.Response) -> AsyncIterator[Any]:
    """The values of a body of JSON lines. Raises Unavailable if a line isn't JSON, such as one that was cut off."""
    async for line in lines(response):
        if not line:
            continue
        try:
            value = json.loads(line)
        except ValueError:
            raise not_the_service(response, "has a line that isn't JSON") from None
        yield value
