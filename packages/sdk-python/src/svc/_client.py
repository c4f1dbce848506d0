"""The client for programs: ``svc.Client()``."""

from __future__ import annotations

import datetime
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Any

import httpx

from svc._access import Access, Grants, Groups, Principals
from svc._deploys import Deploys
from svc._errors import WorkFailed
from svc._models import (
    Job,
    Me,
    Namespace,
    PackageIndex,
    Page,
    Query,
    Run,
    Secret,
    Waiting,
    read,
    read_job,
)
from svc._resource import Resource, Words, environment_path, words
from svc._tables import Environments, Tables
from svc._transport import Transport, segment
from svc._values import decoder

#: Seconds that one request waits at the server for a record to end.
WAIT_SECONDS = 30


class Client:
    """Talks to one service as one principal: ``SVC_URL`` and ``SVC_TOKEN``, or ``url`` and ``token``.

    ``timeout`` is in seconds for one request. Use it in a ``with`` block, or call ``close``.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._transport = Transport(url, token, timeout=timeout, transport=transport)
        self.environments = Environments(self._transport)
        self.namespaces = Namespaces(self._transport)
        self.tables = Tables(self._transport)
        self.queries = Queries(self._transport)
        self.runs = Runs(self._transport)
        self.jobs = Jobs(self._transport)
        self.deploys = Deploys(self._transport)
        self.grants = Grants(self._transport)
        self.principals = Principals(self._transport)
        self.groups = Groups(self._transport)
        self.access = Access(self._transport)
        self.package_indexes = PackageIndexes(self._transport)
        self.secrets = Secrets(self._transport)

    @property
    def url(self) -> str:
        return self._transport.url

    def me(self) -> Me:
        """Who the token belongs to."""
        return read(Me, self._transport.get("/api/v1/me"))

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<svc.Client {self.url}>"


class Namespaces(Resource):
    def list(self, environment: str) -> list[Namespace]:
        return list(
            self._iterate(f"{environment_path(environment)}/namespaces", {}, lambda item: read(Namespace, item))
        )

    def create(self, environment: str, path: str, *, description: str | None = None) -> Namespace:
        body = {"path": path, "description": description}
        return read(Namespace, self._transport.post(f"{environment_path(environment)}/namespaces", body).json())


class Queries(Resource):
    def create(
        self,
        environment: str,
        sql: str,
        *,
        into: str | None = None,
        mode: str | None = None,
        expire_after: int | None = None,
    ) -> Query:
        """Submits a query and returns its record at once; ``expire_after`` days go with ``mode='create'``."""
        given = {"sql": sql, "into": into, "mode": mode, "expire_after": expire_after}
        body = {key: value for key, value in given.items() if value is not None}
        return read(Query, self._transport.post(f"{environment_path(environment)}/queries", body).json())

    def list_page(
        self,
        environment: str,
        *,
        include_ended: bool | None = None,
        status: Words = None,
        submitter: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Query]:
        """One page: running, then queued ones, and with ``include_ended`` those that ended in the last 24 hours."""
        parameters = {
            "include_ended": include_ended,
            "status": words(status),
            "submitter": submitter,
            "limit": limit,
            "cursor": cursor,
        }
        return self._page(f"{environment_path(environment)}/queries", parameters, lambda item: read(Query, item))

    def list(self, environment: str, **filters: Any) -> list[Query]:
        """The first page of :meth:`list_page`."""
        return list(self.list_page(environment, **filters).items)

    def get(self, environment: str, query_id: str, *, wait: int | None = None) -> Query:
        """The record; with ``wait`` (0 to 60 seconds) as soon as the query has ended."""
        path = f"{environment_path(environment)}/queries/{segment(query_id)}"
        return read(Query, self._transport.get(path, {"wait": wait}))

    def run(
        self,
        environment: str,
        sql: str,
        *,
        into: str | None = None,
        mode: str | None = None,
        timeout: float | None = None,
    ) -> Query:
        """Submits a query and waits for its end. Raises WorkFailed when it fails or ``timeout`` seconds are over."""
        query = self.create(environment, sql, into=into, mode=mode)
        end = None if timeout is None else time.monotonic() + timeout
        while query.status in ("QUEUED", "RUNNING"):
            left = WAIT_SECONDS if end is None else end - time.monotonic()
            if left <= 0:
                raise WorkFailed(f"the query {query.id} has not ended after {timeout} seconds", code="timeout")
            query = self.get(environment, query.id, wait=int(max(1, min(WAIT_SECONDS, left))))
        if query.status != "SUCCEEDED":
            failure = query.error
            raise WorkFailed(
                failure.detail if failure else f"the query {query.id} was {query.status.lower()}",
                code=failure.code if failure else None,
                remedy=failure.remedy if failure else None,
            )
        return query

    def rows(self, environment: str, sql: str, *, timeout: float | None = None) -> Iterator[dict[str, Any]]:
        """Runs a query and gives its rows one by one, read in pages, values as Python's own."""
        yield from self.results(environment, self.run(environment, sql, timeout=timeout).id)

    def results(self, environment: str, query_id: str, *, limit: int = 10_000) -> Iterator[dict[str, Any]]:
        """The rows of a query that has succeeded; ``limit`` is the size of a page."""
        path = f"{environment_path(environment)}/queries/{segment(query_id)}/results"
        cursor: str | None = None
        while True:
            page = self._transport.get(path, {"format": "json", "limit": limit, "cursor": cursor})
            names = [column["name"] for column in page["columns"]]
            decoders = [decoder(column["type"]) for column in page["columns"]]
            for row in page["rows"]:
                yield {name: decode(value) for name, decode, value in zip(names, decoders, row, strict=True)}
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def download(self, environment: str, query_id: str, path: str, *, format: str = "parquet") -> None:
        """Writes the whole result to a file, as ``parquet`` or ``csv``."""
        where = f"{environment_path(environment)}/queries/{segment(query_id)}/results"
        with self._transport.stream(where, {"format": format}) as response, open(path, "wb") as file:
            for piece in response.iter_bytes():
                file.write(piece)


class Runs(Resource):
    def _filters(
        self,
        repository: str | None,
        status: Words,
        trigger: Words,
        job: str | None,
        since: datetime.datetime | None,
        limit: int | None,
    ) -> dict[str, Any]:
        if since is not None and since.tzinfo is None:
            raise ValueError("since needs a time zone: datetime(..., tzinfo=timezone.utc)")
        return {
            "repository": repository,
            "status": words(status),
            "trigger": words(trigger),
            "job": job,
            "since": None if since is None else since.isoformat(),
            "limit": limit,
        }

    def list_page(
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
        """One page, newest first."""
        filters = self._filters(repository, status, trigger, job, since, limit)
        path = f"{environment_path(environment)}/runs"
        return self._page(path, {**filters, "cursor": cursor}, lambda item: read(Run, item))

    def list(self, environment: str, **filters: Any) -> list[Run]:
        """The first page of :meth:`list_page`."""
        return list(self.list_page(environment, **filters).items)

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
    ) -> Iterator[Run]:
        """All of them, page after page."""
        filters = self._filters(repository, status, trigger, job, since, limit)
        return self._iterate(f"{environment_path(environment)}/runs", filters, lambda item: read(Run, item))

    def get(self, environment: str, run_id: str, *, wait: int | None = None) -> Run:
        return read(Run, self._transport.get(f"{environment_path(environment)}/runs/{segment(run_id)}", {"wait": wait}))

    def create(
        self,
        environment: str,
        repository: str,
        *,
        select: tuple[str, ...] | list[str] = ("*",),  # type: ignore[valid-type]
        upstream: bool = False,
        downstream: bool = False,
    ) -> Run:
        """Starts an ad hoc run of selected assets."""
        body = {"repository": repository, "select": [*select], "upstream": upstream, "downstream": downstream}
        return read(Run, self._transport.post(f"{environment_path(environment)}/runs", body).json())

    def retry(self, environment: str, run_id: str) -> Run:
        """Runs again what did not succeed, on the version deployed now: the new run."""
        path = f"{environment_path(environment)}/runs/{segment(run_id)}/retry"
        return read(Run, self._transport.post(path, None).json())

    def wait(self, environment: str, run_id: str) -> Run:
        """The run once it has ended, however it ended."""
        run = self.get(environment, run_id)
        while run.status in ("queued", "running"):
            run = self.get(environment, run_id, wait=WAIT_SECONDS)
        return run


class Jobs(Resource):
    def list(self, environment: str, *, repository: str | None = None) -> list[Job]:
        items = self._transport.get(f"{environment_path(environment)}/jobs", {"repository": repository})
        return [read_job(item) for item in items]

    def get(self, environment: str, job: str, repository: str | None = None) -> Job:
        path = f"{environment_path(environment)}/jobs/{segment(job)}"
        return read_job(self._transport.get(path, {"repository": repository}))

    def start(self, environment: str, job: str, repository: str | None = None) -> Run | Waiting:
        """Starts a job: the run, or, while the project is busy, the start that waits (accepted, not run)."""
        response = self._post(environment, job, "runs", repository, {})
        body = response.json()
        return read(Waiting, body["waiting"]) if response.status_code == 202 else read(Run, body)

    def pause(self, environment: str, job: str, repository: str | None = None) -> Job:
        """Stops the schedule; starts by hand and a start that waits already go on."""
        return read_job(self._post(environment, job, "pause", repository).json())

    def resume(self, environment: str, job: str, repository: str | None = None) -> Job:
        """Goes on from now; times that passed meanwhile do not fire."""
        return read_job(self._post(environment, job, "resume", repository).json())

    def _post(
        self, environment: str, job: str, verb: str, repository: str | None, body: object = None
    ) -> httpx.Response:
        path = f"{environment_path(environment)}/jobs/{segment(job)}/{verb}"
        return self._transport.post(path, body, {"repository": repository})


_INDEXES = "/api/v1/package-indexes"


class PackageIndexes(Resource):
    """The package indexes that projects may take packages from."""

    def create(self, name: str, url: str, *, credential_secret: str | None = None) -> PackageIndex:
        body = {"name": name, "url": url, "credential_secret": credential_secret}
        return read(PackageIndex, self._transport.post(_INDEXES, body).json())

    def list(self) -> list[PackageIndex]:
        """All of them, sorted by name."""
        return [read(PackageIndex, item) for item in self._transport.get(_INDEXES)]

    def get(self, name: str) -> PackageIndex:
        """Raises NotFound for an unknown name."""
        return read(PackageIndex, self._transport.get(f"{_INDEXES}/{segment(name)}"))

    def update(self, name: str, **changes: str | None) -> PackageIndex:
        """Changes ``url`` and ``credential_secret`` alone; ``credential_secret=None`` clears it."""
        for key in changes:
            if key not in ("url", "credential_secret"):
                raise TypeError(f"update() of a package index takes url and credential_secret only, not {key!r}")
        return read(PackageIndex, self._transport.patch(f"{_INDEXES}/{segment(name)}", changes))

    def delete(self, name: str) -> None:
        self._transport.delete(f"{_INDEXES}/{segment(name)}")


class Secrets(Resource):
    """Secrets of an environment; their values are never read back."""

    @staticmethod
    def _target(index: str | None, repository: str | None, environment_use: bool) -> dict[str, Any]:
        uses = {"index": index, "repository": repository, "environment": environment_use or None}
        target = {key: value for key, value in uses.items() if value is not None}
        if len(target) > 1:
            raise TypeError("a secret serves one use only: give one of index, repository and environment_use")
        return target

    def create(
        self,
        environment: str,
        name: str,
        values: dict[str, str],
        *,
        index: str | None = None,
        repository: str | None = None,
        environment_use: bool = False,
    ) -> Secret:
        """``values`` are texts by name, such as ``username`` and ``password``."""
        body = {"name": name, "values": values, **self._target(index, repository, environment_use)}
        return read(Secret, self._transport.post(f"{environment_path(environment)}/secrets", body).json())

    def list(self, environment: str) -> list[Secret]:
        """All of them, sorted by name."""
        return [read(Secret, item) for item in self._transport.get(f"{environment_path(environment)}/secrets")]

    def rotate(self, environment: str, name: str, values: dict[str, str]) -> Secret:
        """Sets the values again; all of them are replaced."""
        path = f"{environment_path(environment)}/secrets/{segment(name)}/values"
        return read(Secret, self._transport.put(path, {"values": values}))

    def bind(
        self,
        environment: str,
        name: str,
        *,
        index: str | None = None,
        repository: str | None = None,
        environment_use: bool = False,
    ) -> Secret:
        """Binds it to one use; a use that it had before ends."""
        path = f"{environment_path(environment)}/secrets/{segment(name)}/bind"
        target = self._target(index, repository, environment_use)
        return read(Secret, self._transport.post(path, target).json())

    def revoke(self, environment: str, name: str) -> None:
        """Its values are erased."""
        self._transport.delete(f"{environment_path(environment)}/secrets/{segment(name)}")
