# Written out of svc/_aio by "npm run generate". Do not edit.
# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.uploads``."""

from __future__ import annotations

from collections.abc import Sequence

from svc._sync.resource import Resource
from svc._project_models import Upload, Write
from svc._records import read
from svc._requests import given, glass, segment, table_path


class Uploads(Resource):
    """Uploads of files in parts. ``client.tables.load`` sends large files this way."""

    def create(
        self,
        environment: str,
        table: str,
        *,
        format: str,
        size: int,
        fingerprint: str | None = None,
        name: str | None = None,
        break_glass: str | None = None,
    ) -> Upload:
        """Start an upload of a file in parts. With the fingerprint of an unfinished upload, it continues that one."""
        where = f"{table_path(environment, table)}/uploads"
        body = given(format=format, size=size, fingerprint=fingerprint, name=name)
        return read(Upload, self._transport.post(where, body, headers=glass(break_glass)))

    def get(self, environment: str, table: str, upload_id: str) -> Upload:
        """Get an unfinished upload, with the parts that have arrived."""
        where = f"{table_path(environment, table)}/uploads/{segment(upload_id)}"
        return read(Upload, self._transport.get(where))

    def finish(
        self,
        environment: str,
        table: str,
        upload_id: str,
        *,
        mode: str = "append",
        key: str | Sequence[str] | None = None,
        watermark: str | None = None,
        on_error: str | None = None,
        max_errors: int | None = None,
        detect: bool | None = None,
        delimiter: str | None = None,
        quote: str | None = None,
        header: bool | None = None,
        null_text: str | None = None,
        decimal_separator: str | None = None,
        date_format: str | None = None,
        timestamp_format: str | None = None,
        encoding: str | None = None,
        also: Sequence[str] | None = None,
        break_glass: str | None = None,
    ) -> Write:
        """Load the file of a complete upload into its table, with those of other complete uploads."""
        where = f"{table_path(environment, table)}/uploads/{segment(upload_id)}/writes"
        body = given(
            mode=mode,
            key=None if key is None else [*key],
            watermark=watermark,
            on_error=on_error,
            max_errors=max_errors,
            detect=detect,
            delimiter=delimiter,
            quote=quote,
            header=header,
            null_text=null_text,
            decimal_separator=decimal_separator,
            date_format=date_format,
            timestamp_format=timestamp_format,
            encoding=encoding,
            also=None if also is None else [*also],
        )
        return read(Write, self._transport.post(where, body, headers=glass(break_glass)))

    def cancel(self, environment: str, table: str, upload_id: str) -> None:
        """Cancel an unfinished upload."""
        where = f"{table_path(environment, table)}/uploads/{segment(upload_id)}"
        self._transport.delete(where)
