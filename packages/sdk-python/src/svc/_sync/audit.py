# Written out of svc/_aio by "npm run surfaces". Do not edit.
"""The audit log (specification 6)."""

from __future__ import annotations

import builtins
import datetime
import json
from collections.abc import Iterator

from svc._sync.resource import Resource
from svc._project_models import AuditEvent, AuditVerification
from svc._records import Page, read
from svc._requests import Parameters, moment

_EVENTS = "/api/v1/audit-events"


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

    def list_page(
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
        return self._page(_EVENTS, {**filters, "cursor": cursor}, lambda item: read(AuditEvent, item))

    def list(
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
        page = self._page(_EVENTS, {**filters, "cursor": cursor}, lambda item: read(AuditEvent, item))
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
    ) -> Iterator[AuditEvent]:
        """All of them, page after page."""
        filters = self._filters(event_type, principal_id, environment, since, until, limit)
        return self._iterate(_EVENTS, filters, lambda item: read(AuditEvent, item))

    def verify(self) -> AuditVerification:
        """Proves that the sealed log is whole and unchanged, or says where it is not."""
        return read(AuditVerification, self._transport.get(f"{_EVENTS}/verification"))

    def export(self, *, since: datetime.datetime | None = None) -> Iterator[AuditEvent]:
        """All events from ``since`` on, oldest first."""
        with self._transport.stream(f"{_EVENTS}/export", {"since": moment("since", since)}) as response:
            for line in response.iter_lines():
                if line:
                    yield read(AuditEvent, json.loads(line))
