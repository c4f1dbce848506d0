"""Reads files in chunks, so that no file is held in memory as a whole."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator

_PIECE = 1 << 20


async def pieces(path: str | os.PathLike[str]) -> AsyncIterator[bytes]:
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            yield piece
