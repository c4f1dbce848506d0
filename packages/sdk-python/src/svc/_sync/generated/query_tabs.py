# Written out of svc/_aio by "npm run generate". Do not edit.
# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.query_tabs``."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

from svc._sync.resource import Resource
from svc._models import QueryTab
from svc._records import read
from svc._requests import environment_path, given, segment


class QueryTabs(Resource):
    """The caller's own tabs of the SQL page. Nobody else sees them."""

    def list(self, environment: str) -> builtins.list[QueryTab]:
        """List the caller's query tabs in the environment, oldest first."""
        where = f"{environment_path(environment)}/query-tabs"
        return [read(QueryTab, item) for item in self._transport.items(where)]

    def get(self, environment: str, tab_id: str) -> QueryTab:
        """Get one of the caller's query tabs."""
        where = f"{environment_path(environment)}/query-tabs/{segment(tab_id)}"
        return read(QueryTab, self._transport.get(where))

    def save(
        self,
        environment: str,
        tab_id: str,
        *,
        version: int,
        sql: str,
        title: str | None = None,
        parameters: Sequence[dict[str, Any]] = (),
        query_id: str | None = None,
        saved_query_id: str | None = None,
        saved_query_version: int | None = None,
        chart: dict[str, Any] | None = None,
    ) -> QueryTab:
        """Create or replace a query tab, unless it has changed since the caller read it.

        ``version`` is the one that was read, or 0 for a new tab, whose id is any UUID.
        """
        where = f"{environment_path(environment)}/query-tabs/{segment(tab_id)}"
        body = given(
            version=version,
            sql=sql,
            title=title,
            parameters=[*parameters],
            query_id=query_id,
            saved_query_id=saved_query_id,
            saved_query_version=saved_query_version,
            chart=chart,
        )
        return read(QueryTab, self._transport.put(where, body))

    def delete(self, environment: str, tab_id: str, version: int) -> None:
        """Delete a query tab, unless it has changed since the caller read it."""
        where = f"{environment_path(environment)}/query-tabs/{segment(tab_id)}"
        query = {"version": version}
        self._transport.delete(where, query)
