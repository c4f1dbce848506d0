"""Package indexes, and the secrets with their credentials."""

from __future__ import annotations

import builtins
from typing import Any

from svc._aio.resource import Resource
from svc._models import PackageIndex, Secret
from svc._records import read
from svc._requests import environment_path, given, known, segment

_INDEXES = "/api/v1/package-indexes"


class PackageIndexes(Resource):
    """The package indexes that projects can use."""

    async def create(self, name: str, url: str, *, credential_secret: str | None = None) -> PackageIndex:
        body = {"name": name, "url": url, "credential_secret": credential_secret}
        return read(PackageIndex, (await self._transport.post(_INDEXES, body)).json())

    async def list(self) -> builtins.list[PackageIndex]:
        """All of them, sorted by name."""
        return [read(PackageIndex, item) for item in await self._transport.get(_INDEXES)]

    async def get(self, name: str) -> PackageIndex:
        """Raises NotFound for an unknown name."""
        return read(PackageIndex, await self._transport.get(f"{_INDEXES}/{segment(name)}"))

    async def update(self, name: str, **changes: str | None) -> PackageIndex:
        """Changes only ``url`` and ``credential_secret``; ``credential_secret=None`` clears it."""
        known("a package index", changes, "url", "credential_secret")
        return read(PackageIndex, await self._transport.patch(f"{_INDEXES}/{segment(name)}", changes))

    async def delete(self, name: str) -> None:
        await self._transport.delete(f"{_INDEXES}/{segment(name)}")


class Secrets(Resource):
    """Secrets of an environment. Their values are never returned."""

    @staticmethod
    def _target(index: str | None, repository: str | None, environment_use: bool) -> dict[str, Any]:
        target = given(index=index, repository=repository, environment=environment_use or None)
        if len(target) > 1:
            raise TypeError("a secret has one use: set one of index, repository and environment_use")
        return target

    async def create(
        self,
        environment: str,
        name: str,
        values: dict[str, str],
        *,
        index: str | None = None,
        repository: str | None = None,
        environment_use: bool = False,
    ) -> Secret:
        """``values`` are texts by name, such as ``username`` and ``password``."""
        body = {"name": name, "values": values, **self._target(index, repository, environment_use)}
        return read(Secret, (await self._transport.post(f"{environment_path(environment)}/secrets", body)).json())

    async def list(self, environment: str) -> builtins.list[Secret]:
        """All of them, sorted by name."""
        return [read(Secret, item) for item in await self._transport.get(f"{environment_path(environment)}/secrets")]

    async def rotate(self, environment: str, name: str, values: dict[str, str]) -> Secret:
        """Replaces all values."""
        path = f"{environment_path(environment)}/secrets/{segment(name)}/values"
        return read(Secret, await self._transport.put(path, {"values": values}))

    async def bind(
        self,
        environment: str,
        name: str,
        *,
        index: str | None = None,
        repository: str | None = None,
        environment_use: bool = False,
    ) -> Secret:
        """Binds it to a use. A previous use ends."""
        path = f"{environment_path(environment)}/secrets/{segment(name)}/bind"
        target = self._target(index, repository, environment_use)
        return read(Secret, (await self._transport.post(path, target)).json())

    async def revoke(self, environment: str, name: str) -> None:
        """Revokes it and erases its values."""
        await self._transport.delete(f"{environment_path(environment)}/secrets/{segment(name)}")
