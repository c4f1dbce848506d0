"""The audit log."""

from __future__ import annotations

import dataclasses
import datetime
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from svc._aio.generated.audit import Audit as GeneratedAudit
from svc._aio.lines import json_lines
from svc._project_models import AuditEvent, AuditHead, AuditSignedHead, AuditVerification
from svc._records import read
from svc._requests import moment

_EVENTS = "/api/v1/audit-events"


def _head_text(head: AuditSignedHead | AuditHead | Mapping[str, Any] | None) -> str | None:
    if head is None:
        return None
    fields = dict(head) if isinstance(head, Mapping) else dataclasses.asdict(head)
    return json.dumps(fields, separators=(",", ":"), default=lambda time: time.isoformat())


class Audit(GeneratedAudit):
    """The audit log."""

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
        """All events since ``since`` (with a time zone), oldest first.

        ``on_head`` gets the signed head that follows them and covers those with a ``sequence``; None when the log has
        no valid signature.
        """
        parameters = {"since": moment("since", since), "heads": None if on_head is None else "true"}
        async with self._transport.stream(f"{_EVENTS}/export", parameters) as response:
            async for fields in json_lines(response):
                if "signed_head" not in fields:
                    yield read(AuditEvent, fields)
                elif on_head is not None:
                    head = fields["signed_head"]
                    on_head(None if head is None else read(AuditSignedHead, head))
