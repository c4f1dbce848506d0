# Written out of svc/_aio by "npm run generate". Do not edit.
"""What changes in an environment, as it happens."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from svc._sync.lines import lines
from svc._sync.transport import Transport
from svc._project_models import LiveEvent
from svc._records import read

#: The service sends something every 15 seconds. Without three of these signs of life, the connection is lost.
MAX_QUIET_SECONDS = 45


class Events:
    """What changes in an environment, as it happens."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def stream(self, environment: str, *, last_event_id: str | None = None) -> Iterator[LiveEvent]:
        """What changes, until the service ends the connection; ``last_event_id`` resumes after a message.

        Messages name what changed, and the other methods read it. Raises Unavailable if the connection breaks off, or
        nothing arrives for 45 seconds.
        """
        headers = {"Accept": "text/event-stream"}
        if last_event_id is not None:
            headers["Last-Event-ID"] = last_event_id
        known = last_event_id
        query = {"environment": environment}
        path = "/api/v1/events/stream"
        with self._transport.stream(path, query, headers, max_quiet=MAX_QUIET_SECONDS) as response:
            for line in lines(response):
                name, _, value = line.partition(": ")
                if name == "id":
                    known = value
                elif name == "data":
                    yield replace(read(LiveEvent, json.loads(value)), event_id=known)
