"""Records of repositories, of what is deployed, of writes and of the audit log."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from svc._records import Failure
from svc._table_models import CsvDialect


@dataclass(frozen=True)
class Repository:
    """A repository; one without ``url`` accepts only bundles."""

    id: str
    name: str
    url: str | None
    default_ref: str | None
    folder: str | None
    credential_secret: str | None
    created_at: datetime.datetime | None
    updated_at: datetime.datetime | None


@dataclass(frozen=True)
class NamedColumn:
    name: str
    type: str


@dataclass(frozen=True)
class TypeChange:
    """A column whose type a deploy would change."""

    name: str
    type: str
    previous_type: str


@dataclass(frozen=True)
class ColumnChanges:
    """How the columns of an asset's table would change."""

    added: tuple[NamedColumn, ...]
    removed: tuple[NamedColumn, ...]
    changed: tuple[TypeChange, ...]


@dataclass(frozen=True)
class AddedAsset:
    name: str
    kind: str
    columns: tuple[NamedColumn, ...] | None


@dataclass(frozen=True)
class RemovedAsset:
    name: str
    kind: str


@dataclass(frozen=True)
class ChangedAsset:
    """An asset that a deploy would change; ``changes`` names what differs, such as ``sql`` or a setting."""

    name: str
    kind: str
    changes: tuple[str, ...]
    columns: ColumnChanges | None


@dataclass(frozen=True)
class AssetChanges:
    """What a deploy changes about the assets of its project, or a dry run would change."""

    added: tuple[AddedAsset, ...]
    removed: tuple[RemovedAsset, ...]
    changed: tuple[ChangedAsset, ...]


@dataclass(frozen=True)
class SourceChange:
    """The text of an SQL asset or a Python file in two versions; ``None`` where the version does not have it."""

    file: str
    assets: tuple[str, ...]
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Deployment:
    """The deployment of a repository in an environment; ``run_as`` is the service account of its runs."""

    repository: str
    environment: str
    project_version_id: str
    commit: str | None
    dirty: bool | None
    run_as: str | None
    created_at: datetime.datetime | None
    updated_at: datetime.datetime | None


@dataclass(frozen=True)
class Asset:
    name: str
    kind: str
    language: str
    description: str | None
    depends_on: tuple[str, ...]
    tags: tuple[str, ...]


@dataclass(frozen=True)
class ProjectVersion:
    """What a deploy produced; ``package_indexes`` are the registered ones that its lock uses.

    ``network``: the hosts that its Python tasks connect to.
    """

    id: str
    environment: str
    repository: str
    commit: str | None
    dirty: bool | None
    name: str
    package_indexes: tuple[str, ...]
    network: tuple[str, ...]
    assets: tuple[Asset, ...]
    jobs: tuple[str, ...]
    created_at: datetime.datetime | None


@dataclass(frozen=True)
class ProjectVersionSummary:
    """A project version in a list; ``active`` is the deployed one of its repository."""

    id: str
    environment: str
    repository: str
    commit: str | None
    dirty: bool | None
    name: str
    package_indexes: tuple[str, ...]
    jobs: tuple[str, ...]
    created_at: datetime.datetime | None
    asset_count: int
    active: bool


@dataclass(frozen=True)
class Write:
    """A load of rows. ``rejected``: lines that it left out. ``progress``: the part of the rows that has been read.

    ``csv``: what CSV was read as.
    """

    id: str
    table: str
    mode: str
    status: str
    rows: int | None
    rejected: int | None
    progress: float | None
    csv: CsvDialect | None
    error: Failure | None
    created_at: datetime.datetime | None
    started_at: datetime.datetime | None
    ended_at: datetime.datetime | None


@dataclass(frozen=True)
class UploadPart:
    """A part of a file that has arrived; parts are numbered from 1."""

    number: int
    size: int
    sha256: str


@dataclass(frozen=True)
class Upload:
    """An unfinished upload. All parts have ``part_bytes`` bytes, except the last."""

    id: str
    format: str
    size: int
    part_bytes: int
    parts: tuple[UploadPart, ...]
    created_at: datetime.datetime | None
    expires_at: datetime.datetime | None


@dataclass(frozen=True)
class LogLine:
    """A line of a run's log; ``asset`` is None for lines of the run itself."""

    sequence: int
    time: datetime.datetime | None
    asset: str | None
    stream: str
    line: str


@dataclass(frozen=True)
class LiveEvent:
    """A message of ``client.events.stream``: ``kind`` is what changed, or ``ready`` or ``reset``."""

    kind: str
    id: str | None
    name: str | None
    repository: str | None
    event_id: str | None = None


@dataclass(frozen=True)
class EventObject:
    kind: str
    environment: str | None = None
    namespace: str | None = None
    table: str | None = None


@dataclass(frozen=True)
class AuditEvent:
    """An entry of the audit log; ``sequence`` is None until it is sealed."""

    id: str
    sequence: int | None
    time: datetime.datetime | None
    type: str
    principal: str | None
    principal_id: str | None
    object: EventObject
    request_id: str | None
    detail: dict[str, Any]


@dataclass(frozen=True)
class AuditHead:
    sequence: int
    hash: str


@dataclass(frozen=True)
class AuditSignedSince:
    """The first event that was sealed under a signature, and when."""

    sequence: int
    time: datetime.datetime | None


@dataclass(frozen=True)
class AuditSignedHead:
    """A head of the log that a key of the service signed, which isn't in the database."""

    version: int
    sequence: int
    hash: str
    signed_since: AuditSignedSince
    key_id: str
    mac: str


@dataclass(frozen=True)
class AuditFormerHead:
    """The result of verifying a previously saved head: ``signature`` is valid, invalid, unknown-key or none."""

    sequence: int
    contained: bool
    signature: str


@dataclass(frozen=True)
class AuditProblem:
    sequence: int
    detail: str


@dataclass(frozen=True)
class AuditVerification:
    """Whether the sealed log is complete and unchanged, and if not, where."""

    intact: bool
    sealed: int
    unsealed: int
    head: AuditHead | None
    problem: AuditProblem | None
    signed_head: AuditSignedHead | None = None
    former_head: AuditFormerHead | None = None
