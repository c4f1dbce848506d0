"""Runs."""

from __future__ import annotations

from collections.abc import AsyncIterator

from svc._aio.generated.runs import Runs as GeneratedRuns
from svc._aio.lines import json_lines
from svc._project_models import LogLine
from svc._records import read
from svc._requests import environment_path, segment


class Runs(GeneratedRuns):
    """Runs of projects."""

    async def logs(self, environment: str, run_id: str, *, follow: bool | None = None) -> AsyncIterator[LogLine]:
        """The lines of the log; ``follow`` streams them until the run finishes."""
        path = f"{environment_path(environment)}/runs/{segment(run_id)}/logs"
        async with self._transport.stream(path, {"follow": follow}) as response:
            async for line in json_lines(response):
                yield read(LogLine, line)
