"""Writes rows and frames to files that the service can load."""

from __future__ import annotations

import base64
import datetime
import decimal
import json
import math
import os
import shutil
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from svc._frames import BadResult
from svc._parquet import arrow_stream, write_parquet
from svc._values import python_value

NDJSON = "data.ndjson"
ARTIFACT = "artifact.bin"


def write_table(value: Any, folder: Path) -> dict[str, Any]:
    """Writes a table's rows; the answer names the file, its format, and how many rows it holds."""
    if is_spark_frame(value):
        raise BadResult('a Spark DataFrame needs engine="spark" in the decorator of its asset')
    if value is None:
        raise BadResult("there are no rows: the value is None; use rows (dictionaries), an Arrow table or a DataFrame")
    stream = arrow_stream(value)
    if stream is not None:
        return write_parquet(stream, folder)
    if isinstance(value, (str, bytes, os.PathLike, Mapping)) or not isinstance(value, Iterable):
        kind = type(value).__name__
        raise BadResult(f"a {kind} has no rows; use rows (dictionaries), an Arrow table or a DataFrame")
    return _write_rows(value, folder)


def is_spark_frame(value: object) -> bool:
    """Whether a value is a DataFrame of Spark, which is checked without importing Spark."""
    kind = type(value)
    return kind.__name__ == "DataFrame" and kind.__module__.startswith("pyspark.sql.")


def _write_rows(rows: Iterable[Any], folder: Path) -> dict[str, Any]:
    columns = _Columns()
    count = 0
    with open(folder / NDJSON, "w", encoding="utf-8") as file:
        for count, row in enumerate(rows, start=1):
            if not isinstance(row, Mapping):
                raise BadResult(f"row {count} is a {type(row).__name__}; use dictionaries of column name to value")
            encoded: dict[str, Any] = {}
            for key, value in row.items():
                name = columns.name_of(key)
                if name in encoded:
                    raise BadResult(f"row {count} has two values for the column {name}: {_same_keys(row, name)}")
                encoded[name] = _encode(value, name, count, columns)
            file.write(json.dumps(encoded, ensure_ascii=False, allow_nan=False))
            file.write("\n")
    if count > 0 and not columns.types:
        raise BadResult("its rows have no columns; use dictionaries of column name to value")
    listed: list[dict[str, Any]] = [
        {"name": name, "type": kind} if kind else {"name": name, "type": "string", "untyped": True}
        for name, kind in columns.types.items()
    ]
    return {"file": NDJSON, "format": "ndjson", "rows": count, "columns": listed}


class _Columns:
    """The columns of the rows so far."""

    def __init__(self) -> None:
        #: None while a column has no value.
        self.types: dict[str, str | None] = {}
        #: The first integer of a column that a double can't store, with its row.
        self.inexact: dict[str, tuple[int, int]] = {}
        self._names: dict[str, str] = {}

    def name_of(self, key: object) -> str:
        """The name of a column, as its first row has it: names of columns ignore letter case."""
        name = str(key)
        return self._names.setdefault(name.lower(), name)


def _same_keys(row: Mapping[Any, Any], name: str) -> str:
    keys = [repr(key) for key in row if str(key).lower() == name.lower()]
    return (
        f"its keys {' and '.join(keys)} are the same name, because names are texts and ignore letter case; rename one"
    )


def _encode(value: Any, column: str, row: int, columns: _Columns) -> Any:
    """Returns one value as JSON; widens the column's type to include it."""
    try:
        value = python_value(value)
    except ValueError as error:
        raise BadResult(f"column {column} has a wrong value in row {row}: {error}") from error
    kind, encoded = _typed(value, column, row)
    before = columns.types.setdefault(column, kind)
    if kind == "long" and int(float(value)) != value:
        columns.inexact.setdefault(column, (value, row))
    if kind is None:
        return encoded
    joined = kind if kind == before else _join(before, kind)
    if joined is None:
        raise BadResult(f"column {column} has {kind} in row {row} and {before} in earlier rows; use one type")
    if joined == "double" and column in columns.inexact:
        number, found = columns.inexact[column]
        raise BadResult(
            f"column {column} has the integer {number} in row {found}, which would lose digits beside the floats in "
            "other rows; use decimal.Decimal in all rows, or float() if fewer digits are enough"
        )
    columns.types[column] = joined
    return encoded


def _join(before: str | None, kind: str) -> str | None:
    if before is None:
        return kind
    if {before, kind} == {"long", "double"}:
        return "double"
    if before.startswith("decimal") and kind.startswith("decimal"):
        scale = max(int(text.split(",")[1].rstrip(")")) for text in (before, kind))
        return f"decimal(38,{scale})"
    return None


def _typed(value: Any, column: str, row: int) -> tuple[str | None, Any]:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None, None
    if isinstance(value, bool):
        return "boolean", value
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise BadResult(f"column {column} holds {value} in row {row}, more than 64 bits; use decimal.Decimal")
        return "long", value
    if isinstance(value, float):
        if math.isinf(value):
            raise BadResult(f"column {column} is infinite in row {row}; use None or a finite number")
        return "double", value
    if isinstance(value, str):
        return "string", value
    if isinstance(value, datetime.datetime):
        return ("timestamp" if value.tzinfo is None else "timestamptz"), value.isoformat()
    if isinstance(value, datetime.date):
        return "date", value.isoformat()
    if isinstance(value, datetime.time):
        return "time", value.isoformat()
    if isinstance(value, decimal.Decimal):
        exponent = value.as_tuple().exponent
        if not isinstance(exponent, int):
            raise BadResult(f"column {column} is {value} in row {row}; use None or a finite number")
        return f"decimal(38,{max(0, -exponent)})", format(value, "f")
    if isinstance(value, uuid.UUID):
        return "uuid", str(value)
    if isinstance(value, (bytes, bytearray)):
        return "binary", base64.b64encode(value).decode()
    kind = type(value).__name__
    raise BadResult(f"column {column} holds a {kind} in row {row}; use texts, numbers, dates, times or bytes")


def write_artifact(value: Any, folder: Path) -> dict[str, Any]:
    """Takes over the file an artifact function returns the path of."""
    if not isinstance(value, (str, os.PathLike)):
        raise BadResult(f"it returned a {type(value).__name__}; an artifact returns the path of the file it wrote")
    path = Path(value)
    if not path.is_file():
        raise BadResult(f"there is no file {str(path)!r}; write it below ctx.scratch and return its path")
    shutil.copyfile(path, folder / ARTIFACT)
    return {"file": ARTIFACT, "name": path.name, "bytes": (folder / ARTIFACT).stat().st_size}
