# Written out of svc/_aio by "npm run generate". Do not edit.
# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.deployments``."""

from __future__ import annotations

import builtins

from svc._sync.resource import Resource
from svc._project_models import Deployment
from svc._records import read
from svc._requests import environment_path, given, segment


class Deployments(Resource):
    """The deployments of an environment, each named by its repository."""

    def list(self, environment: str) -> builtins.list[Deployment]:
        """List deployments, by repository."""
        where = f"{environment_path(environment)}/deployments"
        return [read(Deployment, item) for item in self._transport.items(where)]

    def set_run_as(self, environment: str, repository: str, principal: str | None) -> Deployment:
        """Set the service account that scheduled runs act as. ``None`` removes it."""
        where = f"{environment_path(environment)}/deployments/{segment(repository)}/run-as"
        body = {"principal": principal}
        return read(Deployment, self._transport.put(where, body))

    def rollback(self, environment: str, repository: str, *, project_version_id: str | None = None) -> Deployment:
        """Roll back to an earlier project version. The default is the previous one."""
        where = f"{environment_path(environment)}/deployments/{segment(repository)}/rollback"
        body = given(project_version_id=project_version_id)
        return read(Deployment, self._transport.post(where, body))

    def undeploy(self, environment: str, repository: str) -> None:
        """Undeploy a repository. Its jobs are removed, its tables stay."""
        where = f"{environment_path(environment)}/deployments/{segment(repository)}"
        self._transport.delete(where)
