# Written out of svc/_aio by "npm run generate". Do not edit.
"""Queries."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from svc._sync.generated.queries import Queries as GeneratedQueries
from svc._sync.waiting import until_ended
from svc._answers import succeeded
from svc._downloads import complete_file
from svc._errors import SvcError, WorkFailed
from svc._interrupts import GIVE_UP_SECONDS, finish
from svc._models import Query
from svc._progress import progress_bar
from svc._records import read
from svc._requests import Parameters, environment_path, given, glass, segment
from svc._values import Params, decoder, parameters


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
        dry_run: bool | None = None,
        cache: bool | None = None,
        break_glass: str | None = None,
        wait: int | None = None,
    ) -> Query:
        """Submits a query and returns its record; with ``wait`` (0 to 60 seconds) as soon as it has finished.

        ``params`` are the values of its parameters: a list for ``?`` and ``$1``, a dictionary for ``$name``. Dates,
        times, decimals, UUIDs and bytes are sent with their type. To name a type, write
        ``{"type": "decimal(10,2)", "value": "1.50"}``.

        ``expire_after`` days go with ``mode='create'``. With ``dry_run=True`` an INSERT, UPDATE, DELETE, MERGE or
        TRUNCATE only counts the rows that it would change. With ``cache=False`` the query runs even if its result is
        cached. Ctrl-C and the cancellation of the task cancel the query.
        """
        body = given(
            sql=sql,
            params=parameters(params),
            into=into,
            mode=mode,
            expire_after=expire_after,
            dry_run=dry_run,
            cache=cache,
        )
        return self._submit(environment, body, {"wait": wait}, glass(break_glass))

    def _submit(
        self, environment: str, body: dict[str, object], options: Parameters, more_headers: dict[str, str]
    ) -> Query:
        path = f"{environment_path(environment)}/queries"
        headers = {"Idempotency-Key": str(uuid.uuid4()), **more_headers}
        try:
            return read(Query, self._transport.post(path, body, options, headers=headers))
        except Exception:
            raise
        except BaseException:
            finish(self._take_back, path, body, options, headers)
            raise

    def _take_back(self, path: str, body: object, options: Parameters, headers: dict[str, str]) -> None:
        """Cancels what an interrupted request may have submitted, using the same idempotency key and parameters.

        Only ``wait`` may differ.
        """
        with suppress(SvcError):
            options = {**options, "wait": None}
            answer = self._transport.post(path, body, options, headers=headers, timeout=GIVE_UP_SECONDS)
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
        dry_run: bool | None = None,
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
            dry_run=dry_run,
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
        return succeeded("query", query)

    def run_or_cancel(
        self,
        environment: str,
        sql: str,
        *,
        params: Params,
        timeout: float | None,
        cache: bool | None,
        progress: bool | None,
    ) -> Query:
        """As ``run``, but cancels the query after ``timeout`` seconds. A short query takes one request."""
        started = time.monotonic()
        body = given(sql=sql, params=parameters(params), cache=cache)
        wait = 1 if timeout is None or timeout > 1 else 0
        query = self._submit(environment, body, {"wait": wait, "omit_result": True}, {})
        left = None if timeout is None else timeout - (time.monotonic() - started)

        def get(wait: int) -> Query:
            return self.get(environment, query.id, wait=wait)

        try:
            if query.status in ("QUEUED", "RUNNING"):
                with progress_bar("Query", 1.0, unit="", wanted=progress) as bar:
                    query = until_ended(
                        "query", get, left, on_record=lambda record: bar.advance(record.progress or 0)
                    )
        except WorkFailed as error:
            self._give_up(f"{environment_path(environment)}/queries/{segment(query.id)}")
            text = f"the query {query.id} was cancelled: it took longer than {timeout} seconds"
            raise WorkFailed(text, code="not-ended-in-time", record=error.record) from None
        except Exception:
            raise
        except BaseException:
            finish(self._give_up, f"{environment_path(environment)}/queries/{segment(query.id)}")
            raise
        return succeeded("query", query)

    def rows(
        self, environment: str, sql: str, *, params: Params = None, timeout: float | None = None
    ) -> Iterator[dict[str, Any]]:
        """Runs a query and yields its rows as Python values. Reads them in pages."""
        query = self.run(environment, sql, params=params, timeout=timeout)
        for row in self.results(environment, query.id):
            yield row

    def results(self, environment: str, query_id: str, *, limit: int = 10_000) -> Iterator[dict[str, Any]]:
        """The rows of a succeeded query; ``limit`` is the page size."""
        for row in self._results(environment, query_id, limit=limit, texts=False):
            yield row

    def _results(
        self, environment: str, query_id: str, *, limit: int, texts: bool
    ) -> Iterator[dict[str, Any]]:
        """As ``results``, and with ``texts`` also with values that Python can't represent, as texts."""
        path = f"{environment_path(environment)}/queries/{segment(query_id)}/results"
        cursor: str | None = None
        while True:
            page = self._transport.get(path, {"format": "json", "limit": limit, "cursor": cursor})
            names = [column["name"] for column in page["columns"]]
            decoders = [decoder(column["type"], column["name"], texts=texts) for column in page["columns"]]
            for row in page["rows"]:
                yield {name: decode(value) for name, decode, value in zip(names, decoders, row, strict=True)}
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def download(
        self,
        environment: str,
        query_id: str,
        path: str | os.PathLike[str],
        *,
        format: str = "parquet",
        raw: bool | None = None,
    ) -> None:
        """Writes the whole result to a file, as ``parquet``, ``csv`` or ``arrow``.

        In CSV, text that a spreadsheet would run as a formula has a ``'`` before it, unless ``raw`` is true.
        """
        with complete_file(path) as file:
            for piece in self.stream(environment, query_id, format=format, raw=raw):
                file.write(piece)

    def stream(
        self, environment: str, query_id: str, *, format: str, raw: bool | None = None
    ) -> Iterator[bytes]:
        """The whole result in pieces, as ``csv``, ``parquet`` or ``arrow`` (an IPC stream).

        In CSV, text that a spreadsheet would run as a formula has a ``'`` before it, unless ``raw`` is true.
        """
        where = f"{environment_path(environment)}/queries/{segment(query_id)}/results"
        with self._transport.stream(where, {"format": format, "raw": raw}) as response:
            for piece in response.iter_bytes():
                yield piece
