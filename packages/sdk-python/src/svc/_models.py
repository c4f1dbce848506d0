"""Records of the service: queries, runs, jobs, deploys, package indexes, secrets."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Any

from svc._project_models import AssetChanges, SourceChange
from svc._records import Failure, read
from svc._table_models import Column, RetentionError


@dataclass(frozen=True)
class AffectedRows:
    """Numbers of rows that a statement changed."""

    inserted: int
    updated: int
    deleted: int


@dataclass(frozen=True)
class SavedQueryParameter:
    """A parameter of a saved query; without a ``default``, a run needs a value."""

    name: str
    type: str
    default: str | None


@dataclass(frozen=True)
class SavedQuery:
    """A saved query; if it isn't ``shared``, only its owner sees it."""

    id: str
    version: int
    environment: str
    name: str
    owner: str
    shared: bool
    description: str | None
    sql_text: str
    parameters: tuple[SavedQueryParameter, ...]
    created_at: datetime.datetime | None
    updated_at: datetime.datetime | None


@dataclass(frozen=True)
class QueryTabParameter:
    """A parameter of a query tab with the text of its value; None is NULL."""

    name: str
    type: str
    value: str | None


@dataclass(frozen=True)
class QueryTabChart:
    """What the chart of a query tab draws."""

    kind: str
    x: str
    y: str


@dataclass(frozen=True)
class QueryTab:
    """A tab of the SQL page. Only its owner sees it."""

    id: str
    version: int
    title: str | None
    sql_text: str
    parameters: tuple[QueryTabParameter, ...]
    query_id: str | None
    saved_query_id: str | None
    saved_query_version: int | None
    chart: QueryTabChart | None
    created_at: datetime.datetime | None
    updated_at: datetime.datetime | None


@dataclass(frozen=True)
class Query:
    id: str
    status: str
    sql_text: Any
    submitter: str | None
    into: str | None
    columns: tuple[Column, ...] | None
    row_count: int | None
    progress: float | None
    error: Failure | None
    created_at: datetime.datetime | None
    started_at: datetime.datetime | None
    ended_at: datetime.datetime | None
    cached: bool = False
    retention_error: RetentionError | None = None
    #: The rows that INSERT, UPDATE, DELETE, MERGE or TRUNCATE changed: ``inserted``, ``updated`` and ``deleted``.
    affected: AffectedRows | None = None
    #: Whether the statement only counted the rows.
    dry_run: bool = False
    #: The values of its parameters, if it has any.
    params: Any = None


@dataclass(frozen=True)
class CheckResult:
    """The result of an asset's check: ``passed``, ``warned`` or ``failed``, and the number of rows that failed it."""

    name: str
    status: str
    rows: int


@dataclass(frozen=True)
class TaskAttempt:
    """An attempt of a task. ``lost``: its worker disappeared, and ``ended_at`` is when that was noticed."""

    number: int
    status: str
    started_at: datetime.datetime | None
    ended_at: datetime.datetime | None
    error: Failure | None


@dataclass(frozen=True)
class RunTask:
    asset: str
    status: str
    started_at: datetime.datetime | None
    ended_at: datetime.datetime | None
    rows: int | None
    error: Failure | None
    #: Empty if the asset has no checks, or the build did not reach them.
    checks: tuple[CheckResult, ...] = ()
    #: The snapshot of its table that it made, in the record of a single run.
    snapshot_id: int | str | None = None
    #: In the record of a single run, oldest first.
    attempts: tuple[TaskAttempt, ...] = ()


@dataclass(frozen=True)
class Run:
    id: str
    environment: str
    repository: str
    project_version_id: str
    principal: str | None
    requested_by: str | None
    status: str
    select: tuple[str, ...]
    upstream: bool
    downstream: bool
    #: Whether incremental assets were built from the start.
    full_refresh: bool = field(default=False, kw_only=True)
    tasks: tuple[RunTask, ...]
    error: Failure | None
    created_at: datetime.datetime | None
    started_at: datetime.datetime | None
    ended_at: datetime.datetime | None
    #: The run whose tasks it runs again.
    retry_of: str | None = field(default=None, kw_only=True)
    #: The runs that retried it, newest first, in the record of a single run.
    retried_by: tuple[str, ...] = field(default=(), kw_only=True)
    job: str | None
    trigger: str | None
    scheduled_for: datetime.datetime | None
    missed: int | None


@dataclass(frozen=True)
class RunSpan:
    """When a run was created, started and finished, without its tasks."""

    id: str
    repository: str
    status: str
    select: tuple[str, ...]
    created_at: datetime.datetime
    started_at: datetime.datetime | None
    ended_at: datetime.datetime | None
    job: str | None
    trigger: str | None
    scheduled_for: datetime.datetime | None


@dataclass(frozen=True)
class RunTimeline:
    """The runs of a period, newest first; ``truncated``: the period has more, which are older."""

    runs: tuple[RunSpan, ...]
    truncated: bool


@dataclass(frozen=True)
class JobChange:
    name: str
    changes: tuple[str, ...]


@dataclass(frozen=True)
class JobChanges:
    """What a deploy does to the jobs of its environment."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[JobChange, ...]


@dataclass(frozen=True)
class Deploy:
    id: str
    environment: str
    repository: str
    ref: str | None
    commit: str | None
    dirty: bool | None
    status: str
    dry_run: bool
    warnings: tuple[str, ...]
    jobs: JobChanges | None
    assets: AssetChanges | None
    package_indexes: tuple[str, ...]
    project_version_id: str | None
    error: Failure | None
    created_by: str | None
    created_at: datetime.datetime | None
    ended_at: datetime.datetime | None
    #: The version that was active before.
    previous_version_id: str | None = None


@dataclass(frozen=True)
class VersionChanges:
    """What differs between two project versions. ``omitted_sources`` counts those that differ without being listed."""

    project_version_id: str
    against: str | None
    assets: AssetChanges
    jobs: JobChanges
    sources: tuple[SourceChange, ...]
    omitted_sources: int


@dataclass(frozen=True)
class Trigger:
    """A way a job starts. Fields that a kind does not have are ``None``; ``Job.triggers`` omits unknown kinds."""

    kind: str
    cron: str | None = None
    timezone: str | None = None
    paused: bool | None = None
    next_run_at: datetime.datetime | None = None


@dataclass(frozen=True)
class Waiting:
    job: str
    repository: str
    trigger: str
    requested_at: datetime.datetime | None
    scheduled_for: datetime.datetime | None
    merged: int
    waits_for_run_id: str | None


@dataclass(frozen=True)
class Job:
    name: str
    environment: str
    repository: str
    select: tuple[str, ...]
    upstream: bool
    downstream: bool
    cron: str | None
    timezone: str | None
    state: str
    paused: bool
    next_run_at: datetime.datetime | None
    next_run_local: str | None
    waiting_for: Waiting | None
    waits_for_run_id: str | None
    last_run_id: str | None
    last_run_status: str | None
    last_run_trigger: str | None
    last_run_at: datetime.datetime | None
    triggers: tuple[Trigger, ...]


@dataclass(frozen=True)
class ScheduledTime:
    """A time of a schedule; ``note`` is the effect of daylight saving time on it."""

    at: datetime.datetime | None
    local: str
    note: str | None


@dataclass(frozen=True)
class JobSchedule:
    """The next times of a job's schedule. While it is ``paused``, they are the times of a resumed one."""

    cron: str
    timezone: str
    paused: bool
    times: tuple[ScheduledTime, ...]


@dataclass(frozen=True)
class PackageIndex:
    """A registered package index; ``credential_secret`` is the name of its secret, or None."""

    id: str
    name: str
    url: str
    credential_secret: str | None
    created_by: str | None
    created_at: datetime.datetime | None
    updated_at: datetime.datetime | None


@dataclass(frozen=True)
class Secret:
    """A secret without its values; ``use`` is None while it is not bound."""

    id: str
    name: str
    environment: str
    use: str | None
    index: str | None
    repository: str | None
    keys: tuple[str, ...]
    warnings: tuple[str, ...]
    created_at: datetime.datetime | None
    created_by: str | None
    rotated_at: datetime.datetime | None
    rotated_by: str | None


KNOWN_TRIGGERS = ("schedule", "on_demand")


def read_job(body: dict[str, Any]) -> Job:
    """A job; trigger kinds this version does not know are dropped, and no triggers at all is an empty tuple."""
    known = [trigger for trigger in body.get("triggers") or () if trigger.get("kind") in KNOWN_TRIGGERS]
    return read(Job, {**body, "triggers": known})
