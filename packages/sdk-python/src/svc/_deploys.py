"""Deploys of projects."""

from __future__ import annotations

from collections.abc import Iterator

from svc._models import Deploy, Page, read
from svc._resource import Resource, environment_path


class Deploys(Resource):
    def list_page(
        self,
        environment: str,
        *,
        repository: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Deploy]:
        """One page, newest first."""
        parameters = {"repository": repository, "limit": limit, "cursor": cursor}
        return self._page(f"{environment_path(environment)}/deploys", parameters, lambda item: read(Deploy, item))

    def list(
        self, environment: str, *, repository: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> list[Deploy]:
        """The first page of :meth:`list_page`."""
        return list(self.list_page(environment, repository=repository, limit=limit, cursor=cursor).items)

    def iter(self, environment: str, *, repository: str | None = None, limit: int | None = None) -> Iterator[Deploy]:
        """All of them, page after page."""
        path = f"{environment_path(environment)}/deploys"
        return self._iterate(path, {"repository": repository, "limit": limit}, lambda item: read(Deploy, item))
