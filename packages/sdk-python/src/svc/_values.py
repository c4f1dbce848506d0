"""Converts JSON values of results to Python values."""

from __future__ import annotations

import base64
import datetime
import decimal
import math
import re
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from svc._errors import UnsupportedValue

Decode = Callable[[Any], Any]
#: Values of the parameters of a query, by position or by name.
Params = Sequence[object] | Mapping[str, object] | None


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


def _time(value: str) -> datetime.time:
    if value.startswith("24"):
        # Newer versions of Python would return 00:00.
        raise ValueError("hour must be in 0..23")
    return datetime.time.fromisoformat(value)


_DECODERS: dict[str, Decode] = {
    "int": int,
    "long": int,
    "float": float,
    "double": float,
    "date": datetime.date.fromisoformat,
    "time": _time,
    "timestamp": _timestamp,
    "timestamptz": _timestamp,
    "binary": base64.b64decode,
}


def decoder(column_type: str, column: str, *, texts: bool = False) -> Decode:
    """Returns the converter for a column type; nested types stay JSON.

    For values that Python can't represent, it raises UnsupportedValue, or returns their text if ``texts`` is true.
    """
    base: Decode = _DECODERS.get(column_type, _keep)
    if column_type.startswith("decimal"):
        base = decimal.Decimal
    if base is _keep:
        return _keep

    def decode(value: Any) -> Any:
        if value is None:
            return None
        try:
            return base(value)
        except ValueError as error:
            if texts:
                return value
            raise UnsupportedValue(column, f"the {column_type} {value}", "Python") from error

    return decode


def parameters(values: Params) -> Any:
    """The values of a query's parameters as JSON. Dates, times, decimals, UUIDs and bytes are sent with their type."""
    if values is None:
        return None
    if isinstance(values, Mapping):
        return {name: _parameter(value) for name, value in values.items()}
    if isinstance(values, str | bytes | bytearray | memoryview | set | frozenset) or not isinstance(values, Iterable):
        # The items of a text or of bytes are not what the caller means, and a set has no order.
        kind = type(values).__name__
        raise TypeError(f"params is a {kind}; use a list of values for ? and $1, or a dictionary for $name")
    return [_parameter(value) for value in values]


_NO_TIME = "not a time in microseconds from year 1 to 9999"


def python_value(value: Any) -> Any:
    """A scalar of numpy or pandas as a value of Python; None for NaT and NA. Raises ValueError if it isn't exact."""
    if isinstance(value, datetime.time) and value.tzinfo is not None:
        # The type time has no zone, so its offset would be lost.
        raise ValueError("a time with a time zone is not a value of a table or a parameter; use a datetime")
    kind = type(value)
    if kind.__module__.split(".")[0] == "pandas":
        return _pandas_value(value, kind.__name__)
    if kind.__module__ != "numpy" or not hasattr(value, "item") or value.ndim > 0:
        # item() of an array with one value would be that value.
        return value
    if kind.__name__ == "timedelta64":
        # item() of nanoseconds is an integer.
        raise ValueError("a timedelta64 is not a value of a table or a parameter; use a number")
    if kind.__name__ != "datetime64" or value != value:
        return value.item()
    found = value.item()
    if isinstance(found, int):
        # Finer than Python's clock, or years beyond its calendar.
        short = value.astype("datetime64[us]")
        found = short.item()
        if isinstance(found, int) or short != value:
            raise ValueError(f"{value} is {_NO_TIME}")
    return found


def _pandas_value(value: Any, kind: str) -> Any:
    if kind in ("NaTType", "NAType"):
        return None
    if kind == "Timedelta":
        raise ValueError("a Timedelta is not a value of a table or a parameter; use a number")
    if kind != "Timestamp":
        return value
    if value.nanosecond != 0:
        # As a datetime it would lose them.
        raise ValueError(f"{value} is {_NO_TIME}; round it with .round('us')")
    return value.to_pydatetime()


def _parameter(value: object) -> object:
    value = python_value(value)
    if isinstance(value, datetime.datetime):
        return {"type": "timestamp" if value.tzinfo is None else "timestamptz", "value": value.isoformat()}
    if isinstance(value, datetime.date):
        return {"type": "date", "value": value.isoformat()}
    if isinstance(value, datetime.time):
        return {"type": "time", "value": value.isoformat()}
    if isinstance(value, decimal.Decimal):
        return {"type": _decimal_type(value), "value": format(value, "f")}
    if isinstance(value, uuid.UUID):
        return {"type": "uuid", "value": str(value)}
    if isinstance(value, (bytes, bytearray)):
        return {"type": "binary", "value": base64.b64encode(value).decode()}
    if isinstance(value, float) and (not math.isfinite(value) or value.is_integer()):
        # As a JSON number it would be an integer, or isn't one.
        return {"type": "double", "value": repr(float(value))}
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**53:
        kind = "long" if -(2**63) <= value < 2**63 else _decimal_type(decimal.Decimal(value))
        return {"type": kind, "value": str(value)}
    if value is not None and not isinstance(value, (str, int, float, Mapping)):
        kind = type(value).__name__
        raise ValueError(f"a {kind} is not a value of a parameter; use a text, a number, a date, a time or bytes")
    return value


#: The largest precision of a decimal.
_MAX_DIGITS = 38


def _decimal_type(value: decimal.Decimal) -> str:
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int):
        raise ValueError(f"{value} is not a finite number")
    scale = max(0, -exponent)
    whole = max(1 if scale < _MAX_DIGITS else 0, len(value.as_tuple().digits) + exponent)
    if whole + scale > _MAX_DIGITS:
        raise ValueError(f"{value} has more than {_MAX_DIGITS} digits, the most of a decimal; round it, or use a float")
    return f"decimal({whole + scale},{scale})"


def read_watermark(text: str | None, column_type: str | None) -> Any:
    """Converts the watermark (the largest value so far, as SQL text) to a Python value; other types stay text."""
    if text is None or column_type is None or column_type == "binary":
        return text
    if column_type == "timestamptz":
        # SQL omits the minutes of a time zone, which Python before 3.11 can't parse.
        text = re.sub(r"([+-]\d\d)$", r"\1:00", text)
    return decoder(column_type, "of the watermark")(text)
