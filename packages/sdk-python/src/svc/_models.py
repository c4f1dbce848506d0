"""Records of the service. Fields that a newer server adds are ignored; ones it lacks are None."""

from __future__ import annotations

import dataclasses
import datetime
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from svc._table_models import Hold, RetentionError
from svc._values import _timestamp

T = TypeVar("T")

_TIMES = {
    *("created_at", "updated_at", "started_at", "ended_at", "deleted_at", "purge_after", "expires_at", "rotated_at"),
    *("dropped_at", "set_at", "last_activity_at", "until", "purged_at"),
    *("next_run_at", "last_run_at", "scheduled_for", "requested_at", "committed_at"),
}


def read(model: type[T], body: dict[str, Any]) -> T:
    """A record from its JSON form."""
    values: dict[str, Any] = {}
    for field in dataclasses.fields(model):  # type: ignore[arg-type]
        value = body.get(field.name)
        nested = getattr(model, "NESTED", {}).get(field.name)
        if nested is not None and value is not None:
            value = tuple(read(nested, item) for item in value) if isinstance(value, list) else read(nested, value)
        elif field.name in _TIMES and isinstance(value, str):
            value = _timestamp(value)
        elif field.name == "on" and isinstance(value, str):
            value = datetime.date.fromisoformat(value)
        elif isinstance(value, list):
            value = tuple(value)
        values[field.name] = value
    return model(**values)


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list; ``next_cursor`` is None on the last."""

    items: tuple[T, ...]
    next_cursor: str | None


@dataclass(frozen=True)
class Failure:
    code: str
    detail: str
    remedy: str | None


@dataclass(frozen=True)
class Me:
    id: str
    name: str
    type: str
    active: bool
    created_at: datetime.datetime | None


@dataclass(frozen=True)
class Environment:
    id: str
    name: str
    protected: bool
    description: str | None
    retention_days: int | None
    created_at: datetime.datetime | None
    deleted_at: datetime.datetime | None
    purge_after: datetime.datetime | None


@dataclass(frozen=True)
class Namespace:
    path: str
    description: str | None
    created_at: datetime.datetime | None


@dataclass(frozen=True)
class Column:
    name: str
    type: str
    nullable: bool | None = None
    description: str | None = None


@dataclass(frozen=True)
class Table:
    NESTED: ClassVar[dict[str, type]] = {"columns": Column, "hold": Hold, "retention_error": RetentionError}

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
    retention_error: RetentionError | None = None


@dataclass(frozen=True)
class Query:
    NESTED: ClassVar[dict[str, type]] = {"columns": Column, "error": Failure, "retention_error": RetentionError}

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
    retention_error: RetentionError | None = None


@dataclass(frozen=True)
class RunTask:
    NESTED: ClassVar[dict[str, type]] = {"error": Failure}

    asset: str
    status: str
    started_at: datetime.datetime | None
    ended_at: datetime.datetime | None
    rows: int | None
    error: Failure | None


@dataclass(frozen=True)
class Run:
    NESTED: ClassVar[dict[str, type]] = {"tasks": RunTask, "error": Failure}

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
    tasks: tuple[RunTask, ...]
    error: Failure | None
    created_at: datetime.datetime | None
    started_at: datetime.datetime | None
    ended_at: datetime.datetime | None
    job: str | None
    trigger: str | None
    scheduled_for: datetime.datetime | None
    missed: int | None


@dataclass(frozen=True)
class JobChange:
    name: str
    changes: tuple[str, ...]


@dataclass(frozen=True)
class JobChanges:
    """What a deploy does to the jobs of its environment."""

    NESTED: ClassVar[dict[str, type]] = {"changed": JobChange}

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[JobChange, ...]


@dataclass(frozen=True)
class Deploy:
    NESTED: ClassVar[dict[str, type]] = {"jobs": JobChanges, "error": Failure}

    id: str
    environment: str
    repository: str
    ref: str | None
    commit: str | None
    status: str
    dry_run: bool
    warnings: tuple[str, ...]
    jobs: JobChanges | None
    package_indexes: tuple[str, ...]
    project_version_id: str | None
    error: Failure | None
    created_by: str | None
    created_at: datetime.datetime | None
    ended_at: datetime.datetime | None


@dataclass(frozen=True)
class Trigger:
    """A way a job starts. Fields that a kind lacks are None; kinds unknown here are left out of ``Job.triggers``."""

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
    NESTED: ClassVar[dict[str, type]] = {"triggers": Trigger, "waiting_for": Waiting}

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
class PackageIndex:
    """A registered package index; ``credential_secret`` is the name of a secret, None for an index needing none."""

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
