"""Turns the index of a DataFrame into columns: a table has rows and columns, and no index."""

from __future__ import annotations

from typing import Any


class BadIndex(Exception):
    """The index can't be stored as columns; the text says why and how to fix it."""


def with_index_columns(frame: Any) -> Any:
    """The frame with its named index levels as its first columns, and without the default index."""
    names = list(frame.index.names)
    if names == [None]:
        if not _is_default(frame.index):
            raise BadIndex(
                "the DataFrame it returned has an index without a name, which would be lost; "
                "store it as a column with .rename_axis('NAME'), or drop it with .reset_index(drop=True)"
            )
        return frame.reset_index(drop=True)
    if None in names:
        raise BadIndex(
            f"level {names.index(None)} of the DataFrame's index has no name; "
            f"name all {len(names)} levels with .rename_axis([...]), or drop the index with .reset_index(drop=True)"
        )
    columns = {str(column) for column in frame.columns}
    for name in map(str, names):
        if name in columns:
            raise BadIndex(
                f"the DataFrame it returned has an index and a column named {name!r}; rename one of them, "
                "or drop the index with .reset_index(drop=True)"
            )
        columns.add(name)
    # A column index of several levels takes tuples of names only.
    if frame.columns.nlevels > 1:
        frame = frame.set_axis([str(column) for column in frame.columns], axis=1)
    return frame.reset_index()


def _is_default(index: Any) -> bool:
    """Whether the index counts the rows from 0, as pandas numbers a frame by itself."""
    import pandas

    return bool(index.equals(pandas.RangeIndex(len(index))))
