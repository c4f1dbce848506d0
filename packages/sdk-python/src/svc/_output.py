"""Writes rows and frames to files that the service can load."""

from __future__ import annotations

import base64
import datetime
import decimal
import json
import math
import os
import shutil
import sys
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from svc._frames import BadIndex, with_index_columns
from svc._values import python_value

PARQUET = "data.parquet"
NDJSON = "data.ndjson"
ARTIFACT = "artifact.bin"


class BadResult(Exception):
    """Something that can't be stored. The text names it and what to use instead."""


def write_table(value: Any, folder: Path) -> dict[str, Any]:
    """Writes a table's rows; the answer names the file, its format, and how many rows it holds."""
    if is_spark_frame(value):
        raise BadResult('a Spark DataFrame needs engine="spark" in the decorator of its asset')
    if value is None:
        raise BadResult("there are no rows: the value is None; use rows (dictionaries), an Arrow table or a DataFrame")
    stream = _arrow_stream(value)
    if stream is not None:
        return _write_parquet(stream, folder)
    if isinstance(value, (str, bytes, os.PathLike, Mapping)) or not isinstance(value, Iterable):
        kind = type(value).__name__
        raise BadResult(f"a {kind} has no rows; use rows (dictionaries), an Arrow table or a DataFrame")
    return _write_rows(value, folder)


def is_spark_frame(value: object) -> bool:
    """Whether a value is a DataFrame of Spark, which is checked without importing Spark."""
    kind = type(value)
    return kind.__name__ == "DataFrame" and kind.__module__.startswith("pyspark.sql.")


def _arrow_stream(value: Any) -> Any:
    """A reader of Arrow batches for anything that speaks Arrow; None for plain rows."""
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(value, pandas.Series):
        raise BadResult("a Series is a column; use a DataFrame, such as series.to_frame()")
    frame = pandas is not None and isinstance(value, pandas.DataFrame)
    if not frame and not hasattr(value, "__arrow_c_stream__"):
        return None
    try:
        import pyarrow
    except ImportError as error:
        raise BadResult(
            f"a {type(value).__name__} needs pyarrow, which is not installed; install it (in a project: add it to the "
            "dependencies and lock again), or use rows"
        ) from error
    if frame:
        try:
            value = pyarrow.Table.from_pandas(with_index_columns(value), preserve_index=False)
        except BadIndex as error:
            raise BadResult(str(error)) from error
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError) as error:
            # Its arguments are what failed and in which column.
            raise BadResult("; ".join(str(part) for part in reversed(error.args))) from error
    if isinstance(value, pyarrow.Table):
        return value.to_reader()
    return pyarrow.RecordBatchReader.from_stream(value)


def _write_parquet(stream: Any, folder: Path) -> dict[str, Any]:
    import pyarrow.parquet

    if len(stream.schema) == 0:
        raise BadResult("the table has no columns")
    rows = 0
    path = folder / PARQUET
    schema = _plain_schema(stream.schema)
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        for batch in stream:
            writer.write_batch(batch if schema is stream.schema else _with_schema(batch, schema))
            rows += batch.num_rows
    return {"file": PARQUET, "format": "parquet", "rows": rows, "columns": None}


def _plain_schema(schema: Any) -> Any:
    """The schema without dictionaries of string views, the categories of polars, which Parquet files can't contain."""
    import pyarrow

    plain = schema
    for i, field in enumerate(schema):
        if pyarrow.types.is_dictionary(field.type) and str(field.type.value_type) == "string_view":
            plain = plain.set(i, field.with_type(pyarrow.large_string()))
    return plain


def _with_schema(batch: Any, schema: Any) -> Any:
    import pyarrow

    columns = [
        column if column.type == field.type else column.dictionary.cast(field.type).take(column.indices)
        for column, field in zip(batch.columns, schema, strict=True)
    ]
    return pyarrow.RecordBatch.from_arrays(columns, schema=schema)


def _write_rows(rows: Iterable[Any], folder: Path) -> dict[str, Any]:
    columns: dict[str, str | None] = {}
    count = 0
    with open(folder / NDJSON, "w", encoding="utf-8") as file:
        for count, row in enumerate(rows, start=1):
            if not isinstance(row, Mapping):
                raise BadResult(f"row {count} is a {type(row).__name__}; use dictionaries of column name to value")
            encoded = {str(name): _encode(value, str(name), count, columns) for name, value in row.items()}
            file.write(json.dumps(encoded, ensure_ascii=False, allow_nan=False))
            file.write("\n")
    if count > 0 and not columns:
        raise BadResult("its rows have no columns; use dictionaries of column name to value")
    listed = [{"name": name, "type": kind or "string"} for name, kind in columns.items()]
    return {"file": NDJSON, "format": "ndjson", "rows": count, "columns": listed}


def _encode(value: Any, column: str, row: int, columns: dict[str, str | None]) -> Any:
    """Returns one value as JSON; widens the column's type to include it."""
    try:
        value = python_value(value)
    except ValueError as error:
        raise BadResult(f"column {column} has a wrong value in row {row}: {error}") from error
    kind, encoded = _typed(value, column, row)
    before = columns.setdefault(column, kind)
    if kind is None or kind == before:
        return encoded
    joined = _join(before, kind)
    if joined is None:
        raise BadResult(f"column {column} has {kind} in row {row} and {before} in earlier rows; use one type")
    columns[column] = joined
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
