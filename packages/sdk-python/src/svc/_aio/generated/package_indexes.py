# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.package_indexes``."""

from __future__ import annotations

import builtins

from svc._aio.resource import Resource
from svc._models import PackageIndex
from svc._records import read
from svc._requests import given, known, segment


class PackageIndexes(Resource):
    """Package indexes that projects can install from."""

    async def create(self, name: str, url: str, *, credential_secret: str | None = None) -> PackageIndex:
        """Register a package index."""
        body = given(name=name, url=url, credential_secret=credential_secret)
        return read(PackageIndex, await self._transport.post("/api/v1/package-indexes", body))

    async def list(self) -> builtins.list[PackageIndex]:
        """List the registered package indexes, by name."""
        return [read(PackageIndex, item) for item in await self._transport.items("/api/v1/package-indexes")]

    async def get(self, name: str) -> PackageIndex:
        """Get a package index."""
        where = f"/api/v1/package-indexes/{segment(name)}"
        return read(PackageIndex, await self._transport.get(where))

    async def update(self, name: str, **changes: str | None) -> PackageIndex:
        """Change the URL or the secret of a package index. ``credential_secret=None`` clears it."""
        known("a package index", changes, "url", "credential_secret")
        where = f"/api/v1/package-indexes/{segment(name)}"
        return read(PackageIndex, await self._transport.patch(where, changes))

    async def delete(self, name: str) -> None:
        """Remove a package index. Projects that use it stop working until it is registered again."""
        where = f"/api/v1/package-indexes/{segment(name)}"
        await self._transport.delete(where)
