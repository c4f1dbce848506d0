# Written out of svc/_aio by "npm run generate". Do not edit.
# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.package_indexes``."""

from __future__ import annotations

import builtins

from svc._sync.resource import Resource
from svc._models import PackageIndex
from svc._records import read
from svc._requests import given, known, segment


class PackageIndexes(Resource):
    """Package indexes that projects can install from."""

    def create(self, name: str, url: str, *, credential_secret: str | None = None) -> PackageIndex:
        """Register a package index."""
        body = given(name=name, url=url, credential_secret=credential_secret)
        return read(PackageIndex, self._transport.post("/api/v1/package-indexes", body))

    def list(self) -> builtins.list[PackageIndex]:
        """List the registered package indexes, by name."""
        return [read(PackageIndex, item) for item in self._transport.items("/api/v1/package-indexes")]

    def get(self, name: str) -> PackageIndex:
        """Get a package index."""
        where = f"/api/v1/package-indexes/{segment(name)}"
        return read(PackageIndex, self._transport.get(where))

    def update(self, name: str, **changes: str | None) -> PackageIndex:
        """Change the URL or the secret of a package index. ``credential_secret=None`` clears it."""
        known("a package index", changes, "url", "credential_secret")
        where = f"/api/v1/package-indexes/{segment(name)}"
        return read(PackageIndex, self._transport.patch(where, changes))

    def delete(self, name: str) -> None:
        """Remove a package index. Projects that use it stop working until it is registered again."""
        where = f"/api/v1/package-indexes/{segment(name)}"
        self._transport.delete(where)
