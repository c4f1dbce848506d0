"""The decorator that marks a function as an asset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

KINDS = ("table", "artifact")
MODES = ("replace", "append", "merge")
#: Arguments of the decorator, in the order in which messages list them.
ARGUMENTS = (
    *("table", "kind", "description", "columns", "depends_on", "tags", "mode", "key", "delete_when", "watermark"),
    *("lookback", "engine", "checks"),
)
ENGINES = ("spark",)


def asset(
    *,
    table: str,
    kind: Literal["table", "artifact"] = "table",
    description: str | None = None,
    columns: Mapping[str, str] | None = None,
    depends_on: Sequence[str] = (),
    tags: Sequence[str] = (),
    mode: Literal["replace", "append", "merge"] = "replace",
    key: str | Sequence[str] = (),
    delete_when: str | None = None,
    watermark: str | None = None,
    lookback: str | None = None,
    engine: Literal["spark"] | None = None,
    checks: Sequence[Mapping[str, object]] = (),
) -> Callable[[F], F]:
    """Mark a function that takes a context as the asset ``<namespace>.<table>``.

    The arguments must be literals: a deploy reads them from the source without running it. ``columns`` describes
    columns by name. Each of ``checks`` is ``{"name": ..., "sql": ...}``, a SELECT that must return no row, or one
    that needs no SQL, such as ``{"unique": ["id"]}``. With ``mode="merge"``, rows replace those with the same ``key``,
    and rows that meet the SQL condition ``delete_when`` delete them. ``lookback``, such as ``"3 days"``, starts a build
    that much earlier than the watermark. With ``engine="spark"``, ``ctx.spark`` is a Spark session, and Spark itself
    writes a DataFrame that the function returns. The description defaults to the first line of the docstring. The
    function itself is returned unchanged.
    """
    if kind not in KINDS:
        raise ValueError(f"asset {table}: kind is {kind!r}; write one of {', '.join(KINDS)}")
    if mode not in MODES:
        raise ValueError(f"asset {table}: mode is {mode!r}; write one of {', '.join(MODES)}")
    if engine is not None and engine not in ENGINES:
        raise ValueError(f"asset {table}: engine is {engine!r}; write {' or '.join(ENGINES)}, or leave it out")

    def mark(function: F) -> F:
        function.__svc_asset__ = {  # type: ignore[attr-defined]
            "table": table,
            "kind": kind,
            "description": description,
            "columns": dict(columns or {}),
            "depends_on": list(depends_on),
            "tags": list(tags),
            "mode": mode,
            "key": [key] if isinstance(key, str) else list(key),
            "delete_when": delete_when,
            "watermark": watermark,
            "lookback": lookback,
            "engine": engine,
            "checks": [dict(check) for check in checks],
        }
        return function

    return mark
