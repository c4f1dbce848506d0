"""The audit log."""

from __future__ import annotations

import builtins
import dataclasses
import datetime
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from svc._aio.resource import Resource
from svc._project_models import AuditEvent, AuditHead, AuditSignedHead, AuditVerification
from svc._records import Page, read
from svc._requests import Parameters, moment

_EVENTS = "/api/v1/audit-events"


def _head_text(head: AuditSignedHead | AuditHead | Mapping[str, Any] | None) -> str | None:
    if head is None:
        return None
    fields = dict(head) if isinstance(head, Mapping) else dataclasses.asdict(head)
    return json.dumps(fields, separators=(",", ":"), default=lambda time: time.isoformat())


class Audit(Resource):
    """``since`` is inclusive, ``until`` exclusive; both have a time zone."""

    @staticmethod
    def _filters(
        event_type: str | None,
        principal_id: str | None,
        environment: str | None,
        since: datetime.datetime | None,
        until: datetime.datetime | None,
        limit: int | None,
    ) -> Parameters:
        return {
            "event_type": event_type,
            "principal_id": principal_id,
            "environment": environment,
            "since": moment("since", since),
            "until": moment("until", until),
            "limit": limit,
        }

    async def list_page(
        self,
        *,
        event_type: str | None = None,
        principal_id: str | None = None,
        environment: str | None = None,
        since: datetime.datetime | None = None,
        until: datetime.datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[AuditEvent]:
        """One page, newest first."""
        filters = self._filters(event_type, principal_id, environment, since, until, limit)
        return await self._page(_EVENTS, {**filters, "cursor": cursor}, lambda item: read(AuditEvent, item))

    async def list(
        self,
        *,
        event_type: str | None = None,
        principal_id: str | None = None,
        environment: str | None = None,
        since: datetime.datetime | None = None,
        until: datetime.datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> builtins.list[AuditEvent]:
        """The first page of :meth:`list_page`."""
        filters = self._filters(event_type, principal_id, environment, since, until, limit)
        page = await self._page(_EVENTS, {**filters, "cursor": cursor}, lambda item: read(AuditEvent, item))
        return [*page.items]

    def iter(
        self,
        *,
        event_type: str | None = None,
        principal_id: str | None = None,
        environment: str | None = None,
        since: datetime.datetime | None = None,
        until: datetime.datetime | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[AuditEvent]:
        """Iterates over all pages."""
        filters = self._filters(event_type, principal_id, environment, since, until, limit)
        return self._iterate(_EVENTS, filters, lambda item: read(AuditEvent, item))

    async def verify(self, *, head: AuditSignedHead | AuditHead | Mapping[str, Any] | None = None) -> AuditVerification:
        """Verifies that the sealed log is complete and unchanged, or reports where it is not.

        With ``head``, one that was saved before (also as its JSON object), the log must also contain that head.
        """
        found = await self._transport.get(f"{_EVENTS}/verification", {"head": _head_text(head)})
        return read(AuditVerification, found)

    async def export(
        self,
        *,
        since: datetime.datetime | None = None,
        on_head: Callable[[AuditSignedHead | None], None] | None = None,
    ) -> AsyncIterator[AuditEvent]:
        """All events since ``since``, oldest first.

        ``on_head`` gets the signed head that follows them and covers those with a ``sequence``; None when the log has
        no valid signature.
        """
        parameters = {"since": moment("since", since), "heads": None if on_head is None else "true"}
        async with self._transport.stream(f"{_EVENTS}/export", parameters) as response:
            async for line in response.aiter_lines():
                if not line:
                    continue
                fields = json.loads(line)
                if "signed_head" not in fields:
                    yield read(AuditEvent, fields)
                elif on_head is not None:
                    head = fields["signed_head"]
                    on_head(None if head is None else read(AuditSignedHead, head))
