# Written out of svc/_aio by "npm run generate". Do not edit.
"""Repositories, deploys and deployments."""

from __future__ import annotations

import builtins
import os
from collections.abc import Iterator

from svc._sync.files import pieces
from svc._sync.resource import Resource
from svc._sync.waiting import until_ended
from svc._models import Deploy
from svc._project_models import Deployment, ProjectVersion, Repository
from svc._records import Page, read
from svc._requests import environment_path, given, known, segment

_REPOSITORIES = "/api/v1/repositories"


class Repositories(Resource):
    """The repositories that projects are deployed from."""

    def create(
        self,
        name: str,
        url: str | None = None,
        *,
        default_ref: str | None = None,
        folder: str | None = None,
        credential_secret: str | None = None,
    ) -> Repository:
        """A repository without a ``url`` accepts only bundles of local folders."""
        body = given(name=name, url=url, default_ref=default_ref, folder=folder, credential_secret=credential_secret)
        return read(Repository, (self._transport.post(_REPOSITORIES, body)).json())

    def list(self) -> builtins.list[Repository]:
        return [read(Repository, item) for item in self._transport.get(_REPOSITORIES)]

    def get(self, name: str) -> Repository:
        """Raises NotFound for an unknown name."""
        return read(Repository, self._transport.get(f"{_REPOSITORIES}/{segment(name)}"))

    def update(self, name: str, **changes: str | None) -> Repository:
        """Changes only ``url``, ``default_ref``, ``folder`` and ``credential_secret``; None clears a field."""
        known("a repository", changes, "url", "default_ref", "folder", "credential_secret")
        return read(Repository, self._transport.patch(f"{_REPOSITORIES}/{segment(name)}", changes))

    def delete(self, name: str) -> None:
        """Raises Conflict while it is deployed anywhere."""
        self._transport.delete(f"{_REPOSITORIES}/{segment(name)}")


class Deploys(Resource):
    def upload_bundle(self, environment: str, bundle: bytes | os.PathLike[str]) -> str:
        """Uploads a local folder as a tar.gz archive (bytes or a file) and returns the id for ``create``."""
        content = bundle if isinstance(bundle, bytes) else lambda: pieces(bundle)
        path = f"{environment_path(environment)}/bundles"
        answer = self._transport.upload(path, content, "application/gzip")
        return str(answer["bundle_id"])

    def create(
        self,
        environment: str,
        repository: str,
        *,
        ref: str | None = None,
        bundle_id: str | None = None,
        dry_run: bool = False,
    ) -> Deploy:
        """Starts a deploy and returns immediately. A rejected deploy has the status ``failed``."""
        body = given(repository=repository, ref=ref, bundle_id=bundle_id, dry_run=dry_run or None)
        return read(Deploy, (self._transport.post(f"{environment_path(environment)}/deploys", body)).json())

    def get(self, environment: str, deploy_id: str, *, wait: int | None = None) -> Deploy:
        """The record; with ``wait`` (0 to 60 seconds) as soon as the deploy has finished."""
        path = f"{environment_path(environment)}/deploys/{segment(deploy_id)}"
        return read(Deploy, self._transport.get(path, {"wait": wait}))

    def wait(self, environment: str, deploy_id: str, *, timeout: float | None = None) -> Deploy:
        """Waits for the deploy and returns it in any final status. Raises WorkFailed after ``timeout`` seconds."""
        return until_ended("deploy", lambda wait: self.get(environment, deploy_id, wait=wait), timeout)

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
        path = f"{environment_path(environment)}/deploys"
        return self._page(path, parameters, lambda item: read(Deploy, item))

    def list(
        self, environment: str, *, repository: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> builtins.list[Deploy]:
        """The first page of :meth:`list_page`."""
        page = self.list_page(environment, repository=repository, limit=limit, cursor=cursor)
        return [*page.items]

    def iter(
        self, environment: str, *, repository: str | None = None, limit: int | None = None
    ) -> Iterator[Deploy]:
        """Iterates over all pages."""
        path = f"{environment_path(environment)}/deploys"
        return self._iterate(path, {"repository": repository, "limit": limit}, lambda item: read(Deploy, item))


class Deployments(Resource):
    """The deployments of an environment, by repository."""

    @staticmethod
    def _path(environment: str, repository: str) -> str:
        return f"{environment_path(environment)}/deployments/{segment(repository)}"

    def list(self, environment: str) -> builtins.list[Deployment]:
        items = self._transport.get(f"{environment_path(environment)}/deployments")
        return [read(Deployment, item) for item in items]

    def set_run_as(self, environment: str, repository: str, principal: str | None) -> Deployment:
        """Sets the service account that scheduled runs act as; None removes it."""
        path = f"{self._path(environment, repository)}/run-as"
        return read(Deployment, self._transport.put(path, {"principal": principal}))

    def rollback(self, environment: str, repository: str, *, project_version_id: str | None = None) -> Deployment:
        """Rolls back to an earlier project version (default: the previous one)."""
        path = f"{self._path(environment, repository)}/rollback"
        body = given(project_version_id=project_version_id)
        return read(Deployment, (self._transport.post(path, body)).json())

    def undeploy(self, environment: str, repository: str) -> None:
        """Undeploys a repository. Its jobs are removed, its tables stay."""
        self._transport.delete(self._path(environment, repository))


class ProjectVersions(Resource):
    """Project versions, the results of deploys."""

    def get(self, environment: str, version_id: str) -> ProjectVersion:
        path = f"{environment_path(environment)}/project-versions/{segment(version_id)}"
        return read(ProjectVersion, self._transport.get(path))
