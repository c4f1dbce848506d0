# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.repositories``."""

from __future__ import annotations

import builtins

from svc._aio.resource import Resource
from svc._project_models import Repository
from svc._records import read
from svc._requests import given, known, segment


class Repositories(Resource):
    """Repositories, the sources of projects."""

    async def create(
        self,
        name: str,
        url: str | None = None,
        *,
        default_ref: str | None = None,
        folder: str | None = None,
        credential_secret: str | None = None,
    ) -> Repository:
        """Register a repository. Without a ``url``, it accepts only bundles of local folders."""
        body = given(name=name, url=url, default_ref=default_ref, folder=folder, credential_secret=credential_secret)
        return read(Repository, await self._transport.post("/api/v1/repositories", body))

    async def list(self) -> builtins.list[Repository]:
        """List the registered repositories, by name."""
        return [read(Repository, item) for item in await self._transport.items("/api/v1/repositories")]

    async def get(self, name: str) -> Repository:
        """Get a repository."""
        where = f"/api/v1/repositories/{segment(name)}"
        return read(Repository, await self._transport.get(where))

    async def update(self, name: str, **changes: str | None) -> Repository:
        """Change a repository. ``None`` clears a field."""
        known("a repository", changes, "url", "default_ref", "folder", "credential_secret")
        where = f"/api/v1/repositories/{segment(name)}"
        return read(Repository, await self._transport.patch(where, changes))

    async def delete(self, name: str) -> None:
        """Remove a repository that is not deployed anywhere. Fails with ``Conflict`` while it is deployed anywhere."""
        where = f"/api/v1/repositories/{segment(name)}"
        await self._transport.delete(where)
