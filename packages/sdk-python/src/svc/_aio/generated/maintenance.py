# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.maintenance``."""

from __future__ import annotations

from svc._aio.resource import Resource
from svc._aio.waiting import until_ended
from svc._records import read
from svc._requests import environment_path, segment
from svc._table_models import Maintenance


class Maintenances(Resource):
    """Maintenance of tables."""

    async def get(self, environment: str, maintenance_id: str, *, wait: int | None = None) -> Maintenance:
        """Get a maintenance operation of a table.

        With ``wait`` (0 to 60 seconds), returns as soon as it has finished.
        """
        where = f"{environment_path(environment)}/maintenance/{segment(maintenance_id)}"
        query = {"wait": wait}
        return read(Maintenance, await self._transport.get(where, query))

    async def wait(self, environment: str, maintenance_id: str, *, timeout: float | None = None) -> Maintenance:
        """Wait until the maintenance has finished, whatever its status. Raises WorkFailed after ``timeout`` seconds."""
        return await until_ended("maintenance", lambda wait: self.get(environment, maintenance_id, wait=wait), timeout)
