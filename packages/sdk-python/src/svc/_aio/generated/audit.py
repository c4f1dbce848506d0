# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.audit``."""

from __future__ import annotations

import builtins
import datetime
from collections.abc import AsyncIterator

from svc._aio.resource import Resource
from svc._project_models import AuditEvent
from svc._records import Page
from svc._requests import moment


class Audit(Resource):
    """The audit log."""

    async def list_page(
        self,
        *,
        event_type: str | None = None,
        principal_id: str | None = None,
        environment: str | None = None,
        namespace: str | None = None,
        table: str | None = None,
        request_id: str | None = None,
        since: datetime.datetime | None = None,
        until: datetime.datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[AuditEvent]:
        """List audit events, newest first.

        ``since`` is inclusive, ``until`` is exclusive. ``namespace`` needs ``environment``, and ``table`` needs
        ``namespace``; both are the names that the events recorded. Returns one page.
        """
        query = {
            "event_type": event_type,
            "principal_id": principal_id,
            "environment": environment,
            "namespace": namespace,
            "table": table,
            "request_id": request_id,
            "since": moment("since", since),
            "until": moment("until", until),
            "limit": limit,
            "cursor": cursor,
        }
        return await self._page("/api/v1/audit-events", query, AuditEvent)

    async def list(
        self,
        *,
        event_type: str | None = None,
        principal_id: str | None = None,
        environment: str | None = None,
        namespace: str | None = None,
        table: str | None = None,
        request_id: str | None = None,
        since: datetime.datetime | None = None,
        until: datetime.datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> builtins.list[AuditEvent]:
        """List audit events, newest first.

        ``since`` is inclusive, ``until`` is exclusive. ``namespace`` needs ``environment``, and ``table`` needs
        ``namespace``; both are the names that the events recorded. Returns the first page.
        """
        page = await self.list_page(
            event_type=event_type,
            principal_id=principal_id,
            environment=environment,
            namespace=namespace,
            table=table,
            request_id=request_id,
            since=since,
            until=until,
            limit=limit,
            cursor=cursor,
        )
        return [*page.items]

    def iter(
        self,
        *,
        event_type: str | None = None,
        principal_id: str | None = None,
        environment: str | None = None,
        namespace: str | None = None,
        table: str | None = None,
        request_id: str | None = None,
        since: datetime.datetime | None = None,
        until: datetime.datetime | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[AuditEvent]:
        """List audit events, newest first.

        ``since`` is inclusive, ``until`` is exclusive. ``namespace`` needs ``environment``, and ``table`` needs
        ``namespace``; both are the names that the events recorded. Iterates over all pages.
        """
        query = {
            "event_type": event_type,
            "principal_id": principal_id,
            "environment": environment,
            "namespace": namespace,
            "table": table,
            "request_id": request_id,
            "since": moment("since", since),
            "until": moment("until", until),
            "limit": limit,
        }
        return self._iterate("/api/v1/audit-events", query, AuditEvent)
