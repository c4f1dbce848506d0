# Written out of svc/_aio by "npm run generate". Do not edit.
# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.saved_queries``."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from typing import Any

from svc._sync.resource import Resource
from svc._models import SavedQuery
from svc._records import Page, read
from svc._requests import environment_path, given, known, segment


class SavedQueries(Resource):
    """Saved queries of an environment. Only their owners see those that are not shared."""

    def create(
        self,
        environment: str,
        name: str,
        sql: str,
        *,
        parameters: Sequence[dict[str, Any]] = (),
        description: str | None = None,
        shared: bool = False,
    ) -> SavedQuery:
        """Save a query.

        Only its owner sees it, unless it is shared. ``default: null`` means that a run needs a value.
        """
        where = f"{environment_path(environment)}/saved-queries"
        body = given(name=name, sql=sql, parameters=[*parameters], description=description, shared=shared)
        return read(SavedQuery, self._transport.post(where, body))

    def list_page(
        self,
        environment: str,
        *,
        search: str | None = None,
        name: str | None = None,
        owner: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[SavedQuery]:
        """List the caller's saved queries and the shared ones of others, by name. Returns one page."""
        where = f"{environment_path(environment)}/saved-queries"
        query = {"search": search, "name": name, "owner": owner, "limit": limit, "cursor": cursor}
        return self._page(where, query, SavedQuery)

    def list(
        self,
        environment: str,
        *,
        search: str | None = None,
        name: str | None = None,
        owner: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> builtins.list[SavedQuery]:
        """List the caller's saved queries and the shared ones of others, by name. Returns the first page."""
        page = self.list_page(environment, search=search, name=name, owner=owner, limit=limit, cursor=cursor)
        return [*page.items]

    def iter(
        self,
        environment: str,
        *,
        search: str | None = None,
        name: str | None = None,
        owner: str | None = None,
        limit: int | None = None,
    ) -> Iterator[SavedQuery]:
        """List the caller's saved queries and the shared ones of others, by name. Iterates over all pages."""
        where = f"{environment_path(environment)}/saved-queries"
        query = {"search": search, "name": name, "owner": owner, "limit": limit}
        return self._iterate(where, query, SavedQuery)

    def get(self, environment: str, query_id: str) -> SavedQuery:
        """Get a saved query."""
        where = f"{environment_path(environment)}/saved-queries/{segment(query_id)}"
        return read(SavedQuery, self._transport.get(where))

    def update(
        self, environment: str, query_id: str, **changes: str | Sequence[dict[str, Any]] | bool | int | None
    ) -> SavedQuery:
        """Change a saved query: its name, statement, parameters or description, or whether it is shared.

        ``None`` removes the description. With the ``version`` that was read, nothing changes if the query has changed
        since.
        """
        known("a saved query", changes, "name", "sql", "parameters", "description", "shared", "version")
        where = f"{environment_path(environment)}/saved-queries/{segment(query_id)}"
        return read(SavedQuery, self._transport.patch(where, changes))

    def delete(self, environment: str, query_id: str) -> None:
        """Delete a saved query."""
        where = f"{environment_path(environment)}/saved-queries/{segment(query_id)}"
        self._transport.delete(where)
