# Written out of svc/_aio by "npm run generate". Do not edit.
# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.identity_providers``."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

from svc._access_models import IdentityProvider
from svc._sync.resource import Resource
from svc._records import read
from svc._requests import given, known, segment


class IdentityProviders(Resource):
    """Identity providers that people sign in with. Their client secrets are never returned."""

    def create(
        self,
        name: str,
        issuer: str,
        client_id: str,
        *,
        client_secret: str | None = None,
        scopes: Sequence[str] = ("openid", "profile", "email"),
        link_by: str = "subject",
        create_people: bool = False,
        email_domains: Sequence[str] = (),
        groups_claim: str | None = None,
        groups: Sequence[dict[str, Any]] = (),
        scim_account: str | None = None,
        active: bool = True,
    ) -> IdentityProvider:
        """Register an identity provider that people can sign in with. The client secret is never returned."""
        body = given(
            name=name,
            issuer=issuer,
            client_id=client_id,
            client_secret=client_secret,
            scopes=[*scopes],
            link_by=link_by,
            create_people=create_people,
            email_domains=[*email_domains],
            groups_claim=groups_claim,
            groups=[*groups],
            scim_account=scim_account,
            active=active,
        )
        return read(IdentityProvider, self._transport.post("/api/v1/identity-providers", body))

    def list(self) -> builtins.list[IdentityProvider]:
        """List the identity providers, by name."""
        return [read(IdentityProvider, item) for item in self._transport.items("/api/v1/identity-providers")]

    def get(self, name: str) -> IdentityProvider:
        """Get an identity provider."""
        where = f"/api/v1/identity-providers/{segment(name)}"
        return read(IdentityProvider, self._transport.get(where))

    def update(
        self, name: str, **changes: str | Sequence[str] | bool | Sequence[dict[str, Any]] | None
    ) -> IdentityProvider:
        """Change an identity provider.

        Its name and issuer stay. ``client_secret`` and ``groups_claim`` are cleared with ``None``.
        """
        known(
            "an identity provider",
            changes,
            "client_id",
            "client_secret",
            "scopes",
            "link_by",
            "create_people",
            "email_domains",
            "groups_claim",
            "groups",
            "scim_account",
            "active",
        )
        where = f"/api/v1/identity-providers/{segment(name)}"
        return read(IdentityProvider, self._transport.patch(where, changes))

    def delete(self, name: str) -> None:
        """Delete an identity provider with its identities and the memberships that come from it."""
        where = f"/api/v1/identity-providers/{segment(name)}"
        self._transport.delete(where)
