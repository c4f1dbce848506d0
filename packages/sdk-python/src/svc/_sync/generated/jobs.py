# Written out of svc/_aio by "npm run generate". Do not edit.
# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.jobs``."""

from __future__ import annotations

from svc._sync.resource import Resource
from svc._models import JobSchedule
from svc._records import read
from svc._requests import environment_path, segment


class Jobs(Resource):
    """Jobs. ``repository`` is only required if several repositories declare a job with the name."""

    def schedule(
        self, environment: str, job: str, *, repository: str | None = None, count: int | None = None
    ) -> JobSchedule:
        """List the next times of a job's schedule.

        Each has a note if daylight saving time moves, repeats or skips a time. While the schedule is paused, they are
        the times of a resumed one.
        """
        where = f"{environment_path(environment)}/jobs/{segment(job)}/schedule"
        query = {"repository": repository, "count": count}
        return read(JobSchedule, self._transport.get(where, query))
