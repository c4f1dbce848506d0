"""Converts JSON values of results to Python values."""

from __future__ import annotations

import base64
import datetime
import decimal
import re
from collections.abc import Callable
from typing import Any

Decode = Callable[[Any], Any]


def _keep(value: Any) -> Any:
    return value


def _timestamp(value: str) -> datetime.datetime:
    text = value.replace("Z", "+00:00")
    # Python's clock has microseconds; a finer fraction is cut, not refused. Before 3.11 only 3 or 6 digits are read.
    head, dot, rest = text.partition(".")
    if dot:
        digits = len(rest) - len(rest.lstrip("0123456789"))
        text = f"{head}.{rest[:digits][:6].ljust(6, '0')}{rest[digits:]}"
    return datetime.datetime.fromisoformat(text)


_DECODERS: dict[str, Decode] = {
    "int": int,
    "long": int,
    "float": float,
    "double": float,
    "date": datetime.date.fromisoformat,
    "time": datetime.time.fromisoformat,
    "timestamp": _timestamp,
    "timestamptz": _timestamp,
    "binary": base64.b64decode,
}


def decoder(column_type: str) -> Decode:
    """Returns the converter for a column type; nested types stay JSON."""
    base: Decode = _DECODERS.get(column_type, _keep)
    if column_type.startswith("decimal"):
        base = decimal.Decimal
    return _keep if base is _keep else lambda value: None if value is None else base(value)


def read_watermark(text: str | None, column_type: str | None) -> Any:
    """Converts the watermark (the largest value so far, as SQL text) to a Python value; other types stay text."""
    if text is None or column_type is None or column_type == "binary":
        return text
    if column_type == "timestamptz":
        # SQL omits the minutes of a time zone, which Python before 3.11 can't parse.
        text = re.sub(r"([+-]\d\d)$", r"\1:00", text)
    return decoder(column_type)(text)
