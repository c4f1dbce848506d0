"""Finds the dates and times of a result that pandas or polars can't represent."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any, Literal

from svc._errors import UnsupportedValue

_Library = Literal["pandas", "polars"]
_Range = tuple[int, int]

_EPOCH = datetime.date(1970, 1, 1).toordinal()
_DAY = 86_400_000_000
#: Days from 1970 of the years 1 to 9999, those of Python.
_PYTHON_DAYS = (1 - _EPOCH, datetime.date.max.toordinal() - _EPOCH)
#: The same of the years -262143 to 262142, those of polars. The calendar repeats after 400 years.
_CYCLE = 146_097
_POLARS_DAYS = (
    datetime.date(2257, 1, 1).toordinal() - _EPOCH - 661 * _CYCLE,
    datetime.date(2142, 12, 31).toordinal() - _EPOCH + 650 * _CYCLE,
)
#: The largest integer and its negative are infinite.
_FINITE = (2 - 2**63, 2**63 - 2)


def require_supported(table: Any, library: _Library) -> None:
    """Raises UnsupportedValue for a value that the library would refuse or change."""
    for field, column in zip(table.schema, table.columns, strict=True):
        if not _is_temporal(field.type):
            continue
        for chunk in column.chunks:
            if (found := _unsupported(chunk, library, in_object=False)) is not None:
                raise UnsupportedValue(field.name, found, library)


def _is_temporal(kind: Any) -> bool:
    from pyarrow import types

    return types.is_temporal(kind) or any(_is_temporal(kind.field(i).type) for i in range(kind.num_fields))


def _unsupported(array: Any, library: _Library, *, in_object: bool) -> str | None:
    """The description of a value. Inside of structs and maps, pandas has values of Python."""
    import pyarrow
    import pyarrow.compute

    kind = array.type
    if kind.num_fields > 0:
        in_object = in_object or not pyarrow.types.is_list(kind)
        inner = (_unsupported(each, library, in_object=in_object) for each in _inner(array))
        return next((found for found in inner if found is not None), None)
    if pyarrow.types.is_date32(kind):
        integers, what = pyarrow.int32(), "date"
        low, high = _PYTHON_DAYS if library == "pandas" else _POLARS_DAYS
    elif pyarrow.types.is_time64(kind):
        integers, what = pyarrow.int64(), "time"
        low, high = 0, _DAY - 1
    elif pyarrow.types.is_timestamp(kind):
        integers, what = pyarrow.int64(), "timestamp"
        low, high = _timestamps(library, in_object)
    else:
        return None
    bounds = pyarrow.compute.min_max(array.view(integers)).as_py()
    for value in (bounds["min"], bounds["max"]):
        if value is not None and not low <= value <= high:
            return _described(what, value)
    return None


def _inner(array: Any) -> Iterator[Any]:
    from pyarrow import types

    if types.is_map(array.type):
        yield from (array.keys, array.items)
    elif types.is_struct(array.type):
        yield from array.flatten()
    else:
        yield array.flatten()


def _timestamps(library: _Library, in_object: bool) -> _Range:
    if library == "pandas" and not in_object:
        return _FINITE
    low, high = _PYTHON_DAYS if library == "pandas" else _POLARS_DAYS
    return low * _DAY, high * _DAY + _DAY - 1


def _described(what: str, value: int) -> str:
    if what == "time":
        return "the time 24:00:00"
    infinite = 2**31 - 1 if what == "date" else 2**63 - 1
    if abs(value) == infinite:
        return f"the {what} {'-' if value < 0 else ''}infinity"
    days = value if what == "date" else value // _DAY
    return f"a {what} about {round(abs(days) / 365.2425)} years {'before' if days < 0 else 'after'} 1970"
