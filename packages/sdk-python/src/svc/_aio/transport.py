"""The HTTP layer of the client: authentication, retries, and exceptions for error responses."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx

from svc._answers import mended_later, not_the_service, parsed, pause_before, refusal, require_service
from svc._connections import AsyncConnections
from svc._errors import NotSignedIn, Unavailable
from svc._requests import Parameters, connection, present, require_encryption, trace
from svc._workload import WorkloadAuth, has_workload_identity

#: Retries after the first attempt.
RETRIES = 2
#: A request body that isn't JSON: bytes, or a function that opens them again for each attempt.
Content = bytes | Callable[[], AsyncIterator[bytes]]


class AsyncTransport:
    """Sends requests to one service as one principal. The token is never printed."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        timeout: float,
        allow_insecure: bool = False,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.url = url
        is_workload = not token and has_workload_identity()
        if not token and not is_workload:
            raise NotSignedIn("no token: set SVC_TOKEN, pass token= or run svc login", status=401, code="not-signed-in")
        signed = {"Authorization": f"Bearer {token}"} if token else {}
        self._sleep = sleep
        # A transport of the caller decides itself how it encrypts.
        self._is_allowed = allow_insecure or transport is not None
        self._timeout = timeout

        def connect() -> httpx.AsyncClient:
            # Redirects are not followed, so that the token never reaches another address.
            return httpx.AsyncClient(
                base_url=self.url,
                headers={**signed, "User-Agent": "svc-python", **trace()},
                auth=WorkloadAuth(url) if is_workload else None,
                timeout=timeout,
                follow_redirects=False,
                transport=transport,
                **connection(url),
            )

        self._connections = AsyncConnections(connect, is_shared=transport is not None)

    @property
    def _http(self) -> httpx.AsyncClient:
        return self._connections.http

    def __repr__(self) -> str:
        return f"<svc transport to {self.url}>"

    async def aclose(self) -> None:
        await self._connections.aclose()

    async def get(self, path: str, parameters: Parameters | None = None) -> Any:
        return parsed(await self._send("GET", path, parameters))

    async def page(self, path: str, parameters: Parameters | None = None) -> tuple[list[Any], str | None]:
        """One page of a list and the cursor of the next."""
        response = await self._send("GET", path, parameters)
        items = parsed(response)
        if not isinstance(items, list):
            raise not_the_service(response, "isn't a list")
        return items, response.headers.get("X-Next-Cursor")

    async def items(self, path: str, parameters: Parameters | None = None) -> list[Any]:
        """A list without pages."""
        items, _ = await self.page(path, parameters)
        return items

    async def post(
        self,
        path: str,
        body: object,
        parameters: Parameters | None = None,
        *,
        headers: dict[str, str] | None = None,
        timeout: float | None = None,
    ) -> Any:
        return parsed(await self.post_response(path, body, parameters, headers=headers, timeout=timeout))

    async def post_response(
        self,
        path: str,
        body: object,
        parameters: Parameters | None = None,
        *,
        headers: dict[str, str] | None = None,
        timeout: float | None = None,
    ) -> httpx.Response:
        """The response of a POST, for routes with several success statuses."""
        # With the key, a retry returns the result of the first attempt.
        given = {"Idempotency-Key": str(uuid.uuid4()), **(headers or {})}
        limit: dict[str, Any] = {} if timeout is None else {"timeout": timeout}
        return await self._send("POST", path, parameters, json=body, headers=given, **limit)

    async def post_once(self, path: str, body: object) -> Any:
        """A POST to a route that returns a secret only once: it has no idempotency key and is not retried."""
        return parsed(await self._send("POST", path, None, retries=0, json=body))

    async def upload(
        self,
        path: str,
        content: Content,
        content_type: str,
        parameters: Parameters | None = None,
        *,
        headers: dict[str, str] | None = None,
    ) -> Any:
        """A POST without a time limit. A retry sends the whole body again."""
        given = {"Idempotency-Key": str(uuid.uuid4()), "Content-Type": content_type, **(headers or {})}
        response = await self._send("POST", path, parameters, content=content, headers=given, timeout=None)
        return parsed(response)

    async def put_part(self, path: str, content: Content, *, headers: dict[str, str]) -> Any:
        """A PUT of a part of a file, without a time limit. A part that is sent twice replaces itself."""
        given = {"Content-Type": "application/octet-stream", **headers}
        return parsed(await self._send("PUT", path, None, content=content, headers=given, timeout=None))

    # Changes without a key are sent once, because a retry could conflict with the first attempt.
    async def put(self, path: str, body: object | None) -> Any:
        sent: dict[str, Any] = {} if body is None else {"json": body}
        response = await self._send("PUT", path, None, retries=0, **sent)
        return parsed(response) if response.content else None

    async def patch(self, path: str, body: object, *, headers: dict[str, str] | None = None) -> Any:
        return parsed(await self._send("PATCH", path, None, retries=0, json=body, headers=headers or {}))

    async def delete(
        self, path: str, parameters: Parameters | None = None, *, headers: dict[str, str] | None = None
    ) -> Any:
        response = await self._send("DELETE", path, parameters, retries=0, headers=headers or {})
        return parsed(response) if response.content else None

    @asynccontextmanager
    async def stream(
        self,
        path: str,
        parameters: Parameters | None = None,
        headers: dict[str, str] | None = None,
        *,
        max_quiet: float | None = None,
    ) -> AsyncIterator[httpx.Response]:
        """A GET with a streamed body. A chunk may take ``max_quiet`` seconds, or as long as the work behind it."""
        self._require_encryption()
        limit = httpx.Timeout(self._timeout, read=max_quiet)
        try:
            async with self._http.stream(
                "GET", path, params=present(parameters), headers=headers, timeout=limit
            ) as response:
                if response.status_code >= 300:
                    await response.aread()
                    raise refusal(response)
                require_service(response)
                yield response
        except httpx.ReadTimeout:
            raise Unavailable(f"{self.url} has sent nothing for {max_quiet} s: the connection is lost") from None
        except httpx.TransportError as error:
            raise self._unreachable(error) from None

    def _require_encryption(self) -> None:
        if not self._is_allowed:
            require_encryption(self.url)

    def _unreachable(self, error: httpx.TransportError) -> Unavailable:
        return Unavailable(f"{self.url} could not be reached: {error}; is the service up?")

    async def _send(
        self,
        method: str,
        path: str,
        parameters: Parameters | None,
        *,
        retries: int = RETRIES,
        content: Content | None = None,
        **rest: Any,
    ) -> httpx.Response:
        self._require_encryption()
        for attempt in range(retries + 1):
            if content is not None:
                rest["content"] = content() if callable(content) else content
            try:
                response = await self._http.request(method, path, params=present(parameters), **rest)
            except httpx.TransportError as error:
                if attempt == retries:
                    raise self._unreachable(error) from None
                await self._sleep(pause_before(attempt, None))
                continue
            if response.status_code < 300:
                return response
            failure = refusal(response)
            if attempt == retries or not mended_later(failure):
                raise failure
            await self._sleep(pause_before(attempt, failure.retry_after))
        raise AssertionError("unreachable")
