"""Tables."""

from __future__ import annotations

import datetime
import os
from collections.abc import Sequence
from functools import partial
from typing import Any

from svc._aio.files import OnProgress, is_sent_in_parts, pieces
from svc._aio.generated.tables import Tables as GeneratedTables
from svc._aio.queries import Queries
from svc._aio.transport import Content
from svc._aio.uploads import Uploads, load_in_parts
from svc._csv import CsvOptions, fields_of
from svc._downloads import complete_file
from svc._frames import qualified
from svc._models import Query
from svc._project_models import Write
from svc._records import read
from svc._requests import given, glass, namespace_path, table_path
from svc._table_models import InferredColumns, Retention, Table
from svc._urls import is_url, url_of

_MEDIA_TYPES = {
    "csv": "text/csv",
    "ndjson": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
}


def content_of(rows: bytes | str | os.PathLike[str], *, on_progress: OnProgress = None) -> Content:
    """The body with rows or a file; empty if the service reads them from a URL."""
    if isinstance(rows, bytes):
        return rows
    return b"" if is_url(rows) else partial(pieces, rows, on_progress=on_progress)


def rows_of(rows: Any) -> Any:
    """Rows as bytes, a URL or a list of files.

    Raises TypeError for anything else: ``open`` would take a number, such as a byte of a bytearray, for an open file.
    """
    if isinstance(rows, bytearray | memoryview):
        return bytes(rows)
    if isinstance(rows, bytes) or is_url(rows):
        return rows
    files = [*rows] if isinstance(rows, Sequence) and not isinstance(rows, str) else [rows]
    wrong = [file for file in files if not isinstance(file, str | os.PathLike)]
    if wrong:
        kind = type(wrong[0]).__name__
        raise TypeError(f"rows has a {kind}; use bytes (of an open file: its read()), a path or a list of paths")
    if not files:
        raise ValueError("rows has no files")
    for file in files:
        if os.path.exists(file) and not os.path.isfile(file):
            raise ValueError(f"{os.fspath(file)} is not a regular file; read it and pass its bytes")
    return files


def media_type(format: str) -> str:
    if format not in _MEDIA_TYPES:
        raise ValueError(f"format is {format!r}; write one of {', '.join(_MEDIA_TYPES)}")
    return _MEDIA_TYPES[format]


class Tables(GeneratedTables):
    """Tables, views and artifacts. ``table`` is ``'<namespace>.<table>'``."""

    async def create(
        self,
        environment: str,
        table: str,
        columns: list[dict[str, Any]] | None = None,
        *,
        location: str | None = None,
        format: str | None = None,
        description: str | None = None,
        expire_after: int | None = None,
        identifier_fields: list[str] | None = None,
        break_glass: str | None = None,
    ) -> Table:
        """Creates a managed table. A column is ``{"name": …, "type": …}``. ``expire_after`` is in days without use.

        ``identifier_fields`` are required columns that together identify a row, the default key of merges.

        With ``location`` and ``format`` (csv, ndjson, parquet) it creates an external table, and columns are optional.
        """
        path, _, _ = table_path(environment, table).rpartition("/")
        name = table.rpartition(".")[2]
        kind = None if location is None else "external"
        body = given(name=name, kind=kind, columns=columns, location=location, format=format, expire_after=expire_after)
        body |= given(identifier_fields=identifier_fields)
        body["description"] = description
        return read(Table, await self._transport.post(path, body, headers=glass(break_glass)))

    async def infer(
        self,
        environment: str,
        namespace: str,
        rows: bytes | bytearray | memoryview | str | os.PathLike[str],
        *,
        format: str,
        csv: CsvOptions | None = None,
    ) -> InferredColumns:
        """Infers the columns of a table for rows (bytes or a file) in the ``format`` csv, ndjson or parquet.

        At most 64 MB are read. The start of a CSV or NDJSON file is enough; of a Parquet file send the end, which has
        its footer. The service itself reads rows at a URL (https or http), which its operator must allow.
        """
        path = f"{namespace_path(environment, namespace)}/columns"
        fields = {**fields_of(csv), **url_of(rows)}
        source = rows_of(rows)
        if isinstance(source, list):
            if len(source) > 1:
                raise TypeError("infer() takes one file")
            source = source[0]
        content = content_of(source)
        return read(InferredColumns, await self._transport.upload(path, content, media_type(format), fields))

    async def clone(
        self,
        environment: str,
        source: str,
        target: str,
        *,
        break_glass: str | None = None,
        timeout: float | None = None,
    ) -> Query:
        """Creates a managed table with the current rows of another one, in its own files, which the storage copies.

        Waits until it finishes, and raises WorkFailed if it fails or after ``timeout`` seconds. Ctrl-C and the
        cancellation of the task cancel it.
        """
        sql = f"CREATE TABLE {qualified(target)} CLONE {qualified(source)}"
        return await Queries(self._transport).run(environment, sql, break_glass=break_glass, timeout=timeout)

    async def load(
        self,
        environment: str,
        table: str,
        rows: bytes | bytearray | memoryview | str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        format: str,
        mode: str | None = None,
        key: list[str] | None = None,
        watermark: str | None = None,
        csv: CsvOptions | None = None,
        on_error: str | None = None,
        max_errors: int | None = None,
        break_glass: str | None = None,
        on_progress: OnProgress = None,
    ) -> Write:
        """Uploads rows (bytes, a file or a list of files) in a ``format``, and returns the queued write.

        ``format`` is csv, ndjson or parquet; files may be compressed with gzip or zstd. Several files are loaded in one
        write: all of their rows, or none. ``mode`` is ``append`` (the default), ``replace`` or ``merge``, which updates
        the rows with the same ``key`` columns (by default the identifier fields of the table) and appends the others.
        ``client.writes.wait`` waits for the end.

        ``on_error="skip"`` leaves out up to ``max_errors`` lines of CSV and NDJSON that can't be loaded, which
        ``client.writes.rejected`` returns.

        The service itself reads rows at a URL (https or http), which its operator must allow.

        A file of more than 64 MB is sent in parts. After a broken connection, the same call sends the missing parts.
        ``on_progress`` gets the number of bytes of the files that have been sent.
        """
        content_type = media_type(format)
        fields: dict[str, Any] = given(mode=mode, key=key, watermark=watermark, on_error=on_error)
        fields.update(given(max_errors=max_errors, **fields_of(csv)))
        fields.update(url_of(rows))
        source = rows_of(rows)
        if not isinstance(source, bytes | str):
            if len(source) > 1 or is_sent_in_parts(source[0]):
                return await load_in_parts(
                    Uploads(self._transport),
                    environment,
                    table,
                    source,
                    fields,
                    format=format,
                    break_glass=break_glass,
                    on_progress=on_progress,
                )
            source = source[0]
        path = f"{table_path(environment, table)}/writes"
        content = content_of(source, on_progress=on_progress)
        return read(
            Write,
            await self._transport.upload(path, content, content_type, fields, headers=glass(break_glass)),
        )

    async def download(self, environment: str, table: str, path: str | os.PathLike[str]) -> None:
        """Writes the file of an artifact."""
        async with self._transport.stream(f"{table_path(environment, table)}/content") as response:
            with complete_file(path) as file:
                async for piece in response.aiter_bytes():
                    file.write(piece)

    async def set_retention(
        self,
        environment: str,
        table: str,
        *,
        days: int | None = None,
        on: datetime.date | str | None = None,
        never: bool | None = None,
    ) -> Retention:
        """Set exactly one of ``days`` (without use), ``on`` (a date in UTC) and ``never=True``."""
        if isinstance(on, datetime.datetime):
            on = on.date()
        day = on.isoformat() if isinstance(on, datetime.date) else on
        body = given(days=days, on=day, never=never or None)
        if len(body) != 1:
            raise TypeError("set_retention() takes exactly one of days, on and never")
        return read(Retention, await self._transport.put(f"{table_path(environment, table)}/retention", body))
