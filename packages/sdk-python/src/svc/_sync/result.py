"""Results of queries. ``_aio/result.py`` is its asynchronous counterpart; both are maintained manually."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from svc._display import as_html, as_text, changes
from svc._frames import need_polars, need_pyarrow, quoted, stream_with_uuids, to_pandas, to_polars
from svc._models import Query
from svc._table_models import Column

if TYPE_CHECKING:
    from svc._sync.client import Client

#: Rows that a notebook shows.
_SHOWN = 20


class _Pieces(io.RawIOBase):
    """A response as a file that is read from front to back."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = memoryview(piece)
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count

    def close(self) -> None:
        # Closing the generator closes the response.
        if not self.closed:
            self._pieces.close()  # type: ignore[attr-defined]
        super().close()


class Result:
    """The result of a query that has succeeded. Each method reads the rows from the service."""

    def __init__(self, client: Client, environment: str, query: Query) -> None:
        self._client = client
        self._environment = environment
        #: The record of the query.
        self.query = query

    @property
    def columns(self) -> tuple[Column, ...]:
        """Names and types of the columns."""
        return self.query.columns or ()

    @property
    def row_count(self) -> int | None:
        return self.query.row_count

    def rows(self) -> Iterator[dict[str, Any]]:
        """Dictionaries of Python values, read page by page."""
        return self._client.queries.results(self._environment, self.query.id)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.rows()

    def reader(self) -> Any:
        """A ``pyarrow.RecordBatchReader``, which reads batch by batch while the rows arrive; requires pyarrow."""
        pyarrow = need_pyarrow("reader()")
        pieces = self._client.queries.stream(self._environment, self.query.id, format="arrow")
        if any(column.type == "uuid" for column in self.columns):
            pieces = stream_with_uuids(pieces, self.columns)
        return pyarrow.ipc.open_stream(io.BufferedReader(_Pieces(pieces), 1 << 20))

    def arrow(self) -> Any:
        """A ``pyarrow.Table``; requires pyarrow."""
        need_pyarrow("arrow()")
        with self.reader() as reader:
            return reader.read_all()

    def df(self) -> Any:
        """A ``pandas.DataFrame``; requires pandas and pyarrow. Integers with nulls become nullable integers."""
        return to_pandas(self.arrow(), self.columns)

    def pl(self) -> Any:
        """A ``polars.DataFrame``; requires polars and pyarrow."""
        return to_polars(self.arrow(), self.columns)

    def head(self, limit: int = _SHOWN) -> list[dict[str, Any]]:
        """The first rows."""
        pages = self._client.queries.results(self._environment, self.query.id, limit=limit)
        return [row for row, _ in zip(pages, range(limit), strict=False)]

    def _shown(self, limit: int) -> list[dict[str, Any]]:
        """The first rows, with the text of values that Python can't represent."""
        pages = self._client.queries._results(self._environment, self.query.id, limit=limit, texts=True)
        return [row for row, _ in zip(pages, range(limit), strict=False)]

    def show(self, limit: int = _SHOWN) -> None:
        """Prints the first rows as a table, or the number of rows that the statement changed."""
        if self.query.affected is not None:
            print(changes(self.query.affected))
            return
        print(as_text(self.columns, self._shown(limit), self.row_count))

    def _repr_html_(self) -> str:
        if self.query.affected is not None:
            return f"<small>{changes(self.query.affected)}</small>"
        return as_html(self.columns, self._shown(_SHOWN), self.row_count)

    def __repr__(self) -> str:
        return f"<svc.Result {self.query.id}: {len(self.columns)} columns, {self.row_count} rows>"


class Relation:
    """Rows that a SELECT returns. It runs each time you read them."""

    def __init__(self, client: Client, environment: str, sql: str) -> None:
        self._client = client
        self._environment = environment
        self.sql = sql

    def run(self) -> Result:
        """Runs the query and returns its result."""
        return self._client.sql(self.sql, env=self._environment)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Dictionaries of Python values, read page by page."""
        yield from self.run().rows()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.rows()

    def reader(self) -> Any:
        """A ``pyarrow.RecordBatchReader``, which reads batch by batch while the rows arrive; requires pyarrow."""
        need_pyarrow("reader()")
        return self.run().reader()

    def arrow(self) -> Any:
        """A ``pyarrow.Table``; requires pyarrow."""
        need_pyarrow("arrow()")
        return self.run().arrow()

    def df(self) -> Any:
        """A ``pandas.DataFrame``; requires pandas and pyarrow. Integers with nulls become nullable integers."""
        need_pyarrow("df()")
        return self.run().df()

    def pl(self) -> Any:
        """A ``polars.DataFrame``; requires polars and pyarrow."""
        need_pyarrow("pl()")
        return self.run().pl()

    def scan(self) -> Any:
        """A ``polars.LazyFrame``; requires polars and pyarrow.

        When it is collected, the service returns only the columns and the number of rows that it needs.
        """
        need_polars("scan()")
        pyarrow = need_pyarrow("scan()")
        from polars.io.plugins import register_io_source

        empty = self._client.sql(f"{self.sql} LIMIT 0", env=self._environment).pl()

        def source(
            columns: list[str] | None, predicate: Any, limit: int | None, _batch_size: int | None
        ) -> Iterator[Any]:
            names = "*" if columns is None else ", ".join(map(quoted, columns)) or "1"
            # Polars applies a limit before the filter.
            end = "" if limit is None else f" LIMIT {limit}"
            text = f"SELECT {names} FROM ({self.sql}){end}"
            result = self._client.sql(text, env=self._environment)
            with result.reader() as reader:
                for batch in reader:
                    frame = to_polars(pyarrow.Table.from_batches([batch]), result.columns)
                    yield frame if predicate is None else frame.filter(predicate)

        return register_io_source(source, schema=empty.schema, is_pure=False)

    def show(self, limit: int = _SHOWN) -> None:
        """Prints the first rows as a table."""
        self._client.sql(f"SELECT * FROM ({self.sql}) LIMIT {int(limit)}", env=self._environment).show(limit)

    def _repr_html_(self) -> str:
        return self._client.sql(f"SELECT * FROM ({self.sql}) LIMIT {_SHOWN}", env=self._environment)._repr_html_()
