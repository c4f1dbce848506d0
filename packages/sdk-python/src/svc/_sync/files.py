# Written out of svc/_aio by "npm run generate". Do not edit.
"""Reads files in chunks, so that no file is held in memory as a whole."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Callable

from svc._errors import SvcError

_PIECE = 1 << 20
#: Called with the number of bytes that have been sent.
OnProgress = Callable[[float], None] | None
#: A larger file is sent in parts.
_WHOLE_BYTES = 64 * 1024 * 1024


def pieces(
    path: str | os.PathLike[str], start: int = 0, end: int | None = None, *, on_progress: OnProgress = None
) -> Iterator[bytes]:
    """The bytes of a file from ``start`` to before ``end``. ``on_progress`` gets the position after each piece.

    Raises SvcError at the end if the file has changed.
    """
    with open(path, "rb") as file:
        before = os.fstat(file.fileno())
        file.seek(start)
        remaining = before.st_size - start if end is None else end - start
        while remaining > 0 and (piece := file.read(min(_PIECE, remaining))):
            remaining -= len(piece)
            yield piece
            if on_progress is not None:
                on_progress(file.tell())
        after = os.stat(path)
        if (after.st_size, after.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
            raise SvcError(f"{os.fspath(path)} changed while it was read, so nothing was loaded; load it again")


def digest(path: str | os.PathLike[str], start: int, end: int) -> str:
    """The SHA-256 of a part of a file, in hexadecimal digits."""
    found = hashlib.sha256()
    for piece in pieces(path, start, end):
        found.update(piece)
    return found.hexdigest()


def is_sent_in_parts(path: str | os.PathLike[str]) -> bool:
    return os.path.getsize(path) > _WHOLE_BYTES


def fingerprint(path: str | os.PathLike[str]) -> str:
    """Recognizes an unchanged file. The service learns nothing about its path."""
    found = os.stat(path)
    identity = json.dumps([os.path.realpath(path), found.st_size, found.st_mtime_ns])
    return hashlib.sha256(identity.encode()).hexdigest()
