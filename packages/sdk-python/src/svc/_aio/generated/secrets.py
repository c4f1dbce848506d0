# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.secrets``."""

from __future__ import annotations

import builtins

from svc._aio.resource import Resource
from svc._models import Secret
from svc._records import read
from svc._requests import environment_path, segment


class Secrets(Resource):
    """Secrets of an environment. Their values are never returned."""

    async def list(self, environment: str) -> builtins.list[Secret]:
        """List the secrets of an environment, by name, without their values."""
        where = f"{environment_path(environment)}/secrets"
        return [read(Secret, item) for item in await self._transport.items(where)]

    async def rotate(self, environment: str, name: str, values: dict[str, str]) -> Secret:
        """Rotate a secret: replace its values."""
        where = f"{environment_path(environment)}/secrets/{segment(name)}/values"
        body = {"values": values}
        return read(Secret, await self._transport.put(where, body))

    async def revoke(self, environment: str, name: str) -> None:
        """Revoke a secret and erase its values."""
        where = f"{environment_path(environment)}/secrets/{segment(name)}"
        await self._transport.delete(where)
