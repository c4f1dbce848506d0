# Written out of svc/_aio by "npm run generate". Do not edit.
# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.row_filters``."""

from __future__ import annotations

import builtins

from svc._access_models import RowFilter
from svc._sync.resource import Resource
from svc._records import read
from svc._requests import exactly_one, given, segment, table_path


class RowFilters(Resource):
    """Row filters: conditions on the rows of a table that a principal or group sees.

    They also apply to administrators.
    """

    def create(
        self,
        environment: str,
        table: str,
        predicate: str,
        *,
        principal: str | None = None,
        group: str | None = None,
        replaces: str | None = None,
    ) -> RowFilter:
        """Create a row filter: a principal or group sees only the rows that match a predicate."""
        exactly_one(principal=principal, group=group)
        where = f"{table_path(environment, table)}/row-filters"
        body = given(predicate=predicate, principal=principal, group=group, replaces=replaces)
        return read(RowFilter, self._transport.post(where, body))

    def list(self, environment: str, table: str) -> builtins.list[RowFilter]:
        """List the row filters of a table, oldest first."""
        where = f"{table_path(environment, table)}/row-filters"
        return [read(RowFilter, item) for item in self._transport.items(where)]

    def delete(self, filter_id: str) -> None:
        """Delete a row filter."""
        where = f"/api/v1/row-filters/{segment(filter_id)}"
        self._transport.delete(where)
