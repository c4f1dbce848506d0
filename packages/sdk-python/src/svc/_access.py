"""Who may do what: principals, groups, grants (specification 4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from svc._access_models import Grant, Group, Holder, Permissions, Principal, ReachedObject
from svc._models import Page, read
from svc._resource import Resource
from svc._transport import segment


class Grants(Resource):
    """The active grants; for administrators. The filters combine with AND."""

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
        return self._page("/api/v1/grants", parameters, lambda item: read(Grant, item))

    def list(self, **filters: Any) -> list[Grant]:
        """The first page of :meth:`list_page`."""
        return list(self.list_page(**filters).items)

    def iter(self, **filters: Any) -> Iterator[Grant]:
        """All of them, page after page, by the filters of :meth:`list_page`."""
        return self._iterate("/api/v1/grants", filters, lambda item: read(Grant, item))


class Principals(Resource):
    def list_page(
        self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> Page[Principal]:
        """One page, newest first, of those whose name contains the text in any letter case."""
        parameters = {"q": search, "limit": limit, "cursor": cursor}
        return self._page("/api/v1/principals", parameters, lambda item: read(Principal, item))

    def list(
        self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> list[Principal]:
        """The first page of :meth:`list_page`."""
        return list(self.list_page(search=search, limit=limit, cursor=cursor).items)

    def iter(self, *, search: str | None = None, limit: int | None = None) -> Iterator[Principal]:
        """All of them, page after page."""
        return self._iterate("/api/v1/principals", {"q": search, "limit": limit}, lambda item: read(Principal, item))

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
        path = f"/api/v1/principals/{segment(name)}/permissions"
        return read(Permissions, self._transport.get(path, parameters))

    def objects(self, name: str, *, action: str | None = None, limit: int | None = None) -> Iterator[ReachedObject]:
        """What a principal can touch, page after page; for administrators."""
        path = f"/api/v1/principals/{segment(name)}/objects"
        return self._iterate(path, {"action": action, "limit": limit}, lambda item: read(ReachedObject, item))


class Groups(Resource):
    def list_page(
        self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> Page[Group]:
        """One page, newest first, of those whose name contains the text in any letter case."""
        parameters = {"q": search, "limit": limit, "cursor": cursor}
        return self._page("/api/v1/groups", parameters, lambda item: read(Group, item))

    def list(self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None) -> list[Group]:
        """The first page of :meth:`list_page`."""
        return list(self.list_page(search=search, limit=limit, cursor=cursor).items)

    def iter(self, *, search: str | None = None, limit: int | None = None) -> Iterator[Group]:
        """All of them, page after page."""
        return self._iterate("/api/v1/groups", {"q": search, "limit": limit}, lambda item: read(Group, item))


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
