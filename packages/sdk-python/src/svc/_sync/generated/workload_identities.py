# Written out of svc/_aio by "npm run generate". Do not edit.
# Generated from the contract by "npm run generate". Do not edit.
"""The generated methods of ``client.workload_identities``."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from svc._access_models import WorkloadIdentity
from svc._sync.resource import Resource
from svc._records import read
from svc._requests import given, segment


class WorkloadIdentities(Resource):
    """Workloads that sign in as a service account with a token of their CI system or cluster."""

    def create(
        self,
        principal: str,
        issuer: str,
        audience: str,
        subject: str,
        *,
        claims: dict[str, str] | None = None,
        environments: Sequence[str] | None = None,
        actions: Sequence[str] | None = None,
    ) -> WorkloadIdentity:
        """Let a workload sign in as a service account with a token of its CI system or cluster."""
        where = f"/api/v1/principals/{segment(principal)}/workload-identities"
        body = given(
            issuer=issuer,
            audience=audience,
            subject=subject,
            claims=claims,
            environments=None if environments is None else [*environments],
            actions=None if actions is None else [*actions],
        )
        return read(WorkloadIdentity, self._transport.post(where, body))

    def list(self, principal: str) -> builtins.list[WorkloadIdentity]:
        """List the workloads that sign in as a service account."""
        where = f"/api/v1/principals/{segment(principal)}/workload-identities"
        return [read(WorkloadIdentity, item) for item in self._transport.items(where)]

    def delete(self, identity_id: str) -> None:
        """Stop a workload from signing in, and revoke the tokens that it got."""
        where = f"/api/v1/workload-identities/{segment(identity_id)}"
        self._transport.delete(where)
