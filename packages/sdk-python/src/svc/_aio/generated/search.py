# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.search``."""

from __future__ import annotations

from collections.abc import AsyncIterator

from svc._aio.resource import Resource
from svc._records import Page
from svc._requests import FilterValues, comma_separated, environment_path
from svc._table_models import SearchResult


class Search(Resource):
    """Search over the names and descriptions of an environment."""

    async def find_page(
        self,
        environment: str,
        q: str,
        *,
        kind: FilterValues = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[SearchResult]:
        """Find namespaces, tables, columns, assets and jobs by name and description.

        Returns what the caller can list; exact names come first. ``kind`` accepts one value or several. Returns one
        page.
        """
        where = f"{environment_path(environment)}/search"
        query = {"q": q, "kind": comma_separated(kind), "limit": limit, "cursor": cursor}
        return await self._page(where, query, SearchResult)

    async def find(
        self,
        environment: str,
        q: str,
        *,
        kind: FilterValues = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> list[SearchResult]:
        """Find namespaces, tables, columns, assets and jobs by name and description.

        Returns what the caller can list; exact names come first. ``kind`` accepts one value or several. Returns the
        first page.
        """
        page = await self.find_page(environment, q, kind=kind, limit=limit, cursor=cursor)
        return [*page.items]

    def iter(
        self, environment: str, q: str, *, kind: FilterValues = None, limit: int | None = None
    ) -> AsyncIterator[SearchResult]:
        """Find namespaces, tables, columns, assets and jobs by name and description.

        Returns what the caller can list; exact names come first. ``kind`` accepts one value or several. Iterates over
        all pages.
        """
        where = f"{environment_path(environment)}/search"
        query = {"q": q, "kind": comma_separated(kind), "limit": limit}
        return self._iterate(where, query, SearchResult)
