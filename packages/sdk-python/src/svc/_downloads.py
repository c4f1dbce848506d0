"""Writes downloads to files."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO


@contextmanager
def complete_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file that appears, or replaces the one at ``path``, only when it is complete.

    What isn't a regular file, such as ``/dev/stdout``, is written directly.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as file:
            yield file
        return
    # The target of a link, so that the link stays.
    target = os.path.realpath(path)
    # No other download to this file, and no file of the user, has this name.
    part = f"{target}.{secrets.token_hex(4)}.part"
    try:
        with open(part, "xb") as file:
            yield file
        os.replace(part, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise
