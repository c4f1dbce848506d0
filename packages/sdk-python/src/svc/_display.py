"""Shows the first rows of a result in a terminal or a notebook."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

#: Characters of a cell in a terminal.
_WIDEST = 40
#: Control characters, and those that reverse or break a line: a terminal would interpret them.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def _printable(text: str) -> str:
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text.replace("\n", "⏎"))


def _cell(value: Any) -> str:
    return "NULL" if value is None else _printable(str(value))


def _is_number(column_type: str) -> bool:
    return column_type.startswith(("int", "long", "float", "double", "decimal"))


def _count(shown: int, total: int | None) -> str:
    if total is None or shown == total:
        return f"{shown:,} {'row' if shown == 1 else 'rows'}"
    return f"{shown:,} of {total:,} rows"


def changes(affected: Any) -> str:
    """What a statement that changes rows has done, such as ``2 rows updated, 1 row inserted``."""
    counts = ((getattr(affected, name), name) for name in ("inserted", "updated", "deleted"))
    parts = [f"{_count(count, count)} {name}" for count, name in counts if count]
    return ", ".join(parts) or "no row changed"


def as_text(columns: Sequence[Any], rows: Sequence[Mapping[str, Any]], total: int | None) -> str:
    """A table for a terminal. Long cells are cut."""
    lines = [[_cell(row[column.name]) for column in columns] for row in rows]
    cut = [[cell if len(cell) <= _WIDEST else cell[: _WIDEST - 1] + "…" for cell in line] for line in lines]
    heads = [_printable(column.name) for column in columns]
    widths = [max(map(len, cells)) for cells in zip(heads, *cut, strict=True)]
    right = [_is_number(column.type) for column in columns]

    def aligned(cells: Sequence[str]) -> str:
        both = zip(cells, widths, right, strict=True)
        return "  ".join(
            cell.rjust(width) if is_right else cell.ljust(width) for cell, width, is_right in both
        ).rstrip()

    rule = "  ".join("─" * width for width in widths)
    return "\n".join([aligned(heads), rule, *map(aligned, cut), _count(len(rows), total)])


def as_html(columns: Sequence[Any], rows: Sequence[Mapping[str, Any]], total: int | None) -> str:
    """A table for a notebook. Every name and value is escaped."""
    style = ['style="text-align: right"' if _is_number(column.type) else "" for column in columns]
    heads = (f"<th>{escape(column.name)}<br><small>{escape(column.type)}</small></th>" for column in columns)

    def line(row: Mapping[str, Any]) -> str:
        cells = (
            f"<td {how}><i>NULL</i></td>"
            if row[column.name] is None
            else f"<td {how}>{escape(str(row[column.name]))}</td>"
            for column, how in zip(columns, style, strict=True)
        )
        return f"<tr>{''.join(cells)}</tr>"

    body = "".join(map(line, rows))
    return (
        f"<table><thead><tr>{''.join(heads)}</tr></thead><tbody>{body}</tbody></table>"
        f"<small>{_count(len(rows), total)}</small>"
    )
