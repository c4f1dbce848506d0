"""Environments and tables: making them, dropping and restoring them, and when they expire."""

from __future__ import annotations

import datetime
from typing import Any
from urllib.parse import quote

from svc._models import Environment, Table, read
from svc._resource import Resource, environment_path
from svc._table_models import DroppedTable, ExpiringTable, Retention, TablePurge
from svc._transport import segment

_ENVIRONMENTS = "/api/v1/environments"


def _glass(reason: str | None) -> dict[str, str]:
    """The header that lets a change through in a protected environment."""
    return {} if reason is None else {"Svc-Break-Glass": quote(reason, safe="")}


class Environments(Resource):
    def list(self, *, deleted: bool | None = None) -> list[Environment]:
        """Those the caller may read; ``deleted=True`` lists the deleted ones."""
        return [read(Environment, item) for item in self._transport.get(_ENVIRONMENTS, {"deleted": deleted})]

    def get(self, name: str) -> Environment:
        return read(Environment, self._transport.get(environment_path(name)))

    def create(self, name: str, *, protected: bool = False, description: str | None = None) -> Environment:
        body = {"name": name, "protected": protected, "description": description}
        return read(Environment, self._transport.post(_ENVIRONMENTS, body).json())

    def delete(self, name: str, purge: bool = False) -> Environment:
        """Deletes it; ``restore`` brings it back within the undo period, unless ``purge`` makes it due at once."""
        return read(Environment, self._transport.delete(environment_path(name), {"purge": purge or None}))

    def restore(self, name: str) -> Environment:
        """Restores a deleted environment with the tables and grants that its deletion took."""
        return read(Environment, self._transport.post(f"{environment_path(name)}/restore", None).json())

    def set_retention(self, name: str, days: int | None) -> Environment:
        """Days without use after which its tables that set no retention expire; None turns it off."""
        return read(Environment, self._transport.put(f"{environment_path(name)}/retention", {"days": days}))

    def preview_retention(self, name: str, days: int) -> list[ExpiringTable]:  # type: ignore[valid-type]
        """Which tables would expire when with a retention of so many days from now on; soonest first."""
        path = f"{environment_path(name)}/retention/preview"
        return [*self._iterate(path, {"days": days}, lambda item: read(ExpiringTable, item))]


class Tables(Resource):
    """``table`` is ``'<namespace>.<table>'``; ``break_glass`` the reason that lets a change of a protected environment
    through."""

    @staticmethod
    def _namespace(environment: str, namespace: str) -> str:
        return f"{environment_path(environment)}/namespaces/{segment(namespace)}"

    @classmethod
    def _path(cls, environment: str, table: str) -> str:
        namespace, dot, name = table.rpartition(".")
        if not dot:
            raise ValueError(f"{table!r} is no table name: write '<namespace>.<table>'")
        return f"{cls._namespace(environment, namespace)}/tables/{segment(name)}"

    def list(self, environment: str, namespace: str) -> list[Table]:
        path = f"{self._namespace(environment, namespace)}/tables"
        return list(self._iterate(path, {}, lambda item: read(Table, item)))

    def get(self, environment: str, table: str) -> Table:
        return read(Table, self._transport.get(self._path(environment, table)))

    def create(
        self,
        environment: str,
        table: str,
        columns: list[dict[str, Any]],  # type: ignore[valid-type]
        *,
        description: str | None = None,
        expire_after: int | None = None,
        break_glass: str | None = None,
    ) -> Table:
        """A managed table; a column is ``{"name": …, "type": …}``. It expires after so many days without use."""
        path, _, name = self._path(environment, table).rpartition("/")
        body: dict[str, Any] = {"name": name, "columns": columns, "description": description}
        if expire_after is not None:
            body["expire_after"] = expire_after
        return read(Table, self._transport.post(path, body, headers=_glass(break_glass)).json())

    def delete(
        self, environment: str, table: str, purge: bool = False, *, break_glass: str | None = None
    ) -> DroppedTable:
        """Drops it; ``undrop`` brings it back within the undo period, unless ``purge`` makes its files due at once."""
        path = self._path(environment, table)
        answer = self._transport.delete(path, {"purge": purge or None}, headers=_glass(break_glass))
        return read(DroppedTable, answer)

    def list_dropped(self, environment: str, namespace: str) -> list[DroppedTable]:  # type: ignore[valid-type]
        """Dropped tables whose files are there still, newest first."""
        path = f"{self._namespace(environment, namespace)}/dropped-tables"
        return [*self._iterate(path, {}, lambda item: read(DroppedTable, item))]

    def undrop(
        self,
        environment: str,
        table: str,
        new_name: str | None = None,
        *,
        id: str | None = None,
        break_glass: str | None = None,
    ) -> Table:
        """Restores the newest drop of that name, or the one of ``id``, with its data, history and policies."""
        given = {"new_name": new_name, "id": id}
        body = {key: value for key, value in given.items() if value is not None}
        path = f"{self._path(environment, table)}/undrop"
        return read(Table, self._transport.post(path, body, headers=_glass(break_glass)).json())

    def purges(self, environment: str, namespace: str) -> list[TablePurge]:  # type: ignore[valid-type]
        """Deletions of dropped tables that are due, under way or done, latest due first."""
        path = f"{self._namespace(environment, namespace)}/purges"
        return [*self._iterate(path, {}, lambda item: read(TablePurge, item))]

    def hold(self, environment: str, table: str, reason: str, *, until: datetime.date | None = None) -> Table:
        """Keeps its files from being deleted until ``release``, or until a day or a time with a zone."""
        if isinstance(until, datetime.datetime) and until.tzinfo is None:
            raise ValueError("until needs a time zone: datetime(..., tzinfo=timezone.utc)")
        body = {"reason": reason} if until is None else {"reason": reason, "until": until.isoformat()}
        return read(Table, self._transport.put(f"{self._path(environment, table)}/hold", body))

    def release(self, environment: str, table: str) -> Table:
        return read(Table, self._transport.delete(f"{self._path(environment, table)}/hold"))

    def retention(self, environment: str, table: str) -> Retention:
        return read(Retention, self._transport.get(f"{self._path(environment, table)}/retention"))

    def set_retention(
        self,
        environment: str,
        table: str,
        *,
        days: int | None = None,
        on: datetime.date | str | None = None,
        never: bool | None = None,
    ) -> Retention:
        """Exactly one of: ``days`` without use, ``on`` a day (UTC), ``never=True``."""
        if isinstance(on, datetime.datetime):
            on = on.date()
        day = on.isoformat() if isinstance(on, datetime.date) else on
        given = {"days": days, "on": day, "never": never or None}
        body = {key: value for key, value in given.items() if value is not None}
        if len(body) != 1:
            raise TypeError("set_retention() takes exactly one of days, on and never")
        return read(Retention, self._transport.put(f"{self._path(environment, table)}/retention", body))

    def expiring(self, environment: str, within_days: int | None = None) -> list[ExpiringTable]:  # type: ignore[valid-type]
        """Tables that expire within so many days (default: the warning window), soonest first."""
        path = f"{environment_path(environment)}/expiring-tables"
        return [*self._iterate(path, {"within_days": within_days}, lambda item: read(ExpiringTable, item))]
