"""Records of environments, namespaces and tables, of drops, holds and expiry."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from svc._records import Failure


@dataclass(frozen=True)
class Hold:
    """A legal hold: the files of the table are not deleted."""

    reason: str
    until: datetime.datetime | None
    set_by: str | None
    set_at: datetime.datetime | None


@dataclass(frozen=True)
class RetentionError:
    """Why a table was created without the requested retention, and what to do."""

    detail: str
    remedy: str


@dataclass(frozen=True)
class MaintenanceRule:
    """The automatic maintenance of tables in an environment."""

    compact: bool
    expire_snapshots_older_than_days: int | None


@dataclass(frozen=True)
class Environment:
    id: str
    name: str
    protected: bool
    description: str | None
    retention_days: int | None
    maintenance: MaintenanceRule | None
    storage_location: str | None
    storage_secret: str | None
    created_at: datetime.datetime | None
    deleted_at: datetime.datetime | None
    purge_after: datetime.datetime | None


@dataclass(frozen=True)
class StorageQuota:
    """Bytes; ``source`` is ``"environment"``, or ``"instance"`` for the default of the operator. None: no limit."""

    limit: int | None
    source: str | None
    used: int


@dataclass(frozen=True)
class QueryQuota:
    """Concurrent queries; ``waiting`` ones start as slots become free."""

    limit: int | None
    source: str | None
    used: int
    waiting: int


@dataclass(frozen=True)
class EnvironmentQuotas:
    """The quotas of an environment and their usage."""

    storage_bytes: StorageQuota
    concurrent_queries: QueryQuota


@dataclass(frozen=True)
class Namespace:
    path: str
    description: str | None
    created_at: datetime.datetime | None


@dataclass(frozen=True)
class OrphanedLocation:
    """An orphaned folder in storage."""

    location: str
    files: int
    bytes: int
    modified_at: datetime.datetime | None


@dataclass(frozen=True)
class RemovedLocations:
    """What was removed; ``more`` is true if there is more to remove."""

    locations: tuple[str, ...]
    files: int
    bytes: int
    more: bool


@dataclass(frozen=True)
class Column:
    name: str
    type: str
    nullable: bool | None = None
    description: str | None = None


@dataclass(frozen=True)
class CsvDialect:
    """What a CSV file was read as. ``quote`` is empty if values are not quoted."""

    delimiter: str
    quote: str
    header: bool
    null_text: str
    decimal_separator: str
    date_format: str | None
    timestamp_format: str | None
    encoding: str


@dataclass(frozen=True)
class InferredColumns:
    """The columns of a table for a file. ``csv``: what CSV was read as; None for other formats."""

    columns: tuple[Column, ...]
    csv: CsvDialect | None


@dataclass(frozen=True)
class Table:
    id: str
    name: str
    namespace: str
    kind: str
    description: str | None
    owner: str | None
    columns: tuple[Column, ...]
    location: str | None
    row_count: int | None
    size_bytes: int | None
    created_at: datetime.datetime | None
    updated_at: datetime.datetime | None
    expires_at: datetime.datetime | None
    expires_soon: bool | None
    hold: Hold | None = None
    format: str | None = None
    view_sql: str | None = None
    retention_error: RetentionError | None = None
    identifier_fields: tuple[str, ...] | None = None


@dataclass(frozen=True)
class LineageTable:
    """A table of a lineage.

    ``kind`` is None if no such table exists. ``repository`` is the project that builds it. ``depth`` counts the steps.
    """

    name: str
    kind: str | None
    repository: str | None
    depth: int


@dataclass(frozen=True)
class LineageColumn:
    """A column, and one that its values were computed from."""

    input: str
    output: str


@dataclass(frozen=True)
class LineageEdge:
    """A table from which another one is built.

    ``declared``: an asset of a deployed project names it. ``read``: the latest build read it, in the run ``run_id``.
    ``columns`` is None if unknown.
    """

    input: str
    output: str
    declared: bool
    read: bool
    input_snapshot_id: int | str | None
    columns: tuple[LineageColumn, ...] | None
    run_id: str | None
    project_version_id: str | None
    built_at: datetime.datetime | None


@dataclass(frozen=True)
class TableLineage:
    """What a table is built from, and what is built from it; ``truncated``: there is more than is shown."""

    table: str
    kind: str | None
    repository: str | None
    upstream: tuple[LineageTable, ...]
    downstream: tuple[LineageTable, ...]
    edges: tuple[LineageEdge, ...]
    truncated: bool


@dataclass(frozen=True)
class SearchResult:
    """An object that a search found.

    ``kind`` is ``"namespace"``, ``"table"``, ``"column"``, ``"asset"`` or ``"job"``. ``table`` is the
    table of a column, ``repository`` that of an asset or a job.
    """

    kind: str
    name: str
    description: str | None
    table: str | None
    repository: str | None


@dataclass(frozen=True)
class DroppedTable:
    """A dropped table whose files still exist."""

    name: str
    namespace: str
    uuid: str
    kind: str
    dropped_at: datetime.datetime | None
    purge_after: datetime.datetime | None
    restorable: bool
    reason: str | None = None
    held: bool | None = None


@dataclass(frozen=True)
class TablePurge:
    """The progress of deleting a dropped table's files."""

    name: str
    namespace: str
    uuid: str
    state: str
    dropped_at: datetime.datetime | None
    purge_after: datetime.datetime | None
    started_at: datetime.datetime | None
    purged_at: datetime.datetime | None
    files: int
    bytes: int
    attempts: int
    error: str | None
    held: bool | None = None


@dataclass(frozen=True)
class Retention:
    """Whether and when a table expires, and the rule that decides it; ``on`` is a date."""

    source: str | None
    days: int | None
    on: datetime.date | None
    never: bool
    set_by: str | None
    set_at: datetime.datetime | None
    last_activity_at: datetime.datetime | None
    expires_at: datetime.datetime | None
    kept: str | None
    hold: Hold | None = None


@dataclass(frozen=True)
class ExpiringTable:
    id: str
    name: str
    namespace: str
    kind: str
    owner: str | None
    expires_at: datetime.datetime | None
    expires_soon: bool
    source: str
    days: int | None
    on: datetime.date | None
    last_activity_at: datetime.datetime | None


@dataclass(frozen=True)
class RunCounts:
    """Runs that are queued or running now, and those of the last 24 hours that finished, by status."""

    queued: int
    running: int
    succeeded: int
    failed: int
    cancelled: int


@dataclass(frozen=True)
class RecentTable:
    """A table by the time at which it was last read; ``name`` includes the namespace."""

    name: str
    kind: str
    last_write_at: datetime.datetime | None
    last_read_at: datetime.datetime


@dataclass(frozen=True)
class EnvironmentSummary:
    """An environment at a glance. Parts that need a permission the caller doesn't have are left as None."""

    environment: str
    tables: int
    recent_tables: tuple[RecentTable, ...]
    expiring_tables: tuple[ExpiringTable, ...]
    dropped_tables: tuple[DroppedTable, ...]
    runs: RunCounts | None
    quotas: EnvironmentQuotas | None
    workers: int | None


@dataclass(frozen=True)
class Truncation:
    """What a truncation removed; ``previous_snapshot_id`` is the snapshot to roll back to, if there was one."""

    table: str
    deleted: int
    snapshot_id: int | str
    previous_snapshot_id: int | str | None


@dataclass(frozen=True)
class SnapshotWork:
    """Who made a snapshot, and the run with its task, the query or the load; what the caller cannot see is ``None``."""

    principal: str | None
    run_id: str | None
    asset: str | None
    query_id: str | None
    write_id: str | None


@dataclass(frozen=True)
class Snapshot:
    """A snapshot of a managed table; ``current`` is true for the active one, ``refs`` are its branches and tags.

    Ids above 2**53, which other engines assign, are strings.
    """

    snapshot_id: int | str
    parent_id: int | str | None
    committed_at: datetime.datetime | None
    operation: str
    summary: dict[str, Any]
    current: bool
    refs: tuple[str, ...]
    #: ``None`` if it is not known or visible.
    made_by: SnapshotWork | None = None


@dataclass(frozen=True)
class MaintenanceResult:
    """What a maintenance operation did to the files and snapshots of a table."""

    compacted_files: int
    new_files: int
    expired_snapshots: int
    removed_files: int
    snapshot_id: int | str | None


@dataclass(frozen=True)
class Maintenance:
    """The maintenance of a table; ``result`` is ``None`` until it has succeeded."""

    id: str
    table: str
    compact: bool
    expire_snapshots_older_than_days: int | None
    sort_by: tuple[str, ...]
    bloom_filters: tuple[str, ...]
    status: str
    result: MaintenanceResult | None
    error: Failure | None
    created_at: datetime.datetime | None
    started_at: datetime.datetime | None
    ended_at: datetime.datetime | None


@dataclass(frozen=True)
class Reader:
    principal: str
    reads: int
    last_read_at: datetime.datetime | None


@dataclass(frozen=True)
class TableHealth:
    """Last write and read, size and files; ``readers`` is ``None`` without permission to see them."""

    table: str
    days: int
    last_write_at: datetime.datetime | None
    last_read_at: datetime.datetime | None
    row_count: int | None
    size_bytes: int | None
    file_count: int | None
    small_files: int | None
    snapshots: int | None
    readers: tuple[Reader, ...] | None
