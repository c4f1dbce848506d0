"""Files in pieces, so that none is held whole."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator

_PIECE = 1 << 20


async def pieces(path: str | os.PathLike[str]) -> AsyncIterator[bytes]:
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            yield piece
