# Written out of svc/_aio by "npm run generate". Do not edit.
"""Queries and loads."""

from __future__ import annotations

import builtins
import os
import uuid
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from svc._sync.resource import Resource
from svc._sync.waiting import until_ended
from svc._errors import SvcError, WorkFailed
from svc._interrupts import GIVE_UP_SECONDS, finish
from svc._models import Query
from svc._project_models import Write
from svc._records import Page, read
from svc._requests import Parameters, Words, environment_path, given, glass, segment, words
from svc._table_models import Maintenance
from svc._values import decoder


class Writes(Resource):
    """Loads of rows, started by ``client.tables.load``."""

    def get(self, environment: str, write_id: str, *, wait: int | None = None) -> Write:
        """The record; with ``wait`` (0 to 60 seconds) as soon as the write has finished."""
        path = f"{environment_path(environment)}/writes/{segment(write_id)}"
        return read(Write, self._transport.get(path, {"wait": wait}))

    def wait(self, environment: str, write_id: str, *, timeout: float | None = None) -> Write:
        """Waits for the write and returns it in any final status. Raises WorkFailed after ``timeout`` seconds."""
        return until_ended("write", lambda wait: self.get(environment, write_id, wait=wait), timeout)


class Maintenances(Resource):
    """Maintenance of tables, started by ``client.tables.maintain``."""

    def get(self, environment: str, maintenance_id: str, *, wait: int | None = None) -> Maintenance:
        """The record; with ``wait`` (0 to 60 seconds) as soon as it has finished."""
        path = f"{environment_path(environment)}/maintenance/{segment(maintenance_id)}"
        return read(Maintenance, self._transport.get(path, {"wait": wait}))

    def wait(self, environment: str, maintenance_id: str, *, timeout: float | None = None) -> Maintenance:
        """Waits for it and returns the record in any final status. Raises WorkFailed after ``timeout`` seconds."""
        return until_ended("maintenance", lambda wait: self.get(environment, maintenance_id, wait=wait), timeout)


class Queries(Resource):
    def create(
        self,
        environment: str,
        sql: str,
        *,
        into: str | None = None,
        mode: str | None = None,
        expire_after: int | None = None,
        break_glass: str | None = None,
        wait: int | None = None,
    ) -> Query:
        """Submits a query and returns its record; with ``wait`` (0 to 60 seconds) as soon as it has finished.

        ``expire_after`` days go with ``mode='create'``. Ctrl-C and the cancellation of the task cancel the query.
        """
        body = given(sql=sql, into=into, mode=mode, expire_after=expire_after)
        path = f"{environment_path(environment)}/queries"
        headers = {"Idempotency-Key": str(uuid.uuid4()), **(glass(break_glass) or {})}
        try:
            answer = self._transport.post(path, body, {"wait": wait}, headers=headers)
        except Exception:
            raise
        except BaseException:
            finish(self._take_back, path, body, headers)
            raise
        return read(Query, answer.json())

    def _take_back(self, path: str, body: object, headers: dict[str, str]) -> None:
        """Cancels what an interrupted request may have submitted, using the same idempotency key."""
        with suppress(SvcError):
            answer = self._transport.post(path, body, headers=headers, timeout=GIVE_UP_SECONDS)
            self._give_up(f"{path}/{answer.json()['id']}")

    def _give_up(self, path: str) -> None:
        """Cancels a query that nobody waits for anymore, unless it has finished."""
        with suppress(SvcError):
            self._transport.post(f"{path}/cancel", None, timeout=GIVE_UP_SECONDS)

    def _filters(
        self, include_ended: bool | None, status: Words, submitter: str | None, limit: int | None
    ) -> Parameters:
        return {"include_ended": include_ended, "status": words(status), "submitter": submitter, "limit": limit}

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
        """One page: running, then queued, and with ``include_ended`` those that finished in the last 24 hours."""
        filters = self._filters(include_ended, status, submitter, limit)
        path = f"{environment_path(environment)}/queries"
        return self._page(path, {**filters, "cursor": cursor}, lambda item: read(Query, item))

    def list(
        self,
        environment: str,
        *,
        include_ended: bool | None = None,
        status: Words = None,
        submitter: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> builtins.list[Query]:
        """The first page of :meth:`list_page`."""
        page = self.list_page(
            environment, include_ended=include_ended, status=status, submitter=submitter, limit=limit, cursor=cursor
        )
        return [*page.items]

    def iter(
        self,
        environment: str,
        *,
        include_ended: bool | None = None,
        status: Words = None,
        submitter: str | None = None,
        limit: int | None = None,
    ) -> Iterator[Query]:
        """Iterates over all pages."""
        filters = self._filters(include_ended, status, submitter, limit)
        return self._iterate(f"{environment_path(environment)}/queries", filters, lambda item: read(Query, item))

    def get(self, environment: str, query_id: str, *, wait: int | None = None) -> Query:
        """The record; with ``wait`` (0 to 60 seconds) as soon as the query has finished."""
        path = f"{environment_path(environment)}/queries/{segment(query_id)}"
        return read(Query, self._transport.get(path, {"wait": wait}))

    def wait(self, environment: str, query_id: str, *, timeout: float | None = None) -> Query:
        """Waits for the query and returns it in any final status. Raises WorkFailed after ``timeout`` seconds."""
        return until_ended("query", lambda wait: self.get(environment, query_id, wait=wait), timeout)

    def cancel(self, environment: str, query_id: str) -> Query:
        path = f"{environment_path(environment)}/queries/{segment(query_id)}/cancel"
        return read(Query, (self._transport.post(path, None)).json())

    def run(
        self,
        environment: str,
        sql: str,
        *,
        into: str | None = None,
        mode: str | None = None,
        expire_after: int | None = None,
        break_glass: str | None = None,
        timeout: float | None = None,
    ) -> Query:
        """Submits a query and waits until it finishes. Raises WorkFailed if it fails or after ``timeout`` seconds.

        Ctrl-C and the cancellation of the task cancel the query.
        """
        query = self.create(
            environment, sql, into=into, mode=mode, expire_after=expire_after, break_glass=break_glass
        )
        if query.status in ("QUEUED", "RUNNING"):
            try:
                query = self.wait(environment, query.id, timeout=timeout)
            except Exception:
                raise
            except BaseException:
                finish(self._give_up, f"{environment_path(environment)}/queries/{segment(query.id)}")
                raise
        if query.status != "SUCCEEDED":
            failure = query.error
            raise WorkFailed(
                failure.detail if failure else f"the query {query.id} was {query.status.lower()}",
                code=failure.code if failure else None,
                remedy=failure.remedy if failure else None,
                record=query,
            )
        return query

    def rows(self, environment: str, sql: str, *, timeout: float | None = None) -> Iterator[dict[str, Any]]:
        """Runs a query and yields its rows as Python values. Reads them in pages."""
        query = self.run(environment, sql, timeout=timeout)
        for row in self.results(environment, query.id):
            yield row

    def results(self, environment: str, query_id: str, *, limit: int = 10_000) -> Iterator[dict[str, Any]]:
        """The rows of a succeeded query; ``limit`` is the page size."""
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

    def download(
        self, environment: str, query_id: str, path: str | os.PathLike[str], *, format: str = "parquet"
    ) -> None:
        """Writes the whole result to a file, as ``parquet`` or ``csv``."""
        where = f"{environment_path(environment)}/queries/{segment(query_id)}/results"
        with self._transport.stream(where, {"format": format}) as response:
            with open(path, "wb") as file:
                for piece in response.iter_bytes():
                    file.write(piece)
