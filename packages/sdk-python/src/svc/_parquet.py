"""Writes frames and Arrow data to Parquet files."""

from __future__ import annotations

import datetime
import decimal
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from svc._frames import BadResult, with_index_columns
from svc._values import python_value

PARQUET = "data.parquet"


def arrow_stream(value: Any) -> Any:
    """A reader of Arrow batches for anything that speaks Arrow; None for plain rows."""
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(value, pandas.Series):
        raise BadResult("a Series is a column; use a DataFrame, such as series.to_frame()")
    is_pandas = pandas is not None and isinstance(value, pandas.DataFrame)
    if not is_pandas and not hasattr(value, "__arrow_c_stream__"):
        return None
    try:
        import pyarrow
    except ImportError as error:
        raise BadResult(
            f"a {type(value).__name__} needs pyarrow, which is not installed; install it (in a project: add it to the "
            "dependencies and lock again), or use rows"
        ) from error
    if is_pandas:
        value = _from_pandas(value)
    elif type(value).__module__.startswith("polars."):
        value = _plain_polars(value)
    if isinstance(value, pyarrow.Table):
        return value.to_reader()
    try:
        return pyarrow.RecordBatchReader.from_stream(value)
    except pyarrow.ArrowInvalid as error:
        raise BadResult(f"a {type(value).__name__} has a column that pyarrow can't read: {error}") from error


def write_parquet(stream: Any, folder: Path) -> dict[str, Any]:
    """Writes all batches of a reader; the answer is that of ``write_table``."""
    import pyarrow.parquet

    if len(stream.schema) == 0:
        raise BadResult("the table has no columns")
    for field in stream.schema:
        _require_storable(field.type, field.name)
    rows = 0
    path = folder / PARQUET
    schema = _plain_schema(stream.schema)
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        for batch in stream:
            writer.write_batch(batch if schema is stream.schema else _with_schema(batch, schema))
            rows += batch.num_rows
    return {"file": PARQUET, "format": "parquet", "rows": rows, "columns": None}


def _require_storable(kind: Any, column: str) -> None:
    """Raises BadResult for a type that a Parquet file can't contain."""
    from pyarrow import types

    if types.is_struct(kind) and kind.num_fields == 0:
        raise BadResult(
            f"column {column} has a struct (or dictionary) without fields; put a field into it, or drop the column"
        )
    if types.is_union(kind) or types.is_run_end_encoded(kind) or types.is_interval(kind):
        raise BadResult(f"column {column} has the type {kind}, which a table can't store; convert it first")
    for i in range(kind.num_fields):
        _require_storable(kind.field(i).type, column)


def _from_pandas(frame: Any) -> Any:
    """The frame as an Arrow table. Raises BadResult that names the column that can't be converted."""
    import pyarrow

    names = [str(name) for name in frame.columns]
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise BadResult(f"the DataFrame has two columns named {twice!r}; rename one of them")
    frame = with_index_columns(frame)
    for i, name in enumerate(map(str, frame.columns)):
        dtype = frame.dtypes.iloc[i]
        if dtype.kind == "c":
            raise BadResult(
                f"column {name} has complex numbers, which a table can't store; "
                "use two columns for the real and the imaginary parts"
            )
        if type(dtype).__name__ == "SparseDtype":
            raise BadResult(f"column {name} is sparse; convert it with frame[{name!r}].sparse.to_dense()")
        if str(dtype) == "object":
            _require_exact_times(frame.iloc[:, i], name)
    try:
        return pyarrow.Table.from_pandas(frame, preserve_index=False)
    except OverflowError as error:
        where = ", ".join(_large(frame)) or "a column"
        raise BadResult(
            f"{where} of the DataFrame has an integer beyond 64 bits; use decimal.Decimal, such as "
            "frame['NAME'].map(decimal.Decimal)"
        ) from error
    except pyarrow.ArrowException as error:
        # Its arguments are what failed and in which column.
        raise BadResult("; ".join(str(part) for part in reversed(error.args))) from error


#: Columns of Python objects without dates and times, as pandas names them.
_TIMELESS = {"string", "bytes", "boolean", "integer", "floating", "mixed-integer-float", "decimal", "complex", "empty"}
_TIMELESS_TYPES = {str, bytes, bool, int, float, decimal.Decimal, type(None)}


def _require_exact_times(column: Any, name: str) -> None:
    """Raises BadResult for dates and times in Python objects that Arrow would cut or shift."""
    import pandas

    if pandas.api.types.infer_dtype(column, skipna=True) in _TIMELESS:
        return
    found: dict[tuple[str, ...], dict[str, None]] = {}
    for value in column:
        try:
            _find_times(value, (), found)
        except ValueError as error:
            raise BadResult(f"column {name} has a wrong value: {error}") from error
    for types in found.values():
        if len(types) > 1:
            raise BadResult(f"column {name} has values of the types {' and '.join(types)}; use one type")


def _find_times(value: Any, path: tuple[str, ...], found: dict[tuple[str, ...], dict[str, None]]) -> None:
    """Adds the types of dates and times in a value, also inside of lists and dictionaries."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            _find_times(item, (*path, str(key)), found)
        return
    is_array = getattr(getattr(value, "dtype", None), "kind", None) == "O" and value.ndim > 0
    if is_array or isinstance(value, (list, tuple, set, frozenset)):
        if not _TIMELESS_TYPES.issuperset(map(type, value)):
            for item in value:
                _find_times(item, (*path, "[]"), found)
        return
    value = python_value(value)
    if isinstance(value, datetime.datetime):
        found.setdefault(path, {})["timestamp" if value.tzinfo is None else "timestamptz"] = None
    elif isinstance(value, datetime.date):
        found.setdefault(path, {})["date"] = None


def _large(frame: Any) -> Iterator[str]:
    """The columns whose integers Arrow can't store."""
    import pyarrow

    for i, name in enumerate(map(str, frame.columns)):
        try:
            pyarrow.Array.from_pandas(frame.iloc[:, i])
        except OverflowError:
            yield f"column {name}"


def _plain_polars(value: Any) -> Any:
    """A frame of polars without categories, which Parquet files can't contain inside of lists and structs."""
    import polars

    if not isinstance(value, polars.DataFrame):
        return value
    types = {name: _plain_type(dtype, name) for name, dtype in value.schema.items()}
    changed: dict[Any, Any] = {name: dtype for name, dtype in types.items() if dtype != value.schema[name]}
    return value.cast(changed) if changed else value


def _plain_type(dtype: Any, column: str) -> Any:
    import polars

    kind = type(dtype).__name__
    if kind in ("Int128", "UInt128"):
        raise BadResult(
            f"column {column} has integers of 128 bits; cast them, such as with "
            f"polars.col({column!r}).cast(polars.Decimal(38, 0))"
        )
    if kind == "Object":
        raise BadResult(
            f"column {column} has Python objects, which a table can't store; convert them to text or numbers"
        )
    if kind in ("Categorical", "Enum"):
        return polars.String()
    if kind == "List":
        return polars.List(_plain_type(dtype.inner, column))
    if kind == "Array":
        return polars.Array(_plain_type(dtype.inner, column), dtype.size)
    if kind == "Struct":
        return polars.Struct([polars.Field(field.name, _plain_type(field.dtype, column)) for field in dtype.fields])
    return dtype


def _plain_schema(schema: Any) -> Any:
    """The schema without dictionaries of string views, which Parquet files can't contain."""
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
