# Written out of svc/_aio by "npm run generate". Do not edit.
"""Environments and namespaces."""

from __future__ import annotations

import builtins
from typing import Any

from svc._sync.resource import Resource
from svc._records import read
from svc._requests import environment_path, glass, known, namespace_path
from svc._table_models import (
    Environment,
    EnvironmentQuotas,
    ExpiringTable,
    Namespace,
    OrphanedLocation,
    RemovedLocations,
)

_ENVIRONMENTS = "/api/v1/environments"


class Environments(Resource):
    def list(self, *, deleted: bool | None = None) -> builtins.list[Environment]:
        """The environments in which the caller has a grant; ``deleted=True`` lists deleted ones."""
        return [read(Environment, item) for item in self._transport.get(_ENVIRONMENTS, {"deleted": deleted})]

    def get(self, name: str) -> Environment:
        """Raises NotFound for an unknown name. For a deleted environment, the message explains how to restore it."""
        return read(Environment, self._transport.get(environment_path(name)))

    def create(
        self,
        name: str,
        *,
        protected: bool = False,
        description: str | None = None,
        storage_location: str | None = None,
    ) -> Environment:
        """``storage_location`` (``s3://bucket/prefix``) stores its tables, opened with the keys of the instance."""
        body = {"name": name, "protected": protected, "description": description}
        if storage_location is not None:
            body["storage_location"] = storage_location
        return read(Environment, (self._transport.post(_ENVIRONMENTS, body)).json())

    def update(self, name: str, **changes: bool | str | dict[str, Any] | None) -> Environment:
        """Changes ``protected``, ``description``, ``maintenance``, ``storage_location`` and ``storage_secret`` alone;
        None removes all but the first.

        ``maintenance`` is ``{"compact": bool, "expire_snapshots_older_than_days": int | None}``: what the service does
        by itself to tables that were written. ``storage_location`` (``s3://bucket/prefix``) is where its tables lie,
        ``storage_secret`` its secret that opens the place; the location changes only while nothing lies there.
        """
        fields = ("protected", "description", "maintenance", "storage_location", "storage_secret")
        known("an environment", changes, *fields)
        return read(Environment, self._transport.patch(environment_path(name), changes))

    def delete(self, name: str, purge: bool = False, *, break_glass: str | None = None) -> Environment:
        """Deletes it. You can restore it during the undo period, unless you set ``purge``.

        A protected environment requires ``break_glass``.
        """
        path = environment_path(name)
        answer = self._transport.delete(path, {"purge": purge or None}, headers=glass(break_glass))
        return read(Environment, answer)

    def restore(self, name: str) -> Environment:
        """Restores a deleted environment with its tables and grants."""
        return read(Environment, (self._transport.post(f"{environment_path(name)}/restore", None)).json())

    def set_retention(self, name: str, days: int | None) -> Environment:
        """Sets the default retention of its tables in days without use; None turns it off."""
        return read(Environment, self._transport.put(f"{environment_path(name)}/retention", {"days": days}))

    def preview_retention(self, name: str, days: int) -> builtins.list[ExpiringTable]:
        """Previews which tables would expire, and when, with a default retention of ``days``; soonest first."""
        path = f"{environment_path(name)}/retention/preview"
        return self._all(path, {"days": days}, lambda item: read(ExpiringTable, item))

    def quotas(self, name: str) -> EnvironmentQuotas:
        """The quotas and their usage."""
        return read(EnvironmentQuotas, self._transport.get(f"{environment_path(name)}/quotas"))

    def set_quotas(
        self, name: str, *, storage_bytes: int | None, concurrent_queries: int | None
    ) -> EnvironmentQuotas:
        """Sets both quotas; None: the default of the operator."""
        body = {"storage_bytes": storage_bytes, "concurrent_queries": concurrent_queries}
        return read(EnvironmentQuotas, self._transport.put(f"{environment_path(name)}/quotas", body))

    def list_orphaned(self, name: str) -> builtins.list[OrphanedLocation]:
        """Orphaned table folders in storage that are at least a day old."""
        items = self._transport.get(f"{environment_path(name)}/orphaned-locations")
        return [read(OrphanedLocation, item) for item in items]

    def remove_orphaned(self, name: str, *, location: str | None = None) -> RemovedLocations:
        """Removes orphaned folders, or only ``location``. Repeat it while the result has ``more``."""
        path = f"{environment_path(name)}/orphaned-locations"
        return read(RemovedLocations, self._transport.delete(path, {"location": location}))


class Namespaces(Resource):
    """Paths are dotted; ``break_glass`` is the reason for a change in a protected environment."""

    def list(self, environment: str) -> builtins.list[Namespace]:
        """The namespaces that the caller can read, by path."""
        path = f"{environment_path(environment)}/namespaces"
        return self._all(path, {}, lambda item: read(Namespace, item))

    def get(self, environment: str, path: str) -> Namespace:
        return read(Namespace, self._transport.get(namespace_path(environment, path)))

    def create(
        self, environment: str, path: str, *, description: str | None = None, break_glass: str | None = None
    ) -> Namespace:
        body = {"path": path, "description": description}
        where = f"{environment_path(environment)}/namespaces"
        return read(Namespace, (self._transport.post(where, body, headers=glass(break_glass))).json())

    def update(
        self, environment: str, path: str, *, description: str | None, break_glass: str | None = None
    ) -> Namespace:
        body = {"description": description}
        where = namespace_path(environment, path)
        return read(Namespace, self._transport.patch(where, body, headers=glass(break_glass)))

    def delete(self, environment: str, path: str, *, break_glass: str | None = None) -> None:
        """Raises Conflict if it is not empty."""
        self._transport.delete(namespace_path(environment, path), headers=glass(break_glass))
