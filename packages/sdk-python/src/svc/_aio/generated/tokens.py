# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.tokens``."""

from __future__ import annotations

import builtins
import datetime
from collections.abc import Sequence

from svc._access_models import IssuedToken, MintedToken, Token
from svc._aio.resource import Resource
from svc._records import read
from svc._requests import given, moment, segment


class Tokens(Resource):
    """Tokens of principals."""

    async def issue(
        self,
        principal: str,
        name: str,
        *,
        expires_at: datetime.datetime | None = None,
        environments: Sequence[str] | None = None,
        actions: Sequence[str] | None = None,
    ) -> IssuedToken:
        """Issue a token. It is shown only once."""
        where = f"/api/v1/principals/{segment(principal)}/tokens"
        body = given(
            name=name,
            expires_at=moment("expires_at", expires_at),
            environments=None if environments is None else [*environments],
            actions=None if actions is None else [*actions],
        )
        return read(IssuedToken, await self._transport.post_once(where, body))

    async def list(self, principal: str) -> builtins.list[Token]:
        """List the active tokens of a principal."""
        where = f"/api/v1/principals/{segment(principal)}/tokens"
        return [read(Token, item) for item in await self._transport.items(where)]

    async def rotate(self, token_id: str, *, overlap_seconds: int | None = None) -> IssuedToken:
        """Replace a token with a new one, which is shown only once. The old one works for a while longer."""
        where = f"/api/v1/tokens/{segment(token_id)}/rotate"
        body = given(overlap_seconds=overlap_seconds)
        return read(IssuedToken, await self._transport.post_once(where, body))

    async def revoke(self, token_id: str) -> None:
        """Revoke a token."""
        where = f"/api/v1/tokens/{segment(token_id)}"
        await self._transport.delete(where)

    async def mint_task(self, *, environment: str | None = None, principal: str | None = None) -> MintedToken:
        """Mint a task token that is valid for at most one hour.

        It works in one environment. A token of another principal requires the ADMIN role.
        """
        body = given(environment=environment, principal=principal)
        return read(MintedToken, await self._transport.post_once("/api/v1/task-tokens", body))
