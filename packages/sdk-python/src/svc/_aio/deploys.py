"""Deploys."""

from __future__ import annotations

import os

from svc._aio.files import pieces
from svc._aio.generated.deploys import Deploys as GeneratedDeploys
from svc._requests import environment_path


class Deploys(GeneratedDeploys):
    """Deploys of projects."""

    async def upload_bundle(self, environment: str, bundle: bytes | os.PathLike[str]) -> str:
        """Uploads a local folder as a tar.gz archive (bytes or a file) and returns the id for ``create``."""
        content = bundle if isinstance(bundle, bytes) else lambda: pieces(bundle)
        path = f"{environment_path(environment)}/bundles"
        answer = await self._transport.upload(path, content, "application/gzip")
        return str(answer["bundle_id"])
