# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.groups``."""

from __future__ import annotations

import builtins
from collections.abc import AsyncIterator

from svc._access_models import Group, Principal
from svc._aio.resource import Resource
from svc._records import Page, read
from svc._requests import segment


class Groups(Resource):
    """Groups of principals."""

    async def create(self, name: str) -> Group:
        """Create a group."""
        body = {"name": name}
        return read(Group, await self._transport.post("/api/v1/groups", body))

    async def list_page(
        self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> Page[Group]:
        """List groups, newest first. Returns one page."""
        query = {"q": search, "limit": limit, "cursor": cursor}
        return await self._page("/api/v1/groups", query, Group)

    async def list(
        self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> builtins.list[Group]:
        """List groups, newest first. Returns the first page."""
        page = await self.list_page(search=search, limit=limit, cursor=cursor)
        return [*page.items]

    def iter(self, *, search: str | None = None, limit: int | None = None) -> AsyncIterator[Group]:
        """List groups, newest first. Iterates over all pages."""
        query = {"q": search, "limit": limit}
        return self._iterate("/api/v1/groups", query, Group)

    async def get(self, name: str) -> Group:
        """Get a group."""
        where = f"/api/v1/groups/{segment(name)}"
        return read(Group, await self._transport.get(where))

    async def delete(self, name: str) -> None:
        """Delete a group with its grants and memberships."""
        where = f"/api/v1/groups/{segment(name)}"
        await self._transport.delete(where)

    async def members(self, name: str) -> builtins.list[Principal]:
        """List the members of a group. Returns all of them."""
        where = f"/api/v1/groups/{segment(name)}/members"
        return await self._all(where, {}, Principal)

    async def add_member(self, name: str, principal: str) -> None:
        """Add a principal to a group."""
        where = f"/api/v1/groups/{segment(name)}/members/{segment(principal)}"
        await self._transport.put(where, None)

    async def remove_member(self, name: str, principal: str) -> None:
        """Remove a principal from a group."""
        where = f"/api/v1/groups/{segment(name)}/members/{segment(principal)}"
        await self._transport.delete(where)
