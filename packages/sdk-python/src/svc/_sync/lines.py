# Written out of svc/_aio by "npm run generate". Do not edit.
"""Reads responses line by line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx

from svc._answers import not_the_service


def lines(response: httpx.Response) -> Iterator[str]:
    """The lines of a body. Only a line feed separates them: JSON texts contain others, such as U+2028, as they are."""
    rest = b""
    for piece in response.iter_bytes():
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line.decode()
    if rest:
        yield rest.decode()


def json_lines(response: httpx.Response) -> Iterator[Any]:
    """The values of a body of JSON lines. Raises Unavailable if a line isn't JSON, such as one that was cut off."""
    for line in lines(response):
        if not line:
            continue
        try:
            value = json.loads(line)
        except ValueError:
            raise not_the_service(response, "has a line that isn't JSON") from None
        yield value
