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


def submissions(service: Service) -> list[tuple[object, ...]]:
    """What the service compares if an idempotency key is used again: everything but ``wait``."""
    return [
        (request.headers["Idempotency-Key"], request.body, {**request.query, "wait": None})
        for request in service.requests
        if request.path.endswith("/queries")
    ]


def cancels(service: Service) -> list[str]:
    return [request.path for request in service.requests if request.path.endswith("/cancel")]


CANCELLED = ["/api/v1/environments/dev/queries/q1/cancel"]


CALLS: list[Callable[[svc.Client], object]] = [
    lambda client: client.queries.run("dev", SQL),
    lambda client: client.sql(SQL),
]


@pytest.mark.parametrize("at", ["POST queries", "GET q1"])
@pytest.mark.parametrize("call", CALLS)
def test_ctrl_c_cancels_the_query_of_the_blocking_client(call: Callable[[svc.Client], object], at: str) -> None:
    """Proves SDK-6."""
    with service_that(lambda _: os.kill(os.getpid(), signal.SIGINT), at) as service:
        with svc.Client(service.url, "svc_pat_x", env="dev") as client:
            with pytest.raises(KeyboardInterrupt):
                call(client)
        assert cancels(service) == CANCELLED
        first, *others = submissions(service)
        assert others == ([first] if at == "POST queries" else [])
        # An interrupted caller doesn't wait for the query again.
        assert all("wait" not in request.query for request in service.requests[1:] if request.method == "POST")


@pytest.mark.parametrize("at", ["POST queries", "GET q1"])
@pytest.mark.parametrize("form", ["run", "rows", "sql"])
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
                    if form == "sql":
                        return await client.sql(SQL, env="dev")
                    return [row async for row in client.queries.rows("dev", SQL)]

                task = asyncio.create_task(ask())
                with pytest.raises(asyncio.CancelledError):
                    await task
            assert cancels(service) == CANCELLED
            first, *others = submissions(service)
            assert all(other == first for other in others)

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
