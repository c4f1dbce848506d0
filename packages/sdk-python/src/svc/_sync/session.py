# Written out of svc/_aio by "npm run generate". Do not edit.
"""Signs in with a name and a password, without a token."""

from __future__ import annotations

import httpx

from svc._access_models import MintedToken
from svc._answers import refusal
from svc._errors import Unavailable
from svc._records import read
from svc._requests import require_encryption


def begin_session(
    url: str,
    name: str,
    password: str,
    *,
    timeout: float,
    allow_insecure: bool,
    transport: httpx.BaseTransport | None,
) -> MintedToken:
    """Sent only once, because each attempt counts toward the limit of failed sign-ins."""
    if not allow_insecure and transport is None:
        require_encryption(url)
    http = httpx.Client(
        base_url=url,
        headers={"User-Agent": "svc-python"},
        timeout=timeout,
        follow_redirects=False,
        transport=transport,
    )
    try:
        response = http.post("/api/v1/sign-in", json={"name": name, "password": password})
    except httpx.TransportError as error:
        raise Unavailable(f"{url} could not be reached: {error}; is the service up?") from None
    finally:
        # A transport passed by the caller also serves the new client.
        if transport is None:
            http.close()
    if response.status_code >= 300:
        raise refusal(response)
    return read(MintedToken, response.json())
