# Written out of svc/_aio by "npm run generate". Do not edit.
"""Signing in with a name and a password, which needs no token yet."""

from __future__ import annotations

import httpx

from svc._access_models import MintedToken
from svc._answers import refusal
from svc._errors import Unavailable
from svc._records import read
from svc._requests import address


def begin_session(
    url: str | None, name: str, password: str, *, timeout: float, transport: httpx.BaseTransport | None
) -> MintedToken:
    """Sent once: each try counts against the limit of failed ones."""
    base = address(url)
    http = httpx.Client(
        base_url=base,
        headers={"User-Agent": "svc-python"},
        timeout=timeout,
        follow_redirects=False,
        transport=transport,
    )
    try:
        response = http.post("/api/v1/sign-in", json={"name": name, "password": password})
    except httpx.TransportError as error:
        raise Unavailable(f"{base} could not be reached: {error}; is the service up?") from error
    finally:
        # A transport that was given goes on to serve the client.
        if transport is None:
            http.close()
    if response.status_code >= 300:
        raise refusal(response)
    return read(MintedToken, response.json())
