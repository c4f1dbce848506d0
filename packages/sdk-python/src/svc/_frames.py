"""Converts between rows of svc and the frames of pandas, polars and Arrow."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from svc._ranges import require_supported

_ADVICE = "install it (in a project: add it to the dependencies and lock again), or use rows()"


def qualified(name: str) -> str:
    """``<namespace>.<table>`` as SQL. Raises ValueError for a name without a namespace."""
    namespace, dot, table = name.rpartition(".")
    if not dot:
        raise ValueError(f"{name!r} is not a table name: write '<namespace>.<table>'")
    # The namespace is quoted as one identifier, because SQL names have at most three parts.
    return f"{quoted(namespace)}.{quoted(table)}"


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def need_pyarrow(caller: str) -> Any:
    """The module ``pyarrow``. Raises ModuleNotFoundError with what to do."""
    try:
        import pyarrow.ipc
    except ImportError as error:
        raise ModuleNotFoundError(f"{caller} needs pyarrow: {_ADVICE}") from error
    return pyarrow


def _with_uuids(schema: Any, columns: Sequence[Any]) -> Any:
    """The schema of a result whose UUIDs, which arrive as 16 bytes, have Arrow's type for them.

    Before version 18, pyarrow has no such type.
    """
    import pyarrow

    for i, field in enumerate(schema):
        if hasattr(pyarrow, "uuid") and not _is_uuid(field.type) and _has_uuids(schema, i, columns):
            schema = schema.set(i, field.with_type(pyarrow.uuid()))
    return schema


def table_with_uuids(table: Any, columns: Sequence[Any]) -> Any:
    """The table of a result with Arrow's type for UUIDs."""
    schema = _with_uuids(table.schema, columns)
    return table if schema.equals(table.schema) else table.cast(schema)


def stream_with_uuids(pieces: Iterator[bytes], columns: Sequence[Any]) -> Iterator[bytes]:
    """The Arrow stream of a result with Arrow's type for UUIDs in its schema, which is its first message."""
    import pyarrow.ipc

    try:
        head = b""
        for piece in pieces:
            head += piece
            # A message starts with a marker and the length of its metadata, 4 bytes each.
            end = 8 + int.from_bytes(head[4:8], "little")
            if len(head) >= max(9, end):
                schema = _with_uuids(pyarrow.ipc.read_schema(pyarrow.py_buffer(head[:end])), columns)
                head = schema.serialize().to_pybytes() + head[end:]
                break
        yield head
        yield from pieces
    finally:
        pieces.close()  # type: ignore[attr-defined]


def to_pandas(table: Any, columns: Sequence[Any] = ()) -> Any:
    """A ``pandas.DataFrame`` of a result with these columns.

    Integers and booleans with nulls keep their type, as nullable columns.
    """
    try:
        import pandas
    except ImportError as error:
        raise ModuleNotFoundError(f"df() needs pandas: {_ADVICE}") from error
    import pyarrow

    require_supported(table, "pandas")
    nullable = {
        pyarrow.int32(): pandas.Int32Dtype(),
        pyarrow.int64(): pandas.Int64Dtype(),
        pyarrow.bool_(): pandas.BooleanDtype(),
    }
    with_nulls = {
        i: nullable[column.type]
        for i, column in enumerate(table.columns)
        if column.type in nullable and column.null_count > 0
    }
    others = [i for i in range(table.num_columns) if i not in with_nulls]
    nested = {i: table.schema.field(i).type for i in others if _has_nested_uuids(table.schema, i, columns)}
    for i, kind in nested.items():
        # pandas takes no lists of values of a fixed size.
        variable = _without_uuids(kind, pyarrow.binary())
        table = table.set_column(i, table.schema.field(i).with_type(variable), table.column(i).cast(variable))
    # Without the option, integers with nulls inside of structs and lists become floats.
    frame = table.select(others).to_pandas(integer_object_nulls=True)
    for position, i in enumerate(others):
        if _has_uuids(table.schema, i, columns):
            # Otherwise, they are their bytes.
            frame[frame.columns[position]] = pandas.Series(_uuids(table.column(i)), index=frame.index, dtype=object)
        elif (kind := nested.get(i)) is not None:
            values = [_revived(value, kind, lambda raw: uuid.UUID(bytes=raw)) for value in frame.iloc[:, position]]
            frame[frame.columns[position]] = pandas.Series(values, index=frame.index, dtype=object)
    for i, dtype in with_nulls.items():
        name = table.column_names[i]
        frame.insert(i, name, table.column(i).to_pandas(types_mapper={table.column(i).type: dtype}.get))
    return frame


def need_polars(caller: str) -> Any:
    """The module ``polars``. Raises ModuleNotFoundError with what to do."""
    try:
        import polars
    except ImportError as error:
        raise ModuleNotFoundError(f"{caller} needs polars: {_ADVICE}") from error
    return polars


def to_polars(table: Any, columns: Sequence[Any] = ()) -> Any:
    """A ``polars.DataFrame`` of a result with these columns. UUIDs, which polars doesn't have, become text."""
    polars = need_polars("pl()")
    require_supported(table, "polars")
    for i, field in enumerate(table.schema):
        if _has_uuids(table.schema, i, columns):
            import pyarrow

            texts = [None if value is None else _uuid_text(value) for value in _uuid_bytes(table.column(i))]
            table = table.set_column(i, field.name, pyarrow.array(texts, pyarrow.string()))
        elif _has_nested_uuids(table.schema, i, columns):
            import pyarrow

            rows = (_revived(row, field.type, _uuid_text) for row in table.column(i).to_pylist())
            kind = _without_uuids(field.type, pyarrow.string())
            table = table.set_column(i, field.with_type(kind), pyarrow.array(rows, kind))
    return polars.from_arrow(table)


def _is_uuid(kind: Any) -> bool:
    return str(getattr(kind, "extension_name", "")) == "arrow.uuid"


def _has_uuids(schema: Any, i: int, columns: Sequence[Any]) -> bool:
    """Whether a column has UUIDs. Results have them as 16 bytes, and their type in the record of the query."""
    kind = schema.field(i).type
    return _is_uuid(kind) or (i < len(columns) and columns[i].type == "uuid" and str(kind) == "fixed_size_binary[16]")


def _has_nested_uuids(schema: Any, i: int, columns: Sequence[Any]) -> bool:
    """Whether a column has UUIDs inside of lists, structs or maps. Nothing else there has values of a fixed size."""
    return i < len(columns) and "uuid" in columns[i].type and _contains_bytes(schema.field(i).type)


def _contains_bytes(kind: Any) -> bool:
    return any(
        str(inner) == "fixed_size_binary[16]" or _contains_bytes(inner)
        for inner in (kind.field(i).type for i in range(kind.num_fields))
    )


def _without_uuids(kind: Any, replacement: Any) -> Any:
    """The type with another one for each UUID."""
    import pyarrow
    from pyarrow import types

    if str(kind) == "fixed_size_binary[16]":
        return replacement
    if types.is_list(kind):
        item = kind.value_field
        return pyarrow.list_(item.with_type(_without_uuids(item.type, replacement)))
    if types.is_map(kind):
        key, item = kind.key_field, kind.item_field
        return pyarrow.map_(
            key.with_type(_without_uuids(key.type, replacement)), item.with_type(_without_uuids(item.type, replacement))
        )
    if types.is_struct(kind):
        fields = [kind.field(i) for i in range(kind.num_fields)]
        return pyarrow.struct([field.with_type(_without_uuids(field.type, replacement)) for field in fields])
    return kind


def _revived(value: Any, kind: Any, of_bytes: Callable[[bytes], Any]) -> Any:
    """A value of this type, in which each UUID is replaced. Lists stay arrays if they are."""
    from pyarrow import types

    if value is None:
        return None
    if str(kind) == "fixed_size_binary[16]":
        return of_bytes(value)
    if not _contains_bytes(kind):
        return value
    if types.is_map(kind):
        pairs = ((_revived(k, kind.key_type, of_bytes), _revived(v, kind.item_type, of_bytes)) for k, v in value)
        return list(pairs)
    if types.is_struct(kind):
        fields = [kind.field(i) for i in range(kind.num_fields)]
        return {field.name: _revived(value[field.name], field.type, of_bytes) for field in fields}
    items = [_revived(item, kind.value_type, of_bytes) for item in value]
    if isinstance(value, list):
        return items
    revived = value.astype(object)
    revived[:] = items
    return revived


def _uuid_bytes(column: Any) -> Iterator[bytes | None]:
    return (value for chunk in column.chunks for value in getattr(chunk, "storage", chunk).to_pylist())


def _uuids(column: Any) -> list[uuid.UUID | None]:
    return [None if value is None else uuid.UUID(bytes=value) for value in _uuid_bytes(column)]


def _uuid_text(value: bytes) -> str:
    """As ``str(uuid.UUID(bytes=value))``, which takes five times as long."""
    digits = value.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def columns_of(schema: Any, frame: Any = None) -> list[dict[str, str]]:
    """The columns of a table that stores rows with this Arrow schema. Raises ValueError for a type it can't store.

    Decimals of a pandas ``frame`` have no precision of their own, so their columns get the largest one.
    """
    pandas = sys.modules.get("pandas")
    is_pandas = pandas is not None and isinstance(frame, pandas.DataFrame)
    objects = {str(name) for name in frame.columns if frame[name].dtype.kind == "O"} if is_pandas else set()

    def type_of(field: Any) -> str:
        column_type = _column_type(field.type, field.name)
        is_inferred = field.name in objects and column_type.startswith("decimal")
        return f"decimal(38,{field.type.scale})" if is_inferred else column_type

    return [{"name": field.name, "type": type_of(field)} for field in schema]


_SIMPLE = {
    "bool": "boolean",
    "int8": "int",
    "int16": "int",
    "int32": "int",
    "int64": "long",
    "uint8": "int",
    "uint16": "int",
    "uint32": "long",
    "uint64": "decimal(20,0)",
    "halffloat": "float",
    "float": "float",
    "double": "double",
    "string": "string",
    "large_string": "string",
    "string_view": "string",
    "binary": "binary",
    "large_binary": "binary",
    "binary_view": "binary",
    "date32[day]": "date",
    "date64[ms]": "date",
    # A column without a value has no type of its own.
    "null": "string",
}


def _column_type(kind: Any, column: str) -> str:
    from pyarrow import types

    if (simple := _SIMPLE.get(str(kind))) is not None:
        return simple
    if types.is_timestamp(kind):
        return "timestamp" if kind.tz is None else "timestamptz"
    if types.is_time(kind):
        return "time"
    if types.is_decimal(kind) and 0 <= kind.scale <= kind.precision <= 38:
        return f"decimal({kind.precision},{kind.scale})"
    if types.is_dictionary(kind):
        return _column_type(kind.value_type, column)
    if types.is_fixed_size_binary(kind):
        return "binary"
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return f"list<{_column_type(kind.value_type, column)}>"
    if types.is_map(kind):
        return f"map<{_column_type(kind.key_type, column)},{_column_type(kind.item_type, column)}>"
    if types.is_struct(kind):
        fields = (f"{quoted(field.name)}: {_column_type(field.type, column)}" for field in kind)
        return f"struct<{', '.join(fields)}>"
    if _is_uuid(kind):
        return "uuid"
    raise ValueError(f"column {column} has the type {kind}, which a table can't store; convert it first")


class BadResult(Exception):
    """Something that can't be stored. The text names it and what to use instead."""


def with_index_columns(frame: Any) -> Any:
    """The frame with its named index levels as its first columns, and without the default index."""
    names = list(frame.index.names)
    if names == [None]:
        if not _is_default(frame.index):
            raise BadResult(
                "the DataFrame has an index without a name, which would be lost; "
                "store it as a column with .rename_axis('NAME'), or drop it with .reset_index(drop=True)"
            )
        return frame.reset_index(drop=True)
    if None in names:
        raise BadResult(
            f"level {names.index(None)} of the DataFrame's index has no name; "
            f"name all {len(names)} levels with .rename_axis([...]), or drop the index with .reset_index(drop=True)"
        )
    columns = {str(column) for column in frame.columns}
    for name in map(str, names):
        if name in columns:
            raise BadResult(
                f"the DataFrame has an index and a column named {name!r}; rename one of them, "
                "or drop the index with .reset_index(drop=True)"
            )
        columns.add(name)
    # A column index of several levels takes tuples of names only.
    if frame.columns.nlevels > 1:
        frame = frame.set_axis([str(column) for column in frame.columns], axis=1)
    return frame.reset_index()


def _is_default(index: Any) -> bool:
    """Whether the index counts the rows from 0, as pandas numbers a frame by itself."""
    import pandas

    return bool(index.equals(pandas.RangeIndex(len(index))))
