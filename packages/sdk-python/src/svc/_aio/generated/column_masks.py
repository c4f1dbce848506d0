# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.column_masks``."""

from __future__ import annotations

import builtins

from svc._access_models import ColumnMask
from svc._aio.resource import Resource
from svc._records import read
from svc._requests import exactly_one, given, segment, table_path


class ColumnMasks(Resource):
    """Column masks: expressions that a principal or group sees instead of a column.

    They also apply to administrators.
    """

    async def create(
        self,
        environment: str,
        table: str,
        column: str,
        expression: str,
        *,
        principal: str | None = None,
        group: str | None = None,
        replaces: str | None = None,
    ) -> ColumnMask:
        """Create a column mask: a principal or group sees an expression instead of the column."""
        exactly_one(principal=principal, group=group)
        where = f"{table_path(environment, table)}/column-masks"
        body = given(column=column, expression=expression, principal=principal, group=group, replaces=replaces)
        return read(ColumnMask, await self._transport.post(where, body))

    async def list(self, environment: str, table: str) -> builtins.list[ColumnMask]:
        """List the column masks of a table, oldest first."""
        where = f"{table_path(environment, table)}/column-masks"
        return [read(ColumnMask, item) for item in await self._transport.items(where)]

    async def delete(self, mask_id: str) -> None:
        """Delete a column mask."""
        where = f"/api/v1/column-masks/{segment(mask_id)}"
        await self._transport.delete(where)
