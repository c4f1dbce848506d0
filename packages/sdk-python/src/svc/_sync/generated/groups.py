# Written out of svc/_aio by "npm run generate". Do not edit.
# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.groups``."""

from __future__ import annotations

import builtins
from collections.abc import Iterator

from svc._access_models import Group, Principal
from svc._sync.resource import Resource
from svc._records import Page, read
from svc._requests import segment


class Groups(Resource):
    """Groups of principals."""

    def create(self, name: str) -> Group:
        """Create a group."""
        body = {"name": name}
        return read(Group, self._transport.post("/api/v1/groups", body))

    def list_page(
        self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> Page[Group]:
        """List groups, newest first. Returns one page."""
        query = {"q": search, "limit": limit, "cursor": cursor}
        return self._page("/api/v1/groups", query, Group)

    def list(
        self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> builtins.list[Group]:
        """List groups, newest first. Returns the first page."""
        page = self.list_page(search=search, limit=limit, cursor=cursor)
        return [*page.items]

    def iter(self, *, search: str | None = None, limit: int | None = None) -> Iterator[Group]:
        """List groups, newest first. Iterates over all pages."""
        query = {"q": search, "limit": limit}
        return self._iterate("/api/v1/groups", query, Group)

    def get(self, name: str) -> Group:
        """Get a group."""
        where = f"/api/v1/groups/{segment(name)}"
        return read(Group, self._transport.get(where))

    def delete(self, name: str) -> None:
        """Delete a group with its grants and memberships."""
        where = f"/api/v1/groups/{segment(name)}"
        self._transport.delete(where)

    def members(self, name: str) -> builtins.list[Principal]:
        """List the members of a group. Returns all of them."""
        where = f"/api/v1/groups/{segment(name)}/members"
        return self._all(where, {}, Principal)

    def add_member(self, name: str, principal: str) -> None:
        """Add a principal to a group."""
        where = f"/api/v1/groups/{segment(name)}/members/{segment(principal)}"
        self._transport.put(where, None)

    def remove_member(self, name: str, principal: str) -> None:
        """Remove a principal from a group."""
        where = f"/api/v1/groups/{segment(name)}/members/{segment(principal)}"
        self._transport.delete(where)
