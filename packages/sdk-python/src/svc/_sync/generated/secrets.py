# Written out of svc/_aio by "npm run generate". Do not edit.
# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.secrets``."""

from __future__ import annotations

import builtins

from svc._sync.resource import Resource
from svc._models import Secret
from svc._records import read
from svc._requests import environment_path, segment


class Secrets(Resource):
    """Secrets of an environment. Their values are never returned."""

    def list(self, environment: str) -> builtins.list[Secret]:
        """List the secrets of an environment, by name, without their values."""
        where = f"{environment_path(environment)}/secrets"
        return [read(Secret, item) for item in self._transport.items(where)]

    def rotate(self, environment: str, name: str, values: dict[str, str]) -> Secret:
        """Rotate a secret: replace its values."""
        where = f"{environment_path(environment)}/secrets/{segment(name)}/values"
        body = {"values": values}
        return read(Secret, self._transport.put(where, body))

    def revoke(self, environment: str, name: str) -> None:
        """Revoke a secret and erase its values."""
        where = f"{environment_path(environment)}/secrets/{segment(name)}"
        self._transport.delete(where)
