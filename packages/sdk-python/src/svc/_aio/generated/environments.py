# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.environments``."""

from __future__ import annotations

import builtins
from typing import Any

from svc._aio.resource import Resource
from svc._records import read
from svc._requests import environment_path, given, glass, known
from svc._table_models import (
    Environment,
    EnvironmentQuotas,
    EnvironmentSummary,
    ExpiringTable,
    OrphanedLocation,
    RemovedLocations,
)


class Environments(Resource):
    """Environments, each with its own namespaces, tables, jobs and secrets."""

    async def create(
        self, name: str, *, protected: bool = False, description: str | None = None, storage_location: str | None = None
    ) -> Environment:
        """Create an environment.

        With ``storage_location`` (the location of a bucket, such as ``s3://bucket/prefix``), its tables are stored
        there.
        """
        body = given(name=name, protected=protected, description=description, storage_location=storage_location)
        return read(Environment, await self._transport.post("/api/v1/environments", body))

    async def list(self, *, deleted: bool | None = None) -> builtins.list[Environment]:
        """List the environments in which the caller has a grant, by name; their settings are null without
        READ_ENVIRONMENT.

        With ``deleted``, lists the deleted ones.
        """
        query = {"deleted": deleted}
        return [read(Environment, item) for item in await self._transport.items("/api/v1/environments", query)]

    async def get(self, name: str) -> Environment:
        """Get an environment."""
        where = environment_path(name)
        return read(Environment, await self._transport.get(where))

    async def update(self, name: str, **changes: bool | str | dict[str, Any] | None) -> Environment:
        """Change the protection, description or maintenance of an environment, or, with MANAGE_ENVIRONMENT on the
        instance, its storage.

        ``None`` removes the description, the automatic maintenance or the storage. The storage can only change while it
        is empty.
        """
        known(
            "an environment", changes, "protected", "description", "maintenance", "storage_location", "storage_secret"
        )
        where = environment_path(name)
        return read(Environment, await self._transport.patch(where, changes))

    async def delete(self, name: str, purge: bool = False, *, break_glass: str | None = None) -> Environment:
        """Delete an environment. It can be restored during the undo period. With ``purge``, it can't be restored."""
        where = environment_path(name)
        query = {"purge": purge or None}
        return read(Environment, await self._transport.delete(where, query, headers=glass(break_glass)))

    async def restore(self, name: str) -> Environment:
        """Restore a deleted environment with its tables and grants."""
        where = f"{environment_path(name)}/restore"
        return read(Environment, await self._transport.post(where, None))

    async def list_orphaned(self, name: str) -> builtins.list[OrphanedLocation]:
        """List orphaned table folders in storage that are at least a day old."""
        where = f"{environment_path(name)}/orphaned-locations"
        return [read(OrphanedLocation, item) for item in await self._transport.items(where)]

    async def remove_orphaned(self, name: str, *, location: str | None = None) -> RemovedLocations:
        """Remove orphaned table folders in storage that are at least a day old: all, or one.

        Repeat it while the result has ``more``.
        """
        where = f"{environment_path(name)}/orphaned-locations"
        query = {"location": location}
        return read(RemovedLocations, await self._transport.delete(where, query))

    async def quotas(self, name: str) -> EnvironmentQuotas:
        """Get the quotas of an environment and their usage."""
        where = f"{environment_path(name)}/quotas"
        return read(EnvironmentQuotas, await self._transport.get(where))

    async def set_quotas(
        self, name: str, *, storage_bytes: int | None, concurrent_queries: int | None
    ) -> EnvironmentQuotas:
        """Set the storage and concurrency quotas of an environment; null: the default of the operator."""
        where = f"{environment_path(name)}/quotas"
        body = {"storage_bytes": storage_bytes, "concurrent_queries": concurrent_queries}
        return read(EnvironmentQuotas, await self._transport.put(where, body))

    async def summary(self, name: str) -> EnvironmentSummary:
        """Summarize an environment: runs, storage, the tables read last, and those that expire or can be restored.

        Each list has up to 10 tables. Parts that the caller has no permission for are null.
        """
        where = f"{environment_path(name)}/summary"
        return read(EnvironmentSummary, await self._transport.get(where))

    async def set_retention(self, name: str, days: int | None) -> Environment:
        """Set the default retention of an environment, in days without use; null: none."""
        where = f"{environment_path(name)}/retention"
        body = {"days": days}
        return read(Environment, await self._transport.put(where, body))

    async def preview_retention(self, name: str, days: int) -> builtins.list[ExpiringTable]:
        """Preview which tables would expire, and when, with a default retention of this many days.

        Returns all of them.
        """
        where = f"{environment_path(name)}/retention/preview"
        query = {"days": days}
        return await self._all(where, query, ExpiringTable)
