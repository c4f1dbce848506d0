# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.lineage``."""

from __future__ import annotations

from svc._aio.resource import Resource
from svc._records import read
from svc._requests import environment_path
from svc._table_models import TableLineage


class Lineage(Resource):
    """The tables that a table is built from, and those that are built from it."""

    async def get(
        self, environment: str, table: str, *, direction: str | None = None, depth: int | None = None
    ) -> TableLineage:
        """Get the tables that a table is built from, and those that are built from it.

        Shows the tables that the caller can read, and with READ_ENVIRONMENT the assets of deployed projects.
        """
        where = f"{environment_path(environment)}/lineage"
        query = {"table": table, "direction": direction, "depth": depth}
        return read(TableLineage, await self._transport.get(where, query))
