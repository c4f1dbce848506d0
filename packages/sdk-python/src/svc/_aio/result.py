"""Results of queries. ``_sync/result.py`` is its blocking counterpart, maintained manually because it can do more."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from svc._frames import need_pyarrow, table_with_uuids, to_pandas, to_polars
from svc._models import Query
from svc._table_models import Column

if TYPE_CHECKING:
    from svc._aio.client import AsyncClient


class AsyncResult:
    """The result of a query that has succeeded. Each method reads the rows from the service."""

    def __init__(self, client: AsyncClient, environment: str, query: Query) -> None:
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

    def rows(self) -> AsyncIterator[dict[str, Any]]:
        """Dictionaries of Python values, read page by page."""
        return self._client.queries.results(self._environment, self.query.id)

    def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        return self.rows()

    async def arrow(self) -> Any:
        """A ``pyarrow.Table``; requires pyarrow."""
        pyarrow = need_pyarrow("arrow()")
        stream = io.BytesIO()
        async for piece in self._client.queries.stream(self._environment, self.query.id, format="arrow"):
            stream.write(piece)
        table = pyarrow.ipc.open_stream(pyarrow.py_buffer(stream.getbuffer())).read_all()
        return table_with_uuids(table, self.columns)

    async def df(self) -> Any:
        """A ``pandas.DataFrame``; requires pandas and pyarrow. Integers with nulls become nullable integers."""
        return to_pandas(await self.arrow(), self.columns)

    async def pl(self) -> Any:
        """A ``polars.DataFrame``; requires polars and pyarrow."""
        return to_polars(await self.arrow(), self.columns)

    def __repr__(self) -> str:
        return f"<svc.AsyncResult {self.query.id}: {len(self.columns)} columns, {self.row_count} rows>"


class AsyncRelation:
    """Rows that a SELECT returns. It runs each time you read them."""

    def __init__(self, client: AsyncClient, environment: str, sql: str) -> None:
        self._client = client
        self._environment = environment
        self.sql = sql

    async def run(self) -> AsyncResult:
        """Runs the query and returns its result."""
        return await self._client.sql(self.sql, env=self._environment)

    async def rows(self) -> AsyncIterator[dict[str, Any]]:
        """Dictionaries of Python values, read page by page."""
        async for row in (await self.run()).rows():
            yield row

    def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        return self.rows()

    async def arrow(self) -> Any:
        """A ``pyarrow.Table``; requires pyarrow."""
        need_pyarrow("arrow()")
        return await (await self.run()).arrow()

    async def df(self) -> Any:
        """A ``pandas.DataFrame``; requires pandas and pyarrow."""
        need_pyarrow("df()")
        return await (await self.run()).df()

    async def pl(self) -> Any:
        """A ``polars.DataFrame``; requires polars and pyarrow."""
        need_pyarrow("pl()")
        return await (await self.run()).pl()
