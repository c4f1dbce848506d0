# Written out of svc/_aio by "npm run generate". Do not edit.
"""Jobs."""

from __future__ import annotations

import builtins

from svc._sync.generated.jobs import Jobs as GeneratedJobs
from svc._answers import parsed
from svc._models import Job, Run, Waiting, read_job
from svc._records import read
from svc._requests import environment_path, segment


class Jobs(GeneratedJobs):
    """``repository`` is only required if several repositories declare a job with the name."""

    def list(self, environment: str, *, repository: str | None = None) -> builtins.list[Job]:
        """By repository and name."""
        items = self._transport.items(f"{environment_path(environment)}/jobs", {"repository": repository})
        return [read_job(item) for item in items]

    def get(self, environment: str, job: str, repository: str | None = None) -> Job:
        """Raises NotFound, which lists the jobs, or Conflict, which lists the repositories that declare the job."""
        path = f"{environment_path(environment)}/jobs/{segment(job)}"
        return read_job(self._transport.get(path, {"repository": repository}))

    def start(self, environment: str, job: str, repository: str | None = None) -> Run | Waiting:
        """Starts a job. Returns the run, or the queued start if the project is busy."""
        path = f"{environment_path(environment)}/jobs/{segment(job)}/runs"
        response = self._transport.post_response(path, {}, {"repository": repository})
        body = parsed(response)
        return read(Waiting, body["waiting"]) if response.status_code == 202 else read(Run, body)

    def pause(self, environment: str, job: str, repository: str | None = None) -> Job:
        """Pauses the schedule. Manual starts and a start that is already queued still run."""
        return self._set_pause(environment, job, "pause", repository)

    def resume(self, environment: str, job: str, repository: str | None = None) -> Job:
        """Resumes the schedule from now on. Times that passed while it was paused do not fire."""
        return self._set_pause(environment, job, "resume", repository)

    def _set_pause(self, environment: str, job: str, verb: str, repository: str | None) -> Job:
        path = f"{environment_path(environment)}/jobs/{segment(job)}/{verb}"
        return read_job(self._transport.post(path, None, {"repository": repository}))
