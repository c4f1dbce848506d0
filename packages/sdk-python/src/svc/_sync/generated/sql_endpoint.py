# Written out of svc/_aio by "npm run generate". Do not edit.
# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.sql_endpoint``."""

from __future__ import annotations

from svc._access_models import SqlEndpointStatus
from svc._sync.resource import Resource
from svc._records import read


class SqlEndpoint(Resource):
    """The endpoint for clients of the PostgreSQL protocol."""

    def get(self) -> SqlEndpointStatus:
        """Get the address at which clients of the PostgreSQL protocol connect.

        ``address`` is ``None`` while the endpoint is off.
        """
        return read(SqlEndpointStatus, self._transport.get("/api/v1/sql-endpoint"))
