"""A progress bar, if tqdm is installed and someone watches."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

#: Work that takes less than this shows no bar.
_DELAY_SECONDS = 1.0


class Bar(Protocol):
    """What ``progress_bar`` returns."""

    def advance(self, to: float) -> None:
        """Moves the bar to a position between 0 and the total."""


class _Silent:
    def advance(self, to: float) -> None:
        pass


class _Tqdm:
    def __init__(self, bar: Any) -> None:
        self._bar = bar

    def __enter__(self) -> _Tqdm:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def advance(self, to: float) -> None:
        self._bar.update(max(0, to - self._bar.n))


def progress_bar(what: str, total: float, *, unit: str, wanted: bool | None) -> AbstractContextManager[Bar]:
    """A bar, or one that shows nothing: without tqdm, and by default if nobody watches."""
    if wanted is False or (wanted is None and not _is_watched()):
        return nullcontext(_Silent())
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return nullcontext(_Silent())
    bytes_ = unit == "B"
    return _Tqdm(
        tqdm(total=total, desc=what, unit=unit, unit_scale=bytes_, unit_divisor=1024, delay=_DELAY_SECONDS, leave=False)
    )


def _is_watched() -> bool:
    return (sys.stderr is not None and sys.stderr.isatty()) or "ipykernel" in sys.modules
