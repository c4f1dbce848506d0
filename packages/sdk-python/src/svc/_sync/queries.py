# Written out of svc/_aio by "npm run generate". Do not edit.
"""Queries."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from svc._sync.generated.queries import Queries as GeneratedQueries
from svc._errors import SvcError, WorkFailed
from svc._interrupts import GIVE_UP_SECONDS, finish
from svc._models import Query
from svc._records import read
from svc._requests import environment_path, given, glass, segment
from svc._values import decoder

#: Values of the parameters of a query, by position or by name.
Params = Sequence[object] | Mapping[str, object] | None


class Queries(GeneratedQueries):
    """SQL queries."""

    def create(
        self,
        environment: str,
        sql: str,
        *,
        params: Params = None,
        into: str | None = None,
        mode: str | None = None,
        expire_after: int | None = None,
        cache: bool | None = None,
        break_glass: str | None = None,
        wait: int | None = None,
    ) -> Query:
        """Submits a query and returns its record; with ``wait`` (0 to 60 seconds) as soon as it has finished.

        ``params`` are the values of its parameters: a list for ``?`` and ``$1``, a dictionary for ``$name``. A value of
        a type that JSON lacks is written as ``{"type": "decimal(10,2)", "value": "1.50"}``.

        ``expire_after`` days go with ``mode='create'``. With ``cache=False`` the query runs even if its result is
        cached. Ctrl-C and the cancellation of the task cancel the query.
        """
        body = given(sql=sql, params=params, into=into, mode=mode, expire_after=expire_after, cache=cache)
        path = f"{environment_path(environment)}/queries"
        headers = {"Idempotency-Key": str(uuid.uuid4()), **(glass(break_glass) or {})}
        try:
            answer = self._transport.post(path, body, {"wait": wait}, headers=headers)
        except Exception:
            raise
        except BaseException:
            finish(self._take_back, path, body, headers)
            raise
        return read(Query, answer)

    def _take_back(self, path: str, body: object, headers: dict[str, str]) -> None:
        """Cancels what an interrupted request may have submitted, using the same idempotency key."""
        with suppress(SvcError):
            answer = self._transport.post(path, body, headers=headers, timeout=GIVE_UP_SECONDS)
            self._give_up(f"{path}/{answer['id']}")

    def _give_up(self, path: str) -> None:
        """Cancels a query that nobody waits for anymore, unless it has finished."""
        with suppress(SvcError):
            self._transport.post(f"{path}/cancel", None, timeout=GIVE_UP_SECONDS)

    def run(
        self,
        environment: str,
        sql: str,
        *,
        params: Params = None,
        into: str | None = None,
        mode: str | None = None,
        expire_after: int | None = None,
        cache: bool | None = None,
        break_glass: str | None = None,
        timeout: float | None = None,
    ) -> Query:
        """Submits a query and waits until it finishes. Raises WorkFailed if it fails or after ``timeout`` seconds.

        Ctrl-C and the cancellation of the task cancel the query.
        """
        query = self.create(
            environment,
            sql,
            params=params,
            into=into,
            mode=mode,
            expire_after=expire_after,
            cache=cache,
            break_glass=break_glass,
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

    def rows(
        self, environment: str, sql: str, *, params: Params = None, timeout: float | None = None
    ) -> Iterator[dict[str, Any]]:
        """Runs a query and yields its rows as Python values. Reads them in pages."""
        query = self.run(environment, sql, params=params, timeout=timeout)
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
