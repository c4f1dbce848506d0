"""Records of dropped, held and expiring tables."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Hold:
    """Keeps the files of a table from being deleted."""

    reason: str
    until: datetime.datetime | None
    set_by: str | None
    set_at: datetime.datetime | None


@dataclass(frozen=True)
class RetentionError:
    """Why a table stands without the retention asked for, and what to do."""

    detail: str
    remedy: str


@dataclass(frozen=True)
class DroppedTable:
    """A dropped table whose files are there still."""

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
    """How far the deletion of a dropped table's files has come."""

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
    """Whether and when a table expires, and by which rule; ``on`` is a date."""

    NESTED: ClassVar[dict[str, type]] = {"hold": Hold}

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
