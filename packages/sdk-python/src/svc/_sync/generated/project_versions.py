# Written out of svc/_aio by "npm run generate". Do not edit.
# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.project_versions``."""

from __future__ import annotations

import builtins
from collections.abc import Iterator

from svc._sync.resource import Resource
from svc._models import VersionChanges
from svc._project_models import ProjectVersion, ProjectVersionSummary
from svc._records import Page, read
from svc._requests import environment_path, segment


class ProjectVersions(Resource):
    """Project versions, which deploys create."""

    def list_page(
        self, environment: str, *, repository: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> Page[ProjectVersionSummary]:
        """List project versions, newest first. ``active`` is the deployed one of its repository. Returns one page."""
        where = f"{environment_path(environment)}/project-versions"
        query = {"repository": repository, "limit": limit, "cursor": cursor}
        return self._page(where, query, ProjectVersionSummary)

    def list(
        self, environment: str, *, repository: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> builtins.list[ProjectVersionSummary]:
        """List project versions, newest first.

        ``active`` is the deployed one of its repository. Returns the first page.
        """
        page = self.list_page(environment, repository=repository, limit=limit, cursor=cursor)
        return [*page.items]

    def iter(
        self, environment: str, *, repository: str | None = None, limit: int | None = None
    ) -> Iterator[ProjectVersionSummary]:
        """List project versions, newest first.

        ``active`` is the deployed one of its repository. Iterates over all pages.
        """
        where = f"{environment_path(environment)}/project-versions"
        query = {"repository": repository, "limit": limit}
        return self._iterate(where, query, ProjectVersionSummary)

    def get(self, environment: str, version_id: str) -> ProjectVersion:
        """Get a project version."""
        where = f"{environment_path(environment)}/project-versions/{segment(version_id)}"
        return read(ProjectVersion, self._transport.get(where))

    def compare(self, environment: str, version_id: str, *, against: str | None = None) -> VersionChanges:
        """Compare a project version with another one: assets, jobs, SQL and Python code.

        ``against`` is the version to compare with (default: the one before). ``sources`` has the texts that you can
        read: with DEPLOY all, otherwise those of tables that you can read.
        """
        where = f"{environment_path(environment)}/project-versions/{segment(version_id)}/changes"
        query = {"against": against}
        return read(VersionChanges, self._transport.get(where, query))
