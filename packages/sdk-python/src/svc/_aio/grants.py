"""Grants and tokens."""

from __future__ import annotations

import builtins
import datetime
from collections.abc import AsyncIterator

from svc._access_models import Grant, IssuedToken, MintedToken, RevocationPreview, Token
from svc._aio.resource import Resource
from svc._records import Page, read
from svc._requests import Parameters, given, moment, segment

_GRANTS = "/api/v1/grants"


class Grants(Resource):
    """The active grants. Requires ADMIN. Filters combine with AND."""

    async def create(
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
            raise TypeError("set exactly one of principal and group")
        if (role is None) == (action is None):
            raise TypeError("set exactly one of role and action")
        body = given(kind=kind, principal=principal, group=group, role=role, action=action)
        body |= given(environment=environment, namespace=namespace, table=table)
        return read(Grant, (await self._transport.post(_GRANTS, body)).json())

    async def revoke(self, grant_id: str) -> None:
        """Revokes a grant. Raises NotFound if it is unknown or already revoked."""
        await self._transport.delete(f"{_GRANTS}/{segment(grant_id)}")

    async def preview_revocation(self, grant_id: str) -> RevocationPreview:
        """Previews who would lose what if the grant were revoked. Changes nothing."""
        answer = await self._transport.delete(f"{_GRANTS}/{segment(grant_id)}", {"dry_run": True})
        return read(RevocationPreview, answer)

    @staticmethod
    def _filters(
        principal_name: str | None,
        group_name: str | None,
        action: str | None,
        environment: str | None,
        namespace: str | None,
        table: str | None,
    ) -> Parameters:
        return {
            "principal_name": principal_name,
            "group_name": group_name,
            "action": action,
            "environment": environment,
            "namespace": namespace,
            "table": table,
        }

    async def list_page(
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
        filters = self._filters(principal_name, group_name, action, environment, namespace, table)
        return await self._page(_GRANTS, {**filters, "limit": limit, "cursor": cursor}, lambda item: read(Grant, item))

    async def list(
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
    ) -> builtins.list[Grant]:
        """The first page of :meth:`list_page`."""
        filters = self._filters(principal_name, group_name, action, environment, namespace, table)
        page = await self._page(_GRANTS, {**filters, "limit": limit, "cursor": cursor}, lambda item: read(Grant, item))
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
        limit: int | None = None,
    ) -> AsyncIterator[Grant]:
        """Iterates over all pages."""
        filters = self._filters(principal_name, group_name, action, environment, namespace, table)
        return self._iterate(_GRANTS, {**filters, "limit": limit}, lambda item: read(Grant, item))


class Tokens(Resource):
    """Tokens of principals."""

    async def issue(self, principal: str, name: str, *, expires_at: datetime.datetime | None = None) -> IssuedToken:
        """Issues a token. Its text is shown only once."""
        body = given(name=name, expires_at=moment("expires_at", expires_at))
        path = f"/api/v1/principals/{segment(principal)}/tokens"
        return read(IssuedToken, await self._transport.post_once(path, body))

    async def list(self, principal: str) -> builtins.list[Token]:
        """The active tokens."""
        items = await self._transport.get(f"/api/v1/principals/{segment(principal)}/tokens")
        return [read(Token, item) for item in items]

    async def revoke(self, token_id: str) -> None:
        await self._transport.delete(f"/api/v1/tokens/{segment(token_id)}")

    async def mint_task(self, *, environment: str | None = None, principal: str | None = None) -> MintedToken:
        """Mints a task token for one environment, valid for at most an hour. For another principal, requires ADMIN."""
        body = given(environment=environment, principal=principal)
        return read(MintedToken, await self._transport.post_once("/api/v1/task-tokens", body))
