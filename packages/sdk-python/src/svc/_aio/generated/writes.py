# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.writes``."""

from __future__ import annotations

from svc._aio.resource import Resource
from svc._aio.waiting import until_ended
from svc._project_models import Write
from svc._records import read
from svc._requests import environment_path, segment


class Writes(Resource):
    """Loads of rows into tables."""

    async def get(self, environment: str, write_id: str, *, wait: int | None = None) -> Write:
        """Get a write. With ``wait`` (0 to 60 seconds), returns as soon as it has finished."""
        where = f"{environment_path(environment)}/writes/{segment(write_id)}"
        query = {"wait": wait}
        return read(Write, await self._transport.get(where, query))

    async def wait(self, environment: str, write_id: str, *, timeout: float | None = None) -> Write:
        """Wait until the write has finished, whatever its status. Raises WorkFailed after ``timeout`` seconds."""
        return await until_ended("write", lambda wait: self.get(environment, write_id, wait=wait), timeout)
