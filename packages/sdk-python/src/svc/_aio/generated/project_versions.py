# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.project_versions``."""

from __future__ import annotations

from svc._aio.resource import Resource
from svc._project_models import ProjectVersion
from svc._records import read
from svc._requests import environment_path, segment


class ProjectVersions(Resource):
    """Project versions, which deploys create."""

    async def get(self, environment: str, version_id: str) -> ProjectVersion:
        """Get a project version."""
        where = f"{environment_path(environment)}/project-versions/{segment(version_id)}"
        return read(ProjectVersion, await self._transport.get(where))
