"""Who may do what: principals, groups, grants (specification 4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from svc._access_models import Grant, Group, Holder, Permissions, Principal, ReachedObject
from svc._models import Page, read
from svc._resource import Resource
from svc._transport import segment

_GRANTS = "/api/v1/grants"
_PRINCIPALS = "/api/v1/principals"
_GROUPS = "/api/v1/groups"


class Grants(Resource):
    """The active grants; for administrators. The filters combine with AND."""

    def create(
        self,
        kind: str,
        *,
        principal: str | None = None,
        group: str | None = None,
        role: str | None = None,
        action: str | None = None,
        environment: str | None = None,
        namespace: str | None = None,
        table: str | None = None,
    ) -> Grant:
        """Grants a role or a single action to a principal or a group, on the object of that kind."""
        if (principal is None) == (group is None):
            raise TypeError("a grant is made to one principal or one group: give exactly one of principal and group")
        if (role is None) == (action is None):
            raise TypeError("a grant gives one role or one action: give exactly one of role and action")
        given = {"kind": kind, "principal": principal, "group": group, "role": role, "action": action}
        given |= {"environment": environment, "namespace": namespace, "table": table}
        body = {key: value for key, value in given.items() if value is not None}
        return read(Grant, self._transport.post(_GRANTS, body).json())

    def revoke(self, grant_id: str) -> None:
        """Ends a grant. Raises NotFound for one that is unknown or has ended."""
        self._transport.delete(f"{_GRANTS}/{segment(grant_id)}")

    def list_page(
        self,
        *,
        principal_name: str | None = None,
        group_name: str | None = None,
        action: str | None = None,
        environment: str | None = None,
        namespace: str | None = None,
        table: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Grant]:
        """One page, newest first. At most one of ``principal_name`` and ``group_name``."""
        parameters = {
            "principal_name": principal_name,
            "group_name": group_name,
            "action": action,
            "environment": environment,
            "namespace": namespace,
            "table": table,
            "limit": limit,
            "cursor": cursor,
        }
        return self._page(_GRANTS, parameters, lambda item: read(Grant, item))

    def list(self, **filters: Any) -> list[Grant]:
        """The first page of :meth:`list_page`."""
        return list(self.list_page(**filters).items)

    def iter(self, **filters: Any) -> Iterator[Grant]:
        """All of them, page after page, by the filters of :meth:`list_page`."""
        return self._iterate(_GRANTS, filters, lambda item: read(Grant, item))


class Principals(Resource):
    """People and service accounts."""

    def create(self, name: str, *, type: str = "person", password: str | None = None) -> Principal:
        """``type`` is ``person`` or ``service-account``; only a person may have a password."""
        body = {"name": name, "type": type, **({} if password is None else {"password": password})}
        return read(Principal, self._transport.post(_PRINCIPALS, body).json())

    def get(self, name: str) -> Principal:
        """Raises NotFound for an unknown name."""
        return read(Principal, self._transport.get(f"{_PRINCIPALS}/{segment(name)}"))

    def update(self, name: str, **changes: bool | str | None) -> Principal:
        """Changes ``active`` and ``password`` alone; ``password=None`` takes the password away."""
        for key in changes:
            if key not in ("active", "password"):
                raise TypeError(f"update() of a principal takes active and password only, not {key!r}")
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
    ) -> list[Principal]:
        """The first page of :meth:`list_page`."""
        return list(self.list_page(search=search, limit=limit, cursor=cursor).items)

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

    def objects(self, name: str, *, action: str | None = None, limit: int | None = None) -> Iterator[ReachedObject]:
        """What a principal can touch, page after page; for administrators."""
        path = f"{_PRINCIPALS}/{segment(name)}/objects"
        return self._iterate(path, {"action": action, "limit": limit}, lambda item: read(ReachedObject, item))


class Groups(Resource):
    """Groups of principals."""

    def create(self, name: str) -> Group:
        return read(Group, self._transport.post(_GROUPS, {"name": name}).json())

    def get(self, name: str) -> Group:
        """Raises NotFound for an unknown name."""
        return read(Group, self._transport.get(f"{_GROUPS}/{segment(name)}"))

    def delete(self, name: str) -> None:
        """Ends its grants and memberships."""
        self._transport.delete(f"{_GROUPS}/{segment(name)}")

    def members(self, name: str) -> list[Principal]:
        path = f"{_GROUPS}/{segment(name)}/members"
        return list(self._iterate(path, {}, lambda item: read(Principal, item)))

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

    def list(self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None) -> list[Group]:
        """The first page of :meth:`list_page`."""
        return list(self.list_page(search=search, limit=limit, cursor=cursor).items)

    def iter(self, *, search: str | None = None, limit: int | None = None) -> Iterator[Group]:
        """All of them, page after page."""
        return self._iterate(_GROUPS, {"q": search, "limit": limit}, lambda item: read(Group, item))


class Access(Resource):
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
