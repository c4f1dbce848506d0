# Written out of svc/_aio by "npm run generate". Do not edit.
# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.grants``."""

from __future__ import annotations

import builtins
import datetime
from collections.abc import Iterator

from svc._access_models import Grant
from svc._sync.resource import Resource
from svc._records import Page, read
from svc._requests import exactly_one, given, moment, segment


class Grants(Resource):
    """Roles and single actions that are granted to principals and groups."""

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
        service_account: str | None = None,
        expires_at: datetime.datetime | None = None,
    ) -> Grant:
        """Grant a role or a single action. It applies to a principal or a group, on the object of that kind."""
        exactly_one(principal=principal, group=group)
        exactly_one(role=role, action=action)
        body = given(
            kind=kind,
            principal=principal,
            group=group,
            role=role,
            action=action,
            environment=environment,
            namespace=namespace,
            table=table,
            service_account=service_account,
            expires_at=moment("expires_at", expires_at),
        )
        return read(Grant, self._transport.post("/api/v1/grants", body))

    def list_page(
        self,
        *,
        principal_name: str | None = None,
        group_name: str | None = None,
        action: str | None = None,
        environment: str | None = None,
        namespace: str | None = None,
        table: str | None = None,
        service_account: str | None = None,
        unused_since: datetime.datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Grant]:
        """List active grants, newest first.

        Filters combine with AND. At most one of ``principal_name`` and ``group_name`` can be set. Returns one page.
        """
        query = {
            "principal_name": principal_name,
            "group_name": group_name,
            "action": action,
            "environment": environment,
            "namespace": namespace,
            "table": table,
            "service_account": service_account,
            "unused_since": moment("unused_since", unused_since),
            "limit": limit,
            "cursor": cursor,
        }
        return self._page("/api/v1/grants", query, Grant)

    def list(
        self,
        *,
        principal_name: str | None = None,
        group_name: str | None = None,
        action: str | None = None,
        environment: str | None = None,
        namespace: str | None = None,
        table: str | None = None,
        service_account: str | None = None,
        unused_since: datetime.datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> builtins.list[Grant]:
        """List active grants, newest first.

        Filters combine with AND. At most one of ``principal_name`` and ``group_name`` can be set. Returns the first
        page.
        """
        page = self.list_page(
            principal_name=principal_name,
            group_name=group_name,
            action=action,
            environment=environment,
            namespace=namespace,
            table=table,
            service_account=service_account,
            unused_since=unused_since,
            limit=limit,
            cursor=cursor,
        )
        return [*page.items]

    def iter(
        self,
        *,
        principal_name: str | None = None,
        group_name: str | None = None,
        action: str | None = None,
        environment: str | None = None,
        namespace: str | None = None,
        table: str | None = None,
        service_account: str | None = None,
        unused_since: datetime.datetime | None = None,
        limit: int | None = None,
    ) -> Iterator[Grant]:
        """List active grants, newest first.

        Filters combine with AND. At most one of ``principal_name`` and ``group_name`` can be set. Iterates over all
        pages.
        """
        query = {
            "principal_name": principal_name,
            "group_name": group_name,
            "action": action,
            "environment": environment,
            "namespace": namespace,
            "table": table,
            "service_account": service_account,
            "unused_since": moment("unused_since", unused_since),
            "limit": limit,
        }
        return self._iterate("/api/v1/grants", query, Grant)

    def revoke(self, grant_id: str) -> None:
        """Revoke a grant."""
        where = f"/api/v1/grants/{segment(grant_id)}"
        self._transport.delete(where)
