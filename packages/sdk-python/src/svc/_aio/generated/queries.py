# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.queries``."""

from __future__ import annotations

import builtins
from collections.abc import AsyncIterator

from svc._aio.resource import Resource
from svc._aio.waiting import until_ended
from svc._models import Query
from svc._records import Page, read
from svc._requests import FilterValues, comma_separated, environment_path, segment


class Queries(Resource):
    """SQL queries."""

    async def list_page(
        self,
        environment: str,
        *,
        include_ended: bool | None = None,
        status: FilterValues = None,
        submitter: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Query]:
        """List queries: running, then queued, then those that finished in the last 24 hours. Returns one page."""
        where = f"{environment_path(environment)}/queries"
        query = {
            "include_ended": include_ended,
            "status": comma_separated(status),
            "submitter": submitter,
            "limit": limit,
            "cursor": cursor,
        }
        return await self._page(where, query, Query)

    async def list(
        self,
        environment: str,
        *,
        include_ended: bool | None = None,
        status: FilterValues = None,
        submitter: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> builtins.list[Query]:
        """List queries: running, then queued, then those that finished in the last 24 hours. Returns the first page."""
        page = await self.list_page(
            environment, include_ended=include_ended, status=status, submitter=submitter, limit=limit, cursor=cursor
        )
        return [*page.items]

    def iter(
        self,
        environment: str,
        *,
        include_ended: bool | None = None,
        status: FilterValues = None,
        submitter: str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[Query]:
        """List queries: running, then queued, then those that finished in the last 24 hours.

        Iterates over all pages.
        """
        where = f"{environment_path(environment)}/queries"
        query = {
            "include_ended": include_ended,
            "status": comma_separated(status),
            "submitter": submitter,
            "limit": limit,
        }
        return self._iterate(where, query, Query)

    async def get(self, environment: str, query_id: str, *, wait: int | None = None) -> Query:
        """Get a query. With ``wait`` (0 to 60 seconds), returns as soon as it has finished."""
        where = f"{environment_path(environment)}/queries/{segment(query_id)}"
        query = {"wait": wait}
        return read(Query, await self._transport.get(where, query))

    async def wait(self, environment: str, query_id: str, *, timeout: float | None = None) -> Query:
        """Wait until the query has finished, whatever its status. Raises WorkFailed after ``timeout`` seconds."""
        return await until_ended("query", lambda wait: self.get(environment, query_id, wait=wait), timeout)

    async def cancel(self, environment: str, query_id: str) -> Query:
        """Cancel a query."""
        where = f"{environment_path(environment)}/queries/{segment(query_id)}/cancel"
        return read(Query, await self._transport.post(where, None))
