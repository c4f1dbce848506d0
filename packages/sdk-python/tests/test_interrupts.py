"""Interrupted callers cancel their queries on the server."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable

import pytest
from service import Answer, Request, Service

import svc

RUNNING = {"id": "q1", "status": "RUNNING", "sql_text": "SELECT 1"}
SQL = "SELECT 1"


def service_that(interrupts: Callable[[Request], None], at: str) -> Service:
    """Responds as if the query never finished, and interrupts the caller before the first answer to ``at``."""
    done = threading.Event()

    def answer(request: Request) -> Answer:
        if not done.is_set() and f"{request.method} {request.path.rpartition('/')[2]}" == at:
            done.set()
            interrupts(request)
        if request.path.endswith("/cancel"):
            return Answer({**RUNNING, "status": "CANCELLED"})
        return Answer(RUNNING, 201 if request.method == "POST" else 200)

    return Service(answer)


def cancels(service: Service) -> list[str]:
    return [request.path for request in service.requests if request.path.endswith("/cancel")]


CANCELLED = ["/api/v1/environments/dev/queries/q1/cancel"]


@pytest.mark.parametrize("at", ["POST queries", "GET q1"])
def test_ctrl_c_cancels_the_query_of_the_blocking_client(at: str) -> None:
    """Proves SDK-6."""
    with service_that(lambda _: os.kill(os.getpid(), signal.SIGINT), at) as service:
        with svc.Client(service.url, "svc_pat_x") as client:
            with pytest.raises(KeyboardInterrupt):
                client.queries.run("dev", SQL)
        assert cancels(service) == CANCELLED
        submitted = [request for request in service.requests if request.path.endswith("/queries")]
        assert len({request.headers["Idempotency-Key"] for request in submitted}) == 1
        assert all(request.body == {"sql": SQL} for request in submitted)


@pytest.mark.parametrize("at", ["POST queries", "GET q1"])
@pytest.mark.parametrize("form", ["run", "rows"])
def test_a_cancelled_task_cancels_the_query_of_the_asynchronous_client(at: str, form: str) -> None:
    """Proves SDK-6."""

    async def main() -> None:
        loop = asyncio.get_running_loop()
        task: asyncio.Task[object] | None = None

        def interrupt(_: Request) -> None:
            assert task is not None
            loop.call_soon_threadsafe(task.cancel)

        with service_that(interrupt, at) as service:
            async with svc.AsyncClient(service.url, "svc_pat_x") as client:

                async def ask() -> object:
                    if form == "run":
                        return await client.queries.run("dev", SQL)
                    return [row async for row in client.queries.rows("dev", SQL)]

                task = asyncio.create_task(ask())
                with pytest.raises(asyncio.CancelledError):
                    await task
            assert cancels(service) == CANCELLED

    asyncio.run(main())


def test_a_second_cancellation_still_lets_the_first_one_be_sent() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        task: asyncio.Task[object] | None = None
        interrupted = threading.Event()
        sent = asyncio.Event()

        def answer(request: Request) -> Answer:
            assert task is not None
            if request.path.endswith("/cancel"):
                loop.call_soon_threadsafe(task.cancel)
                assert interrupted.wait(timeout=30)
                loop.call_soon_threadsafe(sent.set)
            elif request.method == "GET":
                loop.call_soon_threadsafe(task.cancel)
            return Answer(RUNNING)

        with Service(answer) as service:
            async with svc.AsyncClient(service.url, "svc_pat_x") as client:
                task = asyncio.create_task(client.queries.run("dev", SQL))
                with pytest.raises(asyncio.CancelledError):
                    await task
                interrupted.set()
                await sent.wait()

    asyncio.run(main())


def test_what_ends_by_itself_is_not_cancelled() -> None:
    with service_that(lambda _: None, "none") as service:
        with svc.Client(service.url, "svc_pat_x") as client:
            with pytest.raises(svc.WorkFailed):
                client.queries.run("dev", SQL, timeout=0)
        assert cancels(service) == []
