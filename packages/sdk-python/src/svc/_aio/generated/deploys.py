# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.deploys``."""

from __future__ import annotations

import builtins
from collections.abc import AsyncIterator

from svc._aio.resource import Resource
from svc._aio.waiting import until_ended
from svc._models import Deploy
from svc._records import Page, read
from svc._requests import environment_path, given, segment


class Deploys(Resource):
    """Deploys of projects."""

    async def create(
        self,
        environment: str,
        repository: str,
        *,
        ref: str | None = None,
        bundle_id: str | None = None,
        commit: str | None = None,
        dirty: bool | None = None,
        dry_run: bool = False,
        dev_namespace: str | None = None,
    ) -> Deploy:
        """Deploy a repository, or a bundle of a local folder.

        Returns immediately. A rejected deploy gets the status ``failed``. A dry run with ``dev_namespace`` stores a
        version that you can run: it builds its tables inside that namespace.
        """
        where = f"{environment_path(environment)}/deploys"
        body = given(
            repository=repository,
            ref=ref,
            bundle_id=bundle_id,
            commit=commit,
            dirty=dirty,
            dry_run=dry_run,
            dev_namespace=dev_namespace,
        )
        return read(Deploy, await self._transport.post(where, body))

    async def list_page(
        self, environment: str, *, repository: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> Page[Deploy]:
        """List deploys, newest first. Returns one page."""
        where = f"{environment_path(environment)}/deploys"
        query = {"repository": repository, "limit": limit, "cursor": cursor}
        return await self._page(where, query, Deploy)

    async def list(
        self, environment: str, *, repository: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> builtins.list[Deploy]:
        """List deploys, newest first. Returns the first page."""
        page = await self.list_page(environment, repository=repository, limit=limit, cursor=cursor)
        return [*page.items]

    def iter(
        self, environment: str, *, repository: str | None = None, limit: int | None = None
    ) -> AsyncIterator[Deploy]:
        """List deploys, newest first. Iterates over all pages."""
        where = f"{environment_path(environment)}/deploys"
        query = {"repository": repository, "limit": limit}
        return self._iterate(where, query, Deploy)

    async def get(self, environment: str, deploy_id: str, *, wait: int | None = None) -> Deploy:
        """Get a deploy. With ``wait`` (0 to 60 seconds), returns as soon as it has finished."""
        where = f"{environment_path(environment)}/deploys/{segment(deploy_id)}"
        query = {"wait": wait}
        return read(Deploy, await self._transport.get(where, query))

    async def wait(self, environment: str, deploy_id: str, *, timeout: float | None = None) -> Deploy:
        """Wait until the deploy has finished, whatever its status. Raises WorkFailed after ``timeout`` seconds."""
        return await until_ended("deploy", lambda wait: self.get(environment, deploy_id, wait=wait), timeout)
