# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.access``."""

from __future__ import annotations

import datetime
from collections.abc import AsyncIterator

from svc._access_models import Holder
from svc._aio.resource import Resource
from svc._requests import moment


class Access(Resource):
    """The caller, and who can access what."""

    async def change_password(self, current: str, password: str) -> None:
        """Change your own password.

        Your other sessions end. Fails if ``current`` is wrong, and with ``TooManyRequests`` after several attempts.
        """
        body = {"current_password": current, "password": password}
        await self._transport.put("/api/v1/me/password", body)

    def who(
        self,
        action: str,
        *,
        environment: str | None = None,
        namespace: str | None = None,
        table: str | None = None,
        service_account: str | None = None,
        at: datetime.datetime | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[Holder]:
        """List the principals that are allowed an action on an object, and the grants that allow it.

        The default object is the instance. Iterates over all pages.
        """
        query = {
            "action": action,
            "environment": environment,
            "namespace": namespace,
            "table": table,
            "service_account": service_account,
            "at": moment("at", at),
            "limit": limit,
        }
        return self._iterate("/api/v1/access/who", query, Holder)

    async def confirm_password(self, current: str) -> None:
        """Enter your password again, so that this session can change second factors for ten minutes."""
        body = {"current_password": current}
        await self._transport.put("/api/v1/me/confirmation", body)
