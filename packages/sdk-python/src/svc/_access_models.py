"""Records of principals, tokens, groups, grants, permissions and policies."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class OwnToken:
    """The token that a client signs in with."""

    id: str
    name: str
    kind: str
    expires_at: datetime.datetime | None
    environments: tuple[str, ...] | None = None
    actions: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Me:
    """The principal of the client's token."""

    id: str
    name: str
    type: str
    active: bool
    created_at: datetime.datetime | None
    token: OwnToken | None = None


@dataclass(frozen=True)
class Token:
    """A token without its text; ``expires_at`` is None for one that does not expire."""

    id: str
    name: str
    principal: str
    kind: str
    created_at: datetime.datetime | None
    expires_at: datetime.datetime | None
    environments: tuple[str, ...] | None = None
    actions: tuple[str, ...] | None = None
    last_used_at: datetime.datetime | None = None
    last_used_address: str | None = None
    last_used_client: str | None = None


@dataclass(frozen=True)
class IssuedToken(Token):
    """A new token with its ``token`` text, which is returned only once and never printed."""

    token: str = field(repr=False, default="")


@dataclass(frozen=True)
class WorkloadIdentity:
    """A workload that signs in as the service account ``principal`` with a token of ``issuer``."""

    id: str
    principal: str
    issuer: str
    audience: str
    subject: str
    claims: dict[str, str]
    environments: tuple[str, ...] | None
    actions: tuple[str, ...] | None
    created_at: datetime.datetime | None


@dataclass(frozen=True)
class MintedToken:
    """A token text, which is never printed, and its expiry."""

    token: str = field(repr=False)
    expires_at: datetime.datetime | None


@dataclass(frozen=True)
class Principal:
    id: str
    name: str
    type: str
    active: bool
    created_at: datetime.datetime | None


@dataclass(frozen=True)
class Group:
    id: str
    name: str
    created_at: datetime.datetime | None


@dataclass(frozen=True)
class Grant:
    """A grant of a role or a single action to a principal or a group; the other fields are ``None``."""

    id: str
    principal_id: str | None
    group_id: str | None
    role: str | None
    action: str | None
    kind: str
    principal: str | None
    group: str | None
    environment: str | None
    namespace: str | None
    table: str | None
    created_at: datetime.datetime | None
    created_by: str | None
    expires_at: datetime.datetime | None
    service_account: str | None
    last_used_at: datetime.datetime | None


@dataclass(frozen=True)
class Scope:
    kind: str
    environment: str | None
    namespace: str | None
    table: str | None
    service_account: str | None = None


@dataclass(frozen=True)
class Via:
    """A grant that allows something: ``kind`` is ``role``, ``grant`` or ``group``."""

    kind: str
    grant_id: str
    group: str | None
    role: str | None
    scope: Scope


@dataclass(frozen=True)
class Permission:
    action: str
    allowed: bool
    via: tuple[Via, ...]
    reason: str | None


@dataclass(frozen=True)
class Permissions:
    """The actions that a principal is allowed on an object; ``note`` is set for a deactivated principal."""

    principal: str
    active: bool
    scope: Scope
    permissions: tuple[Permission, ...]
    note: str | None
    at: datetime.datetime | None = None


@dataclass(frozen=True)
class Holder:
    """A principal that is allowed the action, and the grants that allow it."""

    principal: str
    type: str
    active: bool
    via: tuple[Via, ...]


@dataclass(frozen=True)
class ReachedObject:
    """An object in a principal's grants, and what they allow on it and everything inside it."""

    scope: Scope
    actions: tuple[str, ...]
    via: tuple[Via, ...]


@dataclass(frozen=True)
class Loss:
    """What a principal would lose: the actions that no other grant allows."""

    principal: str
    loses: tuple[str, ...]


@dataclass(frozen=True)
class RevocationPreview:
    """Who would lose what if a grant were revoked."""

    grant: Grant
    principals: tuple[Loss, ...]


@dataclass(frozen=True)
class RowFilter:
    """A row filter: a principal or group sees only the rows that match the predicate."""

    id: str
    table: str
    principal: str | None
    group: str | None
    predicate: str
    created_at: datetime.datetime | None
    created_by: str | None


@dataclass(frozen=True)
class ColumnMask:
    """A column mask: a principal or group sees the expression instead of the column."""

    id: str
    table: str
    principal: str | None
    group: str | None
    column: str
    expression: str
    created_at: datetime.datetime | None
    created_by: str | None


@dataclass(frozen=True)
class TablePreview:
    """A table as another principal sees it: the policies that bind it, and the query with the rows.

    Without READ_TABLE for the principal, there is a ``reason`` instead of a ``query_id``.
    """

    table: str
    principal: str
    active: bool
    readable: bool
    reason: str | None
    row_filters: tuple[RowFilter, ...]
    column_masks: tuple[ColumnMask, ...]
    query_id: str | None


@dataclass(frozen=True)
class TaskLimit:
    """``limit`` is in bytes or a number, None without one; ``enforced_by`` is cgroup, rlimit, watchdog or none."""

    limit: int | None
    enforced_by: str


@dataclass(frozen=True)
class TaskLimits:
    memory: TaskLimit
    processes: TaskLimit
    open_files: TaskLimit
    disk: TaskLimit


@dataclass(frozen=True)
class Worker:
    """A worker and what it enforces on Python tasks; ``isolation`` is bubblewrap, landlock, none
    or refused.

    ``task_network`` is restricted or unrestricted.
    """

    id: str
    host: str
    started_at: datetime.datetime | None
    seen_at: datetime.datetime | None
    isolation: str
    task_network: str
    task_limits: TaskLimits
    notes: tuple[str, ...]


@dataclass(frozen=True)
class SqlAddress:
    """Where clients of the PostgreSQL protocol connect; ``tls`` is whether connections can be encrypted."""

    host: str
    port: int
    tls: bool


@dataclass(frozen=True)
class SqlEndpointStatus:
    """The endpoint for clients of the PostgreSQL protocol; ``address`` is set while it accepts connections."""

    address: SqlAddress | None


@dataclass(frozen=True)
class GroupMapping:
    """A value of a provider's claim and the group that it stands for."""

    value: str
    group: str


@dataclass(frozen=True)
class AccessRequest:
    """A request of ``principal`` for access; ``state`` is pending, approved, rejected or withdrawn."""

    id: str
    principal: str
    role: str | None
    action: str | None
    kind: str
    environment: str | None
    namespace: str | None
    table: str | None
    service_account: str | None
    reason: str | None
    expires_at: datetime.datetime | None
    state: str
    created_at: datetime.datetime | None
    decided_at: datetime.datetime | None
    decided_by: str | None
    comment: str | None
    grant_id: str | None


@dataclass(frozen=True)
class IdentityProvider:
    """A provider that people sign in with; ``link_by`` is subject or verified-email."""

    id: str
    name: str
    issuer: str
    client_id: str
    has_client_secret: bool
    scopes: tuple[str, ...]
    link_by: str
    create_people: bool
    email_domains: tuple[str, ...]
    groups_claim: str | None
    groups: tuple[GroupMapping, ...]
    scim_account: str | None
    active: bool
    created_by: str | None
    created_at: datetime.datetime | None
    updated_at: datetime.datetime | None


@dataclass(frozen=True)
class Identity:
    """Who a person is at a provider; ``email`` is verified, as of the last sign-in."""

    provider: str
    subject: str
    email: str | None
    linked_at: datetime.datetime | None
    last_sign_in_at: datetime.datetime | None


@dataclass(frozen=True)
class SignInMethods:
    """How a principal can sign in; identities may be linked to its ``email``."""

    principal: str
    email: str | None
    password: bool
    identities: tuple[Identity, ...]


@dataclass(frozen=True)
class SecondFactor:
    """A second factor; ``kind`` is totp (an authenticator app) or security-key."""

    id: str
    name: str
    kind: str
    created_at: datetime.datetime | None
    last_used_at: datetime.datetime | None


@dataclass(frozen=True)
class SecondFactorList:
    """Your second factors; ``required`` says whether you must add one before anything else."""

    factors: tuple[SecondFactor, ...]
    recovery_codes_left: int
    required: bool


@dataclass(frozen=True)
class TotpEnrolment:
    """An authenticator app that is being added: enter ``secret`` there, or show ``uri`` as a QR code."""

    enrolment: str = field(repr=False)
    secret: str = field(repr=False)
    uri: str = field(repr=False)
    expires_at: datetime.datetime | None


@dataclass(frozen=True)
class KeyEnrolment:
    """A security key that is being added: ``options`` are for the browser."""

    enrolment: str = field(repr=False)
    options: dict[str, Any]
    expires_at: datetime.datetime | None


@dataclass(frozen=True)
class AddedSecondFactor:
    """A new second factor; the recovery codes come with the first one and are shown only once."""

    factor: SecondFactor
    recovery_codes: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True)
class RecoveryCodes:
    """New recovery codes, which are shown only once."""

    recovery_codes: tuple[str, ...] = field(repr=False)
