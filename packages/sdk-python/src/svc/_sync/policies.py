# Written out of svc/_aio by "npm run generate". Do not edit.
"""Row filters and column masks. They also apply to administrators."""

from __future__ import annotations

import builtins

from svc._access_models import ColumnMask, RowFilter
from svc._sync.resource import Resource
from svc._records import read
from svc._requests import given, segment, table_path


class RowFilters(Resource):
    """Row filters: the rows of ``'<namespace>.<table>'`` that a principal or group sees."""

    def create(
        self,
        environment: str,
        table: str,
        predicate: str,
        *,
        principal: str | None = None,
        group: str | None = None,
    ) -> RowFilter:
        """``predicate`` is an SQL condition on the columns; it applies to one principal or one group."""
        if (principal is None) == (group is None):
            raise TypeError("set exactly one of principal and group")
        body = given(principal=principal, group=group, predicate=predicate)
        path = f"{table_path(environment, table)}/row-filters"
        return read(RowFilter, (self._transport.post(path, body)).json())

    def list(self, environment: str, table: str) -> builtins.list[RowFilter]:
        """Oldest first."""
        items = self._transport.get(f"{table_path(environment, table)}/row-filters")
        return [read(RowFilter, item) for item in items]

    def delete(self, filter_id: str) -> None:
        self._transport.delete(f"/api/v1/row-filters/{segment(filter_id)}")


class ColumnMasks(Resource):
    """Column masks: what a principal or group sees instead of a column of ``'<namespace>.<table>'``."""

    def create(
        self,
        environment: str,
        table: str,
        column: str,
        expression: str,
        *,
        principal: str | None = None,
        group: str | None = None,
    ) -> ColumnMask:
        """``expression`` is an SQL expression on the columns; it applies to one principal or one group."""
        if (principal is None) == (group is None):
            raise TypeError("set exactly one of principal and group")
        body = given(principal=principal, group=group, column=column, expression=expression)
        path = f"{table_path(environment, table)}/column-masks"
        return read(ColumnMask, (self._transport.post(path, body)).json())

    def list(self, environment: str, table: str) -> builtins.list[ColumnMask]:
        """Oldest first."""
        items = self._transport.get(f"{table_path(environment, table)}/column-masks")
        return [read(ColumnMask, item) for item in items]

    def delete(self, mask_id: str) -> None:
        self._transport.delete(f"/api/v1/column-masks/{segment(mask_id)}")
