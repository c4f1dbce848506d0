# Written out of svc/_aio by "npm run generate". Do not edit.
# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.namespaces``."""

from __future__ import annotations

import builtins

from svc._sync.resource import Resource
from svc._records import read
from svc._requests import environment_path, given, glass, namespace_path
from svc._table_models import Namespace


class Namespaces(Resource):
    """Namespaces of an environment. Their paths are dotted."""

    def create(
        self, environment: str, path: str, *, description: str | None = None, break_glass: str | None = None
    ) -> Namespace:
        """Create a namespace."""
        where = f"{environment_path(environment)}/namespaces"
        body = given(path=path, description=description)
        return read(Namespace, self._transport.post(where, body, headers=glass(break_glass)))

    def list(self, environment: str) -> builtins.list[Namespace]:
        """List the namespaces that the caller can read, by path. Returns all of them."""
        where = f"{environment_path(environment)}/namespaces"
        return self._all(where, {}, Namespace)

    def get(self, environment: str, path: str) -> Namespace:
        """Get a namespace."""
        where = namespace_path(environment, path)
        return read(Namespace, self._transport.get(where))

    def update(
        self, environment: str, path: str, *, description: str | None, break_glass: str | None = None
    ) -> Namespace:
        """Change the description of a namespace."""
        where = namespace_path(environment, path)
        body = {"description": description}
        return read(Namespace, self._transport.patch(where, body, headers=glass(break_glass)))

    def delete(self, environment: str, path: str, *, break_glass: str | None = None) -> None:
        """Drop an empty namespace. Fails with ``Conflict`` if it contains tables or namespaces."""
        where = namespace_path(environment, path)
        self._transport.delete(where, headers=glass(break_glass))
