"""Secrets."""

from __future__ import annotations

from typing import Any

from svc._aio.generated.secrets import Secrets as GeneratedSecrets
from svc._models import Secret
from svc._records import read
from svc._requests import environment_path, given, segment


class Secrets(GeneratedSecrets):
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
        return read(Secret, await self._transport.post(f"{environment_path(environment)}/secrets", body))

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
        return read(Secret, await self._transport.post(path, target))
