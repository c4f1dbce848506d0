"""Uploads of files in parts."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from svc._aio.files import OnProgress, digest, fingerprint, pieces
from svc._aio.generated.uploads import Uploads as GeneratedUploads
from svc._aio.transport import Content
from svc._errors import SvcError
from svc._project_models import Upload, UploadPart, Write
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
    files: Sequence[str | os.PathLike[str]],
    fields: Mapping[str, Any],
    *,
    format: str,
    break_glass: str | None,
    on_progress: OnProgress,
) -> Write:
    """Sends the missing parts of files and loads them in one write."""
    identities = [fingerprint(file) for file in files]
    sent = 0
    ids: list[str] = []
    for file, identity in zip(files, identities, strict=True):
        progress = None if on_progress is None else partial(_after, on_progress, sent)
        name = os.path.basename(file) if len(files) > 1 else None
        size = os.path.getsize(file)
        upload = await uploads.create(
            environment,
            table,
            format=format,
            size=size,
            fingerprint=identity,
            name=name,
            break_glass=break_glass,
        )
        await _send_parts(
            uploads, environment, table, upload, file, size, break_glass=break_glass, on_progress=progress
        )
        sent += size
        ids.append(upload.id)
    for file, identity in zip(files, identities, strict=True):
        if fingerprint(file) != identity:
            raise SvcError(f"{os.fspath(file)} changed while it was read, so nothing was loaded; load it again")
    first, *also = ids
    return await uploads.finish(
        environment, table, first, **{"mode": "append", **fields}, also=also or None, break_glass=break_glass
    )


def _after(on_progress: Callable[[float], None], sent: int, position: float) -> None:
    on_progress(sent + position)


async def _send_parts(
    uploads: Uploads,
    environment: str,
    table: str,
    upload: Upload,
    file: str | os.PathLike[str],
    size: int,
    *,
    break_glass: str | None,
    on_progress: OnProgress,
) -> None:
    arrived = {part.number: part.sha256 for part in upload.parts}
    for number, start in enumerate(range(0, size, upload.part_bytes), start=1):
        end = min(start + upload.part_bytes, size)
        expected = await digest(file, start, end)
        if arrived.get(number) == expected:
            continue
        content = partial(pieces, file, start, end, on_progress=on_progress)
        part = await uploads.put_part(environment, table, upload.id, number, content, break_glass=break_glass)
        if part.sha256 != expected:
            raise SvcError(f"part {number} arrived damaged; load the file again")
