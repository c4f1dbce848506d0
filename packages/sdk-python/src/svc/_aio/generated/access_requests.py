# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.access_requests``."""

from __future__ import annotations

import builtins
import datetime
from collections.abc import AsyncIterator

from svc._access_models import AccessRequest
from svc._aio.resource import Resource
from svc._records import Page, read
from svc._requests import exactly_one, given, moment, segment


class AccessRequests(Resource):
    """Requests for access, which administrators approve or reject."""

    async def create(
        self,
        *,
        role: str | None = None,
        action: str | None = None,
        environment: str | None = None,
        namespace: str | None = None,
        table: str | None = None,
        service_account: str | None = None,
        reason: str | None = None,
        expires_at: datetime.datetime | None = None,
    ) -> AccessRequest:
        """Request a role or a single action on an object for yourself.

        The object is the innermost one that is named; without any name, the instance. It need not be visible to you.
        """
        exactly_one(role=role, action=action)
        body = given(
            role=role,
            action=action,
            environment=environment,
            namespace=namespace,
            table=table,
            service_account=service_account,
            reason=reason,
            expires_at=moment("expires_at", expires_at),
        )
        return read(AccessRequest, await self._transport.post("/api/v1/access-requests", body))

    async def list_page(
        self,
        *,
        state: str | None = None,
        principal: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[AccessRequest]:
        """List the caller's requests for access, newest first; with ``ADMIN`` on the instance those of everyone.

        Returns one page.
        """
        query = {"state": state, "principal": principal, "limit": limit, "cursor": cursor}
        return await self._page("/api/v1/access-requests", query, AccessRequest)

    async def list(
        self,
        *,
        state: str | None = None,
        principal: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> builtins.list[AccessRequest]:
        """List the caller's requests for access, newest first; with ``ADMIN`` on the instance those of everyone.

        Returns the first page.
        """
        page = await self.list_page(state=state, principal=principal, limit=limit, cursor=cursor)
        return [*page.items]

    def iter(
        self, *, state: str | None = None, principal: str | None = None, limit: int | None = None
    ) -> AsyncIterator[AccessRequest]:
        """List the caller's requests for access, newest first; with ``ADMIN`` on the instance those of everyone.

        Iterates over all pages.
        """
        query = {"state": state, "principal": principal, "limit": limit}
        return self._iterate("/api/v1/access-requests", query, AccessRequest)

    async def approve(
        self, request_id: str, *, expires_at: datetime.datetime | None = None, comment: str | None = None
    ) -> AccessRequest:
        """Approve a request for access, which creates the grant."""
        where = f"/api/v1/access-requests/{segment(request_id)}/approve"
        body = given(expires_at=moment("expires_at", expires_at), comment=comment)
        return read(AccessRequest, await self._transport.post(where, body))

    async def reject(self, request_id: str, *, comment: str | None = None) -> AccessRequest:
        """Reject a request for access."""
        where = f"/api/v1/access-requests/{segment(request_id)}/reject"
        body = given(comment=comment)
        return read(AccessRequest, await self._transport.post(where, body))

    async def withdraw(self, request_id: str) -> None:
        """Withdraw a pending request for access of yours."""
        where = f"/api/v1/access-requests/{segment(request_id)}"
        await self._transport.delete(where)
