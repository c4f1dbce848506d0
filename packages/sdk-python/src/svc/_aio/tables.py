"""Tables: create, load, drop, restore, expire."""

from __future__ import annotations

import builtins
import datetime
import os
from typing import Any

from svc._aio.files import pieces
from svc._aio.resource import Resource
from svc._project_models import Write
from svc._records import Page, read
from svc._requests import environment_path, given, glass, known, moment, namespace_path, table_path
from svc._table_models import (
    DroppedTable,
    ExpiringTable,
    Maintenance,
    Retention,
    Snapshot,
    Table,
    TableHealth,
    TablePurge,
)

_MEDIA_TYPES = {
    "csv": "text/csv",
    "ndjson": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
}


class Tables(Resource):
    """``table`` is ``'<namespace>.<table>'``; ``break_glass`` is the reason for a change in a protected environment."""

    async def list_page(
        self, environment: str, namespace: str, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[Table]:
        """One page of the tables that the caller can read, by name."""
        path = f"{namespace_path(environment, namespace)}/tables"
        return await self._page(path, {"limit": limit, "cursor": cursor}, lambda item: read(Table, item))

    async def list(self, environment: str, namespace: str) -> builtins.list[Table]:
        """All of them."""
        path = f"{namespace_path(environment, namespace)}/tables"
        return await self._all(path, {}, lambda item: read(Table, item))

    async def get(self, environment: str, table: str) -> Table:
        return read(Table, await self._transport.get(table_path(environment, table)))

    async def create(
        self,
        environment: str,
        table: str,
        columns: builtins.list[dict[str, Any]] | None = None,
        *,
        location: str | None = None,
        format: str | None = None,
        description: str | None = None,
        expire_after: int | None = None,
        break_glass: str | None = None,
    ) -> Table:
        """Creates a managed table. A column is ``{"name": …, "type": …}``. ``expire_after`` is in days without use.

        With ``location`` and ``format`` (csv, ndjson, parquet) it creates an external table, and columns are optional.
        """
        path, _, _ = table_path(environment, table).rpartition("/")
        name = table.rpartition(".")[2]
        kind = None if location is None else "external"
        body = given(name=name, kind=kind, columns=columns, location=location, format=format, expire_after=expire_after)
        body["description"] = description
        return read(Table, (await self._transport.post(path, body, headers=glass(break_glass))).json())

    async def update(self, environment: str, table: str, *, break_glass: str | None = None, **changes: Any) -> Table:
        """Changes only ``description``, ``column_descriptions`` (texts by column) and ``owner``."""
        known("a table", changes, "description", "column_descriptions", "owner")
        return read(
            Table, await self._transport.patch(table_path(environment, table), changes, headers=glass(break_glass))
        )

    async def load(
        self,
        environment: str,
        table: str,
        rows: bytes | os.PathLike[str],
        *,
        format: str,
        mode: str | None = None,
        watermark: str | None = None,
        break_glass: str | None = None,
    ) -> Write:
        """Uploads rows (bytes or a file) in the ``format`` csv, ndjson or parquet, and returns the queued write.

        ``mode`` is ``append`` (the default) or ``replace``; ``client.writes.wait`` waits for the end.
        """
        if format not in _MEDIA_TYPES:
            raise ValueError(f"format is {format!r}; write one of {', '.join(_MEDIA_TYPES)}")
        parameters = {"mode": mode, "watermark": watermark}
        path = f"{table_path(environment, table)}/writes"
        content = rows if isinstance(rows, bytes) else lambda: pieces(rows)
        return read(
            Write,
            await self._transport.upload(path, content, _MEDIA_TYPES[format], parameters, headers=glass(break_glass)),
        )

    async def snapshots(self, environment: str, table: str) -> builtins.list[Snapshot]:
        """The snapshots of a managed table, newest first."""
        items = await self._transport.get(f"{table_path(environment, table)}/snapshots")
        return [read(Snapshot, item) for item in items]

    async def rollback(
        self, environment: str, table: str, snapshot_id: int | str, *, break_glass: str | None = None
    ) -> Table:
        """Rolls back to an older snapshot. Newer ones stay in the history."""
        path = f"{table_path(environment, table)}/rollback"
        answer = await self._transport.post(path, {"snapshot_id": snapshot_id}, headers=glass(break_glass))
        return read(Table, answer.json())

    async def maintain(
        self,
        environment: str,
        table: str,
        *,
        compact: bool | None = None,
        expire_snapshots_older_than_days: int | None = None,
    ) -> Maintenance:
        """Removes unused files and expires old snapshots; ``compact`` merges small files and applies deletes.

        The answer is queued work: ``client.maintenance.wait`` waits for its end.
        """
        body = given(compact=compact, expire_snapshots_older_than_days=expire_snapshots_older_than_days)
        path = f"{table_path(environment, table)}/maintenance"
        return read(Maintenance, (await self._transport.post(path, body)).json())

    async def health(self, environment: str, table: str, *, days: int | None = None) -> TableHealth:
        """The health of a table. Reads are counted over the last ``days`` (default: 30)."""
        return read(TableHealth, await self._transport.get(f"{table_path(environment, table)}/health", {"days": days}))

    async def download(self, environment: str, table: str, path: str | os.PathLike[str]) -> None:
        """Writes the file of an artifact."""
        async with self._transport.stream(f"{table_path(environment, table)}/content") as response:
            with open(path, "wb") as file:
                async for piece in response.aiter_bytes():
                    file.write(piece)

    async def delete(
        self, environment: str, table: str, purge: bool = False, *, break_glass: str | None = None
    ) -> DroppedTable:
        """Drops it. ``undrop`` restores it during the undo period, unless you set ``purge``."""
        path = table_path(environment, table)
        answer = await self._transport.delete(path, {"purge": purge or None}, headers=glass(break_glass))
        return read(DroppedTable, answer)

    async def list_dropped(self, environment: str, namespace: str) -> builtins.list[DroppedTable]:
        """Dropped tables whose files still exist, newest first."""
        path = f"{namespace_path(environment, namespace)}/dropped-tables"
        return await self._all(path, {}, lambda item: read(DroppedTable, item))

    async def undrop(
        self,
        environment: str,
        table: str,
        new_name: str | None = None,
        *,
        id: str | None = None,
        break_glass: str | None = None,
    ) -> Table:
        """Restores the newest drop of that name, or the one of ``id``, with its data, history and policies."""
        body = given(new_name=new_name, id=id)
        path = f"{table_path(environment, table)}/undrop"
        return read(Table, (await self._transport.post(path, body, headers=glass(break_glass))).json())

    async def purges(self, environment: str, namespace: str) -> builtins.list[TablePurge]:
        """Purges of dropped tables: due, running or finished, latest first."""
        path = f"{namespace_path(environment, namespace)}/purges"
        return await self._all(path, {}, lambda item: read(TablePurge, item))

    async def hold(self, environment: str, table: str, reason: str, *, until: datetime.date | None = None) -> Table:
        """Places a legal hold on the table until ``release``, or until a date or a time with a zone."""
        end = moment("until", until) if isinstance(until, datetime.datetime) else until and until.isoformat()
        body = given(reason=reason, until=end)
        return read(Table, await self._transport.put(f"{table_path(environment, table)}/hold", body))

    async def release(self, environment: str, table: str) -> Table:
        return read(Table, await self._transport.delete(f"{table_path(environment, table)}/hold"))

    async def retention(self, environment: str, table: str) -> Retention:
        return read(Retention, await self._transport.get(f"{table_path(environment, table)}/retention"))

    async def set_retention(
        self,
        environment: str,
        table: str,
        *,
        days: int | None = None,
        on: datetime.date | str | None = None,
        never: bool | None = None,
    ) -> Retention:
        """Set exactly one of ``days`` (without use), ``on`` (a date in UTC) and ``never=True``."""
        if isinstance(on, datetime.datetime):
            on = on.date()
        day = on.isoformat() if isinstance(on, datetime.date) else on
        body = given(days=days, on=day, never=never or None)
        if len(body) != 1:
            raise TypeError("set_retention() takes exactly one of days, on and never")
        return read(Retention, await self._transport.put(f"{table_path(environment, table)}/retention", body))

    async def expiring(self, environment: str, within_days: int | None = None) -> builtins.list[ExpiringTable]:
        """Tables that expire within ``days`` (default: the warning window), soonest first."""
        path = f"{environment_path(environment)}/expiring-tables"
        return await self._all(path, {"within_days": within_days}, lambda item: read(ExpiringTable, item))
