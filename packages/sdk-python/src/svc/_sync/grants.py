# Written out of svc/_aio by "npm run generate". Do not edit.
"""Grants."""

from __future__ import annotations

from svc._access_models import RevocationPreview
from svc._sync.generated.grants import Grants as GeneratedGrants
from svc._records import read
from svc._requests import segment


class Grants(GeneratedGrants):
    """Roles and single actions that are granted to principals and groups."""

    def preview_revocation(self, grant_id: str) -> RevocationPreview:
        """Previews who would lose what if the grant were revoked. Changes nothing."""
        answer = self._transport.delete(f"/api/v1/grants/{segment(grant_id)}", {"dry_run": True})
        return read(RevocationPreview, answer)
