# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.principals``."""

from __future__ import annotations

import builtins
import datetime
from collections.abc import AsyncIterator

from svc._access_models import Permissions, Principal, ReachedObject, SignInMethods
from svc._aio.resource import Resource
from svc._records import Page, read
from svc._requests import given, known, moment, segment


class Principals(Resource):
    """People and service accounts."""

    async def create(self, name: str, *, type: str = "person", password: str | None = None) -> Principal:
        """Create a person or a service account. Only a person can have a password."""
        body = given(name=name, type=type, password=password)
        return read(Principal, await self._transport.post("/api/v1/principals", body))

    async def list_page(
        self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> Page[Principal]:
        """List principals, newest first. Returns one page."""
        query = {"q": search, "limit": limit, "cursor": cursor}
        return await self._page("/api/v1/principals", query, Principal)

    async def list(
        self, *, search: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> builtins.list[Principal]:
        """List principals, newest first. Returns the first page."""
        page = await self.list_page(search=search, limit=limit, cursor=cursor)
        return [*page.items]

    def iter(self, *, search: str | None = None, limit: int | None = None) -> AsyncIterator[Principal]:
        """List principals, newest first. Iterates over all pages."""
        query = {"q": search, "limit": limit}
        return self._iterate("/api/v1/principals", query, Principal)

    async def get(self, name: str) -> Principal:
        """Get a principal."""
        where = f"/api/v1/principals/{segment(name)}"
        return read(Principal, await self._transport.get(where))

    async def update(self, name: str, **changes: bool | str | None) -> Principal:
        """Activate or deactivate a principal, or set its password. ``None`` removes the password."""
        known("a principal", changes, "active", "password")
        where = f"/api/v1/principals/{segment(name)}"
        return read(Principal, await self._transport.patch(where, changes))

    async def delete(self, name: str) -> None:
        """Delete a principal with its grants, memberships and tokens.

        Fails with ``Conflict`` for the last administrator.
        """
        where = f"/api/v1/principals/{segment(name)}"
        await self._transport.delete(where)

    async def permissions(
        self,
        name: str,
        *,
        environment: str | None = None,
        namespace: str | None = None,
        table: str | None = None,
        service_account: str | None = None,
        at: datetime.datetime | None = None,
    ) -> Permissions:
        """List the actions that a principal is allowed on an object, and the grants that allow them.

        The default object is the instance.
        """
        where = f"/api/v1/principals/{segment(name)}/permissions"
        query = {
            "environment": environment,
            "namespace": namespace,
            "table": table,
            "service_account": service_account,
            "at": moment("at", at),
        }
        return read(Permissions, await self._transport.get(where, query))

    def objects(
        self, name: str, *, action: str | None = None, limit: int | None = None
    ) -> AsyncIterator[ReachedObject]:
        """List the objects that a principal can access, and the grants that allow it. Iterates over all pages."""
        where = f"/api/v1/principals/{segment(name)}/objects"
        query = {"action": action, "limit": limit}
        return self._iterate(where, query, ReachedObject)

    async def sign_in_methods(self, name: str) -> SignInMethods:
        """Get how a principal can sign in: its e-mail address, its password, and its identities."""
        where = f"/api/v1/principals/{segment(name)}/sign-in-methods"
        return read(SignInMethods, await self._transport.get(where))

    async def set_email(self, name: str, email: str | None) -> SignInMethods:
        """Set the e-mail address that identities may be linked to. ``None`` removes it. Linked identities stay."""
        where = f"/api/v1/principals/{segment(name)}/email"
        body = {"email": email}
        return read(SignInMethods, await self._transport.put(where, body))

    async def link_identity(self, name: str, provider: str, subject: str) -> SignInMethods:
        """Link a person to a subject of an identity provider."""
        where = f"/api/v1/principals/{segment(name)}/identities/{segment(provider)}"
        body = {"subject": subject}
        return read(SignInMethods, await self._transport.put(where, body))

    async def unlink_identity(self, name: str, provider: str) -> None:
        """Unlink a person from an identity provider, with the memberships that come from it."""
        where = f"/api/v1/principals/{segment(name)}/identities/{segment(provider)}"
        await self._transport.delete(where)

    async def remove_second_factors(self, name: str) -> None:
        """Remove all second factors and recovery codes that a person has lost."""
        where = f"/api/v1/principals/{segment(name)}/second-factors"
        await self._transport.delete(where)
