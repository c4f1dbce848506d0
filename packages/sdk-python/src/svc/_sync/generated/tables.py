# Written out of svc/_aio by "npm run generate". Do not edit.
# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.tables``."""

from __future__ import annotations

import builtins
import datetime
from collections.abc import Sequence
from typing import Any

from svc._access_models import TablePreview
from svc._sync.resource import Resource
from svc._records import Page, read
from svc._requests import day_or_moment, environment_path, given, glass, known, namespace_path, table_path
from svc._table_models import (
    DroppedTable,
    ExpiringTable,
    Maintenance,
    Retention,
    Snapshot,
    Table,
    TableHealth,
    TablePurge,
    Truncation,
)


class Tables(Resource):
    """Tables, views and artifacts. ``table`` is ``<namespace>.<table>``, with a dotted namespace."""

    def list_page(
        self, environment: str, namespace: str, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[Table]:
        """List the tables of a namespace that the caller can read, by name. Returns one page."""
        where = f"{namespace_path(environment, namespace)}/tables"
        query = {"limit": limit, "cursor": cursor}
        return self._page(where, query, Table)

    def list(self, environment: str, namespace: str) -> builtins.list[Table]:
        """List the tables of a namespace that the caller can read, by name. Returns all of them."""
        where = f"{namespace_path(environment, namespace)}/tables"
        return self._all(where, {}, Table)

    def get(self, environment: str, table: str) -> Table:
        """Get a table."""
        where = table_path(environment, table)
        return read(Table, self._transport.get(where))

    def update(self, environment: str, table: str, *, break_glass: str | None = None, **changes: Any) -> Table:
        """Change the descriptions or the owner of a table."""
        known("a table", changes, "description", "column_descriptions", "owner")
        where = table_path(environment, table)
        return read(Table, self._transport.patch(where, changes, headers=glass(break_glass)))

    def alter(
        self,
        environment: str,
        table: str,
        *,
        break_glass: str | None = None,
        **changes: dict[str, str] | Sequence[str] | Sequence[dict[str, Any]],
    ) -> Table:
        """Add, rename, reorder or drop columns of a managed table, widen their types, or set its identifier fields."""
        known("a table", changes, "rename", "types", "identifier_fields", "optional", "drop", "add", "order")
        where = f"{table_path(environment, table)}/columns"
        return read(Table, self._transport.patch(where, changes, headers=glass(break_glass)))

    def truncate(self, environment: str, table: str, *, break_glass: str | None = None) -> Truncation:
        """Remove all rows of a managed table in a new snapshot.

        Older snapshots keep the rows: ``rollback`` to ``previous_snapshot_id`` brings them back.
        """
        where = f"{table_path(environment, table)}/truncate"
        return read(Truncation, self._transport.post(where, None, headers=glass(break_glass)))

    def rename(self, environment: str, table: str, to: str, *, break_glass: str | None = None) -> Table:
        """Rename a table or view, or move it to another namespace of its environment.

        Its id, rows, history, grants, policies and retention stay. Views and assets that name it must be changed.
        """
        where = f"{table_path(environment, table)}/rename"
        body = {"to": to}
        return read(Table, self._transport.post(where, body, headers=glass(break_glass)))

    def snapshots(self, environment: str, table: str) -> builtins.list[Snapshot]:
        """List the snapshots of a managed table, newest first."""
        where = f"{table_path(environment, table)}/snapshots"
        return [read(Snapshot, item) for item in self._transport.items(where)]

    def rollback(
        self, environment: str, table: str, snapshot_id: int | str, *, break_glass: str | None = None
    ) -> Table:
        """Roll back a managed table to an older snapshot.

        Newer snapshots stay in the history. Fails with ``Conflict`` if another change is committed concurrently.
        """
        where = f"{table_path(environment, table)}/rollback"
        body = {"snapshot_id": snapshot_id}
        return read(Table, self._transport.post(where, body, headers=glass(break_glass)))

    def health(self, environment: str, table: str, *, days: int | None = None) -> TableHealth:
        """Get the health of a table: last write and read, size, files and readers.

        Counts the reads of the last ``days`` (default: 30).
        """
        where = f"{table_path(environment, table)}/health"
        query = {"days": days}
        return read(TableHealth, self._transport.get(where, query))

    def delete(
        self, environment: str, table: str, purge: bool = False, *, break_glass: str | None = None
    ) -> DroppedTable:
        """Drop a table, view or artifact.

        Its files are retained for the undo period. During that period, ``undrop`` restores it. With ``purge``, the next
        sweep deletes them.
        """
        where = table_path(environment, table)
        query = {"purge": purge or None}
        return read(DroppedTable, self._transport.delete(where, query, headers=glass(break_glass)))

    def list_dropped(self, environment: str, namespace: str) -> builtins.list[DroppedTable]:
        """List dropped tables whose files still exist, newest first. Returns all of them."""
        where = f"{namespace_path(environment, namespace)}/dropped-tables"
        return self._all(where, {}, DroppedTable)

    def undrop(
        self,
        environment: str,
        table: str,
        new_name: str | None = None,
        *,
        id: str | None = None,
        break_glass: str | None = None,
    ) -> Table:
        """Restore a dropped table, with its data, history and policies.

        Without ``id``, it is the newest drop of that name.
        """
        where = f"{table_path(environment, table)}/undrop"
        body = given(new_name=new_name, id=id)
        return read(Table, self._transport.post(where, body, headers=glass(break_glass)))

    def hold(
        self, environment: str, table: str, reason: str, *, until: datetime.date | None = None, id: str | None = None
    ) -> Table:
        """Place a legal hold on a table: neither a purge nor retention deletes its files.

        Without ``until``, it lasts until ``release``. Without ``id``, it is on the table of that name, or on its newest
        drop.
        """
        where = f"{table_path(environment, table)}/hold"
        body = given(reason=reason, until=day_or_moment("until", until), id=id)
        return read(Table, self._transport.put(where, body))

    def release(self, environment: str, table: str, *, id: str | None = None) -> Table:
        """Release the legal hold on a table.

        Without ``id``, it is that of the table of that name, or of its newest drop.
        """
        where = f"{table_path(environment, table)}/hold"
        query = {"id": id}
        return read(Table, self._transport.delete(where, query))

    def purges(self, environment: str, namespace: str) -> builtins.list[TablePurge]:
        """List purges of dropped tables: due, running or finished, latest first. Returns all of them."""
        where = f"{namespace_path(environment, namespace)}/purges"
        return self._all(where, {}, TablePurge)

    def retention(self, environment: str, table: str) -> Retention:
        """Get whether and when a table expires, and the rule that decides it."""
        where = f"{table_path(environment, table)}/retention"
        return read(Retention, self._transport.get(where))

    def expiring(self, environment: str, within_days: int | None = None) -> builtins.list[ExpiringTable]:
        """List the tables that the caller can read and that expire within a number of days, soonest first.

        Returns all of them.
        """
        where = f"{environment_path(environment)}/expiring-tables"
        query = {"within_days": within_days}
        return self._all(where, query, ExpiringTable)

    def maintain(
        self,
        environment: str,
        table: str,
        *,
        compact: bool | None = None,
        expire_snapshots_older_than_days: int | None = None,
        sort_by: Sequence[str] | None = None,
        bloom_filters: Sequence[str] | None = None,
    ) -> Maintenance:
        """Compact a managed table, expire its snapshots and remove unused files.

        It is queued: ``client.maintenance.wait`` waits for it.
        """
        where = f"{table_path(environment, table)}/maintenance"
        body = given(
            compact=compact,
            expire_snapshots_older_than_days=expire_snapshots_older_than_days,
            sort_by=None if sort_by is None else [*sort_by],
            bloom_filters=None if bloom_filters is None else [*bloom_filters],
        )
        return read(Maintenance, self._transport.post(where, body))

    def preview_as(
        self, environment: str, table: str, principal: str, *, limit: int | None = None
    ) -> TablePreview:
        """Read the first rows of a table as another principal sees them.

        Its query contains only rows and values that both may see. The audit log records each preview.
        """
        where = f"{table_path(environment, table)}/previews"
        body = given(principal=principal, limit=limit)
        return read(TablePreview, self._transport.post(where, body))
