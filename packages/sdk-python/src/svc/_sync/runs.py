# Written out of svc/_aio by "npm run generate". Do not edit.
"""Runs."""

from __future__ import annotations

from collections.abc import Iterator

from svc._sync.generated.runs import Runs as GeneratedRuns
from svc._sync.lines import json_lines
from svc._project_models import LogLine
from svc._records import read
from svc._requests import environment_path, segment


class Runs(GeneratedRuns):
    """Runs of projects."""

    def logs(self, environment: str, run_id: str, *, follow: bool | None = None) -> Iterator[LogLine]:
        """The lines of the log; ``follow`` streams them until the run finishes."""
        path = f"{environment_path(environment)}/runs/{segment(run_id)}/logs"
        with self._transport.stream(path, {"follow": follow}) as response:
            for line in json_lines(response):
                yield read(LogLine, line)
