# Written out of svc/_aio by "npm run generate". Do not edit.
"""Principals, groups, and who may do what (specification 4.1)."""

from __future__ import annotations

import builtins
from collections.abc import Iterator

from svc._access_models import Group, Holder, Permissions, Principal, ReachedObject
from svc._sync.resource import Resource
from svc._records import Page, read
from svc._requests import given, known, segment

_PRINCIPALS = "/api/v1/principals"
_GROUPS = "/api/v1/groups"


class Principals(Resource):
    """People and service accounts."""

    def create(self, name: str, *, type: str = "person", password: str | None = None) -> Principal:
        """``type`` is ``person`` or ``service-account``; only a person may have a password."""
        body = given(name=name, type=type, password=password)
        return read(Principal, (self._transport.post(_PRINCIPALS, body)).json())

    def get(self, name: str) -> Principal:
        """Raises NotFound for an unknown name."""
        return read(Principal, self._transport.get(f"{_PRINCIPALS}/{segment(name)}"))

    def update(self, name: str, **changes: bool | str | None) -> Principal:
        """Changes ``active`` and ``password`` alone; ``password=None`` takes the password away."""
        known("a principal", changes, "active", "password")
        return read(Principal, self._transport.patch(f"{_PRINCIPALS}/{segment(name)}", changes))

    def delete(self, name: str) -> None:
        """Ends its grants, memberships and tokens. Raises Conflict for the last administrator."""
        self._transport.delete(f"{_PRINCIPALS}/{segment(name)}")

    def list_page(
        self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> Page[Principal]:
        """One page, newest first, of those whose name contains the text in any letter case."""
        parameters = {"q": search, "limit": limit, "cursor": cursor}
        return self._page(_PRINCIPALS, parameters, lambda item: read(Principal, item))

    def list(
        self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> builtins.list[Principal]:
        """The first page of :meth:`list_page`."""
        return [*(self.list_page(search=search, limit=limit, cursor=cursor)).items]

    def iter(self, *, search: str | None = None, limit: int | None = None) -> Iterator[Principal]:
        """All of them, page after page."""
        return self._iterate(_PRINCIPALS, {"q": search, "limit": limit}, lambda item: read(Principal, item))

    def permissions(
        self,
        name: str,
        *,
        environment: str | None = None,
        namespace: str | None = None,
        table: str | None = None,
    ) -> Permissions:
        """What a principal may do on an object, the instance when none is named, and through what."""
        parameters = {"environment": environment, "namespace": namespace, "table": table}
        path = f"{_PRINCIPALS}/{segment(name)}/permissions"
        return read(Permissions, self._transport.get(path, parameters))

    def objects(
        self, name: str, *, action: str | None = None, limit: int | None = None
    ) -> Iterator[ReachedObject]:
        """What a principal can touch, page after page; for administrators."""
        path = f"{_PRINCIPALS}/{segment(name)}/objects"
        return self._iterate(path, {"action": action, "limit": limit}, lambda item: read(ReachedObject, item))


class Groups(Resource):
    """Groups of principals."""

    def create(self, name: str) -> Group:
        return read(Group, (self._transport.post(_GROUPS, {"name": name})).json())

    def get(self, name: str) -> Group:
        """Raises NotFound for an unknown name."""
        return read(Group, self._transport.get(f"{_GROUPS}/{segment(name)}"))

    def delete(self, name: str) -> None:
        """Ends its grants and memberships."""
        self._transport.delete(f"{_GROUPS}/{segment(name)}")

    def members(self, name: str) -> builtins.list[Principal]:
        path = f"{_GROUPS}/{segment(name)}/members"
        return self._all(path, {}, lambda item: read(Principal, item))

    def add_member(self, name: str, principal: str) -> None:
        self._transport.put(f"{_GROUPS}/{segment(name)}/members/{segment(principal)}", None)

    def remove_member(self, name: str, principal: str) -> None:
        self._transport.delete(f"{_GROUPS}/{segment(name)}/members/{segment(principal)}")

    def list_page(
        self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> Page[Group]:
        """One page, newest first, of those whose name contains the text in any letter case."""
        parameters = {"q": search, "limit": limit, "cursor": cursor}
        return self._page(_GROUPS, parameters, lambda item: read(Group, item))

    def list(
        self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> builtins.list[Group]:
        """The first page of :meth:`list_page`."""
        return [*(self.list_page(search=search, limit=limit, cursor=cursor)).items]

    def iter(self, *, search: str | None = None, limit: int | None = None) -> Iterator[Group]:
        """All of them, page after page."""
        return self._iterate(_GROUPS, {"q": search, "limit": limit}, lambda item: read(Group, item))


class Access(Resource):
    def change_password(self, current: str, password: str) -> None:
        """Changes one's own password, which ends one's other sessions.

        Raises InvalidRequest when ``current`` is not the password, and TooManyRequests after too many of those.
        """
        body = {"current_password": current, "password": password}
        self._transport.put("/api/v1/me/password", body)

    def who(
        self,
        action: str,
        *,
        environment: str | None = None,
        namespace: str | None = None,
        table: str | None = None,
        limit: int | None = None,
    ) -> Iterator[Holder]:
        """Who may do something on an object, page after page; for administrators."""
        parameters = {"action": action, "environment": environment, "namespace": namespace, "table": table}
        return self._iterate("/api/v1/access/who", {**parameters, "limit": limit}, lambda item: read(Holder, item))
