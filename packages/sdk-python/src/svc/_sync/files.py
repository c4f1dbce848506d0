# Written out of svc/_aio by "npm run generate". Do not edit.
"""Reads files in chunks, so that no file is held in memory as a whole."""

from __future__ import annotations

import os
from collections.abc import Iterator

_PIECE = 1 << 20


def pieces(path: str | os.PathLike[str]) -> Iterator[bytes]:
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            yield piece
