"""Rows that the service itself reads from a URL."""

from __future__ import annotations

from typing import Any


def is_url(rows: object) -> bool:
    """Whether rows are a URL, not the path of a file."""
    return isinstance(rows, str) and rows.startswith(("https://", "http://"))


def url_of(rows: object) -> dict[str, Any]:
    """The request's parameter for a URL."""
    return {"url": rows} if is_url(rows) else {}
