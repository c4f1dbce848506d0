# Written out of svc/_aio by "npm run generate". Do not edit.
# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.second_factors``."""

from __future__ import annotations

from typing import Any

from svc._access_models import (
    AddedSecondFactor,
    KeyEnrolment,
    RecoveryCodes,
    SecondFactor,
    SecondFactorList,
    TotpEnrolment,
)
from svc._sync.resource import Resource
from svc._records import read
from svc._requests import given, segment


class SecondFactors(Resource):
    """Your second factors, for signing in with a password."""

    def list(self) -> SecondFactorList:
        """Get your second factors and how many recovery codes are left."""
        return read(SecondFactorList, self._transport.get("/api/v1/me/second-factors"))

    def start_totp(self) -> TotpEnrolment:
        """Start to add an authenticator app."""
        return read(TotpEnrolment, self._transport.post_once("/api/v1/me/second-factors/totp", None))

    def start_security_key(self) -> KeyEnrolment:
        """Start to add a security key or passkey in a browser."""
        return read(KeyEnrolment, self._transport.post_once("/api/v1/me/second-factors/security-key", None))

    def add(
        self, enrolment: str, name: str, *, code: str | None = None, credential: Any | None = None
    ) -> AddedSecondFactor:
        """Add the second factor that was started.

        Your other sessions end with the first one. Takes ``code`` of an authenticator app, or ``credential`` of a
        security key.
        """
        body = given(enrolment=enrolment, name=name, code=code, credential=credential)
        return read(AddedSecondFactor, self._transport.post_once("/api/v1/me/second-factors", body))

    def rename(self, factor_id: str, name: str) -> SecondFactor:
        """Rename a second factor."""
        where = f"/api/v1/me/second-factors/{segment(factor_id)}/name"
        body = {"name": name}
        return read(SecondFactor, self._transport.put(where, body))

    def remove(self, factor_id: str) -> None:
        """Remove a second factor. Removing the last one also ends your other sessions."""
        where = f"/api/v1/me/second-factors/{segment(factor_id)}"
        self._transport.delete(where)

    def replace_recovery_codes(self) -> RecoveryCodes:
        """Replace your recovery codes. They are shown only once."""
        return read(RecoveryCodes, self._transport.post_once("/api/v1/me/second-factors/recovery-codes", None))
