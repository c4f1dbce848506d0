"""Principals, groups and their permissions."""

from __future__ import annotations

import builtins
from collections.abc import AsyncIterator

from svc._access_models import Group, Holder, Permissions, Principal, ReachedObject
from svc._aio.resource import Resource
from svc._records import Page, read
from svc._requests import given, known, segment

_PRINCIPALS = "/api/v1/principals"
_GROUPS = "/api/v1/groups"


class Principals(Resource):
    """People and service accounts."""

    async def create(self, name: str, *, type: str = "person", password: str | None = None) -> Principal:
        """``type`` is ``person`` or ``service-account``; only a person can have a password."""
        body = given(name=name, type=type, password=password)
        return read(Principal, (await self._transport.post(_PRINCIPALS, body)).json())

    async def get(self, name: str) -> Principal:
        """Raises NotFound for an unknown name."""
        return read(Principal, await self._transport.get(f"{_PRINCIPALS}/{segment(name)}"))

    async def update(self, name: str, **changes: bool | str | None) -> Principal:
        """Changes only ``active`` and ``password``; ``password=None`` removes the password."""
        known("a principal", changes, "active", "password")
        return read(Principal, await self._transport.patch(f"{_PRINCIPALS}/{segment(name)}", changes))

    async def delete(self, name: str) -> None:
        """Also deletes its grants, memberships and tokens. Raises Conflict for the last administrator."""
        await self._transport.delete(f"{_PRINCIPALS}/{segment(name)}")

    async def list_page(
        self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> Page[Principal]:
        """One page, newest first, optionally filtered by a case-insensitive text in the name."""
        parameters = {"q": search, "limit": limit, "cursor": cursor}
        return await self._page(_PRINCIPALS, parameters, lambda item: read(Principal, item))

    async def list(
        self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> builtins.list[Principal]:
        """The first page of :meth:`list_page`."""
        return [*(await self.list_page(search=search, limit=limit, cursor=cursor)).items]

    def iter(self, *, search: str | None = None, limit: int | None = None) -> AsyncIterator[Principal]:
        """Iterates over all pages."""
        return self._iterate(_PRINCIPALS, {"q": search, "limit": limit}, lambda item: read(Principal, item))

    async def permissions(
        self,
        name: str,
        *,
        environment: str | None = None,
        namespace: str | None = None,
        table: str | None = None,
    ) -> Permissions:
        """What a principal is allowed to do on an object (default: the instance), and which grants allow it."""
        parameters = {"environment": environment, "namespace": namespace, "table": table}
        path = f"{_PRINCIPALS}/{segment(name)}/permissions"
        return read(Permissions, await self._transport.get(path, parameters))

    def objects(
        self, name: str, *, action: str | None = None, limit: int | None = None
    ) -> AsyncIterator[ReachedObject]:
        """The objects that a principal can access, over all pages. Requires ADMIN."""
        path = f"{_PRINCIPALS}/{segment(name)}/objects"
        return self._iterate(path, {"action": action, "limit": limit}, lambda item: read(ReachedObject, item))


class Groups(Resource):
    """Groups of principals."""

    async def create(self, name: str) -> Group:
        return read(Group, (await self._transport.post(_GROUPS, {"name": name})).json())

    async def get(self, name: str) -> Group:
        """Raises NotFound for an unknown name."""
        return read(Group, await self._transport.get(f"{_GROUPS}/{segment(name)}"))

    async def delete(self, name: str) -> None:
        """Also deletes its grants and memberships."""
        await self._transport.delete(f"{_GROUPS}/{segment(name)}")

    async def members(self, name: str) -> builtins.list[Principal]:
        path = f"{_GROUPS}/{segment(name)}/members"
        return await self._all(path, {}, lambda item: read(Principal, item))

    async def add_member(self, name: str, principal: str) -> None:
        await self._transport.put(f"{_GROUPS}/{segment(name)}/members/{segment(principal)}", None)

    async def remove_member(self, name: str, principal: str) -> None:
        await self._transport.delete(f"{_GROUPS}/{segment(name)}/members/{segment(principal)}")

    async def list_page(
        self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> Page[Group]:
        """One page, newest first, optionally filtered by a case-insensitive text in the name."""
        parameters = {"q": search, "limit": limit, "cursor": cursor}
        return await self._page(_GROUPS, parameters, lambda item: read(Group, item))

    async def list(
        self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> builtins.list[Group]:
        """The first page of :meth:`list_page`."""
        return [*(await self.list_page(search=search, limit=limit, cursor=cursor)).items]

    def iter(self, *, search: str | None = None, limit: int | None = None) -> AsyncIterator[Group]:
        """Iterates over all pages."""
        return self._iterate(_GROUPS, {"q": search, "limit": limit}, lambda item: read(Group, item))


class Access(Resource):
    async def change_password(self, current: str, password: str) -> None:
        """Changes your own password and ends your other sessions.

        Raises InvalidRequest when ``current`` is not the password, and TooManyRequests after too many of those.
        """
        body = {"current_password": current, "password": password}
        await self._transport.put("/api/v1/me/password", body)

    def who(
        self,
        action: str,
        *,
        environment: str | None = None,
        namespace: str | None = None,
        table: str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[Holder]:
        """The principals that are allowed an action on an object, over all pages. Requires ADMIN."""
        parameters = {"action": action, "environment": environment, "namespace": namespace, "table": table}
        return self._iterate("/api/v1/access/who", {**parameters, "limit": limit}, lambda item: read(Holder, item))
