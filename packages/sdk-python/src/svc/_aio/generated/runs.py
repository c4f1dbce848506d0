# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.runs``."""

from __future__ import annotations

import builtins
import datetime
from collections.abc import AsyncIterator, Sequence

from svc._aio.resource import Resource
from svc._aio.waiting import until_ended
from svc._models import Run, RunTimeline
from svc._records import Page, read
from svc._requests import FilterValues, comma_separated, environment_path, given, moment, segment


class Runs(Resource):
    """Runs of projects."""

    async def create(
        self,
        environment: str,
        repository: str,
        *,
        select: Sequence[str] = ("*",),
        upstream: bool = False,
        downstream: bool = False,
        full_refresh: bool | None = None,
        project_version_id: str | None = None,
    ) -> Run:
        """Run selected assets of a deployed project.

        Fails with ``Conflict``, which names the active run, while the project is busy. With ``full_refresh``,
        incremental assets are built from the start and replace the rows of their tables. ``project_version_id`` is a
        version that you stored with ``dev_namespace``.
        """
        where = f"{environment_path(environment)}/runs"
        body = given(
            repository=repository,
            select=[*select],
            upstream=upstream,
            downstream=downstream,
            full_refresh=full_refresh,
            project_version_id=project_version_id,
        )
        return read(Run, await self._transport.post(where, body))

    async def list_page(
        self,
        environment: str,
        *,
        repository: str | None = None,
        status: FilterValues = None,
        trigger: FilterValues = None,
        job: str | None = None,
        since: datetime.datetime | None = None,
        until: datetime.datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Run]:
        """List runs, newest first.

        ``status`` and ``trigger`` accept one value or several. ``since`` is inclusive, ``until`` is exclusive; both
        need a time zone. Returns one page.
        """
        where = f"{environment_path(environment)}/runs"
        query = {
            "repository": repository,
            "status": comma_separated(status),
            "trigger": comma_separated(trigger),
            "job": job,
            "since": moment("since", since),
            "until": moment("until", until),
            "limit": limit,
            "cursor": cursor,
        }
        return await self._page(where, query, Run)

    async def list(
        self,
        environment: str,
        *,
        repository: str | None = None,
        status: FilterValues = None,
        trigger: FilterValues = None,
        job: str | None = None,
        since: datetime.datetime | None = None,
        until: datetime.datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> builtins.list[Run]:
        """List runs, newest first.

        ``status`` and ``trigger`` accept one value or several. ``since`` is inclusive, ``until`` is exclusive; both
        need a time zone. Returns the first page.
        """
        page = await self.list_page(
            environment,
            repository=repository,
            status=status,
            trigger=trigger,
            job=job,
            since=since,
            until=until,
            limit=limit,
            cursor=cursor,
        )
        return [*page.items]

    def iter(
        self,
        environment: str,
        *,
        repository: str | None = None,
        status: FilterValues = None,
        trigger: FilterValues = None,
        job: str | None = None,
        since: datetime.datetime | None = None,
        until: datetime.datetime | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[Run]:
        """List runs, newest first.

        ``status`` and ``trigger`` accept one value or several. ``since`` is inclusive, ``until`` is exclusive; both
        need a time zone. Iterates over all pages.
        """
        where = f"{environment_path(environment)}/runs"
        query = {
            "repository": repository,
            "status": comma_separated(status),
            "trigger": comma_separated(trigger),
            "job": job,
            "since": moment("since", since),
            "until": moment("until", until),
            "limit": limit,
        }
        return self._iterate(where, query, Run)

    async def timeline(
        self,
        environment: str,
        since: datetime.datetime,
        *,
        until: datetime.datetime | None = None,
        repository: str | None = None,
        job: str | None = None,
    ) -> RunTimeline:
        """Get the runs that were queued or running during a period, without their tasks.

        ``since`` is inclusive, ``until`` is exclusive (default: no end). Shows up to 10,000 runs, the newest.
        """
        where = f"{environment_path(environment)}/run-timeline"
        query = {"since": moment("since", since), "until": moment("until", until), "repository": repository, "job": job}
        return read(RunTimeline, await self._transport.get(where, query))

    async def get(self, environment: str, run_id: str, *, wait: int | None = None) -> Run:
        """Get a run. With ``wait`` (0 to 60 seconds), returns as soon as it has finished."""
        where = f"{environment_path(environment)}/runs/{segment(run_id)}"
        query = {"wait": wait}
        return read(Run, await self._transport.get(where, query))

    async def wait(self, environment: str, run_id: str, *, timeout: float | None = None) -> Run:
        """Wait until the run has finished, whatever its status. Raises WorkFailed after ``timeout`` seconds."""
        return await until_ended("run", lambda wait: self.get(environment, run_id, wait=wait), timeout)

    async def cancel(self, environment: str, run_id: str) -> Run:
        """Cancel a run."""
        where = f"{environment_path(environment)}/runs/{segment(run_id)}/cancel"
        return read(Run, await self._transport.post(where, None))

    async def retry(self, environment: str, run_id: str) -> Run:
        """Run the failed tasks of a run again, with the tasks that depend on them.

        It uses the active project version. Returns the new run.
        """
        where = f"{environment_path(environment)}/runs/{segment(run_id)}/retry"
        return read(Run, await self._transport.post(where, None))
