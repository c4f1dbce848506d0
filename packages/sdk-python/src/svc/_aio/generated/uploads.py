# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.uploads``."""

from __future__ import annotations

from collections.abc import Sequence

from svc._aio.resource import Resource
from svc._project_models import Upload, Write
from svc._records import read
from svc._requests import given, glass, segment, table_path


class Uploads(Resource):
    """Uploads of files in parts. ``client.tables.load`` sends large files this way."""

    async def create(
        self,
        environment: str,
        table: str,
        *,
        format: str,
        size: int,
        fingerprint: str | None = None,
        break_glass: str | None = None,
    ) -> Upload:
        """Start an upload of a file in parts. With the fingerprint of an unfinished upload, it continues that one."""
        where = f"{table_path(environment, table)}/uploads"
        body = given(format=format, size=size, fingerprint=fingerprint)
        return read(Upload, await self._transport.post(where, body, headers=glass(break_glass)))

    async def get(self, environment: str, table: str, upload_id: str) -> Upload:
        """Get an unfinished upload, with the parts that have arrived."""
        where = f"{table_path(environment, table)}/uploads/{segment(upload_id)}"
        return read(Upload, await self._transport.get(where))

    async def finish(
        self,
        environment: str,
        table: str,
        upload_id: str,
        *,
        mode: str = "append",
        key: str | Sequence[str] | None = None,
        watermark: str | None = None,
        break_glass: str | None = None,
    ) -> Write:
        """Load the file of a complete upload into its table."""
        where = f"{table_path(environment, table)}/uploads/{segment(upload_id)}/writes"
        body = given(mode=mode, key=None if key is None else [*key], watermark=watermark)
        return read(Write, await self._transport.post(where, body, headers=glass(break_glass)))

    async def cancel(self, environment: str, table: str, upload_id: str) -> None:
        """Cancel an unfinished upload."""
        where = f"{table_path(environment, table)}/uploads/{segment(upload_id)}"
        await self._transport.delete(where)
