"""Uploads of files in parts."""

from __future__ import annotations

import os
from functools import partial

from svc._aio.files import OnProgress, digest, fingerprint, pieces
from svc._aio.generated.uploads import Uploads as GeneratedUploads
from svc._aio.transport import Content
from svc._errors import SvcError
from svc._project_models import UploadPart, Write
from svc._records import read
from svc._requests import glass, segment, table_path


class Uploads(GeneratedUploads):
    """Uploads of files in parts. ``client.tables.load`` sends large files this way."""

    async def put_part(
        self,
        environment: str,
        table: str,
        upload_id: str,
        number: int,
        content: Content,
        *,
        break_glass: str | None = None,
    ) -> UploadPart:
        """Uploads a part. A part that has arrived already is replaced."""
        path = f"{table_path(environment, table)}/uploads/{segment(upload_id)}/parts/{number}"
        return read(UploadPart, await self._transport.put_part(path, content, headers=glass(break_glass)))


async def load_in_parts(
    uploads: Uploads,
    environment: str,
    table: str,
    rows: os.PathLike[str],
    *,
    format: str,
    mode: str | None,
    key: list[str] | None,
    watermark: str | None,
    break_glass: str | None,
    on_progress: OnProgress,
) -> Write:
    """Sends the missing parts of a file and loads it."""
    size = os.path.getsize(rows)
    upload = await uploads.create(
        environment, table, format=format, size=size, fingerprint=fingerprint(rows), break_glass=break_glass
    )
    arrived = {part.number: part.sha256 for part in upload.parts}
    for number, start in enumerate(range(0, size, upload.part_bytes), start=1):
        end = min(start + upload.part_bytes, size)
        expected = await digest(rows, start, end)
        if arrived.get(number) == expected:
            continue
        content = partial(pieces, rows, start, end, on_progress=on_progress)
        part = await uploads.put_part(environment, table, upload.id, number, content, break_glass=break_glass)
        if part.sha256 != expected:
            raise SvcError(f"part {number} arrived damaged; load the file again")
    return await uploads.finish(
        environment, table, upload.id, mode=mode or "append", key=key, watermark=watermark, break_glass=break_glass
    )
