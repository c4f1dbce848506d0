"""Runs and jobs."""

from __future__ import annotations

import builtins
import datetime
import json
from collections.abc import AsyncIterator, Sequence

import httpx

from svc._aio.resource import Resource
from svc._aio.waiting import until_ended
from svc._models import Job, Run, Waiting, read_job
from svc._project_models import LogLine
from svc._records import Page, read
from svc._requests import Parameters, Words, environment_path, moment, segment, words


class Runs(Resource):
    def _filters(
        self,
        repository: str | None,
        status: Words,
        trigger: Words,
        job: str | None,
        since: datetime.datetime | None,
        limit: int | None,
    ) -> Parameters:
        return {
            "repository": repository,
            "status": words(status),
            "trigger": words(trigger),
            "job": job,
            "since": moment("since", since),
            "limit": limit,
        }

    async def list_page(
        self,
        environment: str,
        *,
        repository: str | None = None,
        status: Words = None,
        trigger: Words = None,
        job: str | None = None,
        since: datetime.datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Run]:
        """One page, newest first. ``status`` and ``trigger`` accept one value or several; ``since`` has a time zone."""
        filters = self._filters(repository, status, trigger, job, since, limit)
        path = f"{environment_path(environment)}/runs"
        return await self._page(path, {**filters, "cursor": cursor}, lambda item: read(Run, item))

    async def list(
        self,
        environment: str,
        *,
        repository: str | None = None,
        status: Words = None,
        trigger: Words = None,
        job: str | None = None,
        since: datetime.datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> builtins.list[Run]:
        """The first page of :meth:`list_page`."""
        filters = self._filters(repository, status, trigger, job, since, limit)
        path = f"{environment_path(environment)}/runs"
        page = await self._page(path, {**filters, "cursor": cursor}, lambda item: read(Run, item))
        return [*page.items]

    def iter(
        self,
        environment: str,
        *,
        repository: str | None = None,
        status: Words = None,
        trigger: Words = None,
        job: str | None = None,
        since: datetime.datetime | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[Run]:
        """Iterates over all pages."""
        filters = self._filters(repository, status, trigger, job, since, limit)
        return self._iterate(f"{environment_path(environment)}/runs", filters, lambda item: read(Run, item))

    async def get(self, environment: str, run_id: str, *, wait: int | None = None) -> Run:
        """The record; with ``wait`` (0 to 60 seconds) as soon as the run has finished."""
        path = f"{environment_path(environment)}/runs/{segment(run_id)}"
        return read(Run, await self._transport.get(path, {"wait": wait}))

    async def create(
        self,
        environment: str,
        repository: str,
        *,
        select: Sequence[str] = ("*",),
        upstream: bool = False,
        downstream: bool = False,
    ) -> Run:
        """Starts an ad hoc run of selected assets. Raises Conflict naming the active run of a busy project."""
        body = {"repository": repository, "select": [*select], "upstream": upstream, "downstream": downstream}
        return read(Run, (await self._transport.post(f"{environment_path(environment)}/runs", body)).json())

    async def cancel(self, environment: str, run_id: str) -> Run:
        path = f"{environment_path(environment)}/runs/{segment(run_id)}/cancel"
        return read(Run, (await self._transport.post(path, None)).json())

    async def retry(self, environment: str, run_id: str) -> Run:
        """Runs the unsuccessful tasks again on the active version and returns the new run."""
        path = f"{environment_path(environment)}/runs/{segment(run_id)}/retry"
        return read(Run, (await self._transport.post(path, None)).json())

    async def wait(self, environment: str, run_id: str, *, timeout: float | None = None) -> Run:
        """Waits for the run and returns it in any final status. Raises WorkFailed after ``timeout`` seconds."""
        return await until_ended("run", lambda wait: self.get(environment, run_id, wait=wait), timeout)

    async def logs(self, environment: str, run_id: str, *, follow: bool | None = None) -> AsyncIterator[LogLine]:
        """The lines of the log; ``follow`` streams them until the run finishes."""
        path = f"{environment_path(environment)}/runs/{segment(run_id)}/logs"
        async with self._transport.stream(path, {"follow": follow}) as response:
            async for line in response.aiter_lines():
                if line:
                    yield read(LogLine, json.loads(line))


class Jobs(Resource):
    """``repository`` is only required if several repositories declare a job with the name."""

    async def list(self, environment: str, *, repository: str | None = None) -> builtins.list[Job]:
        """By repository and name."""
        items = await self._transport.get(f"{environment_path(environment)}/jobs", {"repository": repository})
        return [read_job(item) for item in items]

    async def get(self, environment: str, job: str, repository: str | None = None) -> Job:
        """Raises NotFound, which lists the jobs, or Conflict, which lists the repositories that declare the job."""
        path = f"{environment_path(environment)}/jobs/{segment(job)}"
        return read_job(await self._transport.get(path, {"repository": repository}))

    async def start(self, environment: str, job: str, repository: str | None = None) -> Run | Waiting:
        """Starts a job. Returns the run, or the queued start if the project is busy."""
        response = await self._post(environment, job, "runs", repository, {})
        body = response.json()
        return read(Waiting, body["waiting"]) if response.status_code == 202 else read(Run, body)

    async def pause(self, environment: str, job: str, repository: str | None = None) -> Job:
        """Pauses the schedule. Manual starts and a start that is already queued still run."""
        return read_job((await self._post(environment, job, "pause", repository)).json())

    async def resume(self, environment: str, job: str, repository: str | None = None) -> Job:
        """Resumes the schedule from now on. Times that passed while it was paused do not fire."""
        return read_job((await self._post(environment, job, "resume", repository)).json())

    async def _post(
        self, environment: str, job: str, verb: str, repository: str | None, body: object = None
    ) -> httpx.Response:
        path = f"{environment_path(environment)}/jobs/{segment(job)}/{verb}"
        return await self._transport.post(path, body, {"repository": repository})
