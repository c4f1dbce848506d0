"""From the JSON form of a result's values to Python's own."""

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
    """How values of a column type are read; nested types keep their JSON form."""
    base: Decode = _DECODERS.get(column_type, _keep)
    if column_type.startswith("decimal"):
        base = decimal.Decimal
    return _keep if base is _keep else lambda value: None if value is None else base(value)


def read_watermark(text: str | None, column_type: str | None) -> Any:
    """The largest value so far, kept as SQL writes it, as Python's own; texts and what has no other form stay texts."""
    if text is None or column_type is None or column_type == "binary":
        return text
    if column_type == "timestamptz":
        # SQL leaves the minutes of a zone out, which Python before 3.11 does not read.
        text = re.sub(r"([+-]\d\d)$", r"\1:00", text)
    return decoder(column_type)(text)
