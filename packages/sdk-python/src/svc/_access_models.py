"""Records of principals, groups, grants and what they allow (specification 2.3, 2.4)."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import ClassVar


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
    """Made to a principal or a group, of a role or a single action: the others are None."""

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


@dataclass(frozen=True)
class Scope:
    kind: str
    environment: str | None
    namespace: str | None
    table: str | None


@dataclass(frozen=True)
class Via:
    """A grant that allows something: ``kind`` is ``role``, ``grant`` or ``group``."""

    NESTED: ClassVar[dict[str, type]] = {"scope": Scope}

    kind: str
    grant_id: str
    group: str | None
    role: str | None
    scope: Scope


@dataclass(frozen=True)
class Permission:
    NESTED: ClassVar[dict[str, type]] = {"via": Via}

    action: str
    allowed: bool
    via: tuple[Via, ...]
    reason: str | None


@dataclass(frozen=True)
class Permissions:
    """What a principal may do on an object; ``note`` is there for a deactivated one."""

    NESTED: ClassVar[dict[str, type]] = {"scope": Scope, "permissions": Permission}

    principal: str
    active: bool
    scope: Scope
    permissions: tuple[Permission, ...]
    note: str | None


@dataclass(frozen=True)
class Holder:
    """A principal that may do what was asked, and through what."""

    NESTED: ClassVar[dict[str, type]] = {"via": Via}

    principal: str
    type: str
    active: bool
    via: tuple[Via, ...]


@dataclass(frozen=True)
class ReachedObject:
    """An object that grants of a principal name: what they give there and on all it contains."""

    NESTED: ClassVar[dict[str, type]] = {"scope": Scope, "via": Via}

    scope: Scope
    actions: tuple[str, ...]
    via: tuple[Via, ...]
