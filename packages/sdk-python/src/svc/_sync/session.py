# Written out of svc/_aio by "npm run generate". Do not edit.
"""Signs in with a name and a password, without a token."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx

from svc._access_models import MintedToken
from svc._answers import parsed, refusal
from svc._errors import Unavailable
from svc._records import read
from svc._requests import connection, require_encryption


def begin_session(
    url: str,
    name: str,
    password: str,
    *,
    code: str | Callable[[], str] | None,
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
        **connection(url),
    )
    try:
        response = http.post("/api/v1/sign-in", json={"name": name, "password": password})
        challenge = _challenge(response)
        if challenge is not None and code is not None:
            answer = code if isinstance(code, str) else code()
            # A recovery code isn't six digits.
            kind = "code" if re.fullmatch(r"[\d\s]+", answer) else "recovery_code"
            response = http.post("/api/v1/sign-in/second-factor", json={"challenge": challenge, kind: answer})
    except httpx.TransportError as error:
        raise Unavailable(f"{url} could not be reached: {error}; is the service up?") from None
    finally:
        # A transport passed by the caller also serves the new client.
        if transport is None:
            http.close()
    if response.status_code >= 300:
        raise refusal(response)
    return read(MintedToken, parsed(response))


def _challenge(response: httpx.Response) -> str | None:
    """What continues a sign-in that needs a second factor."""
    if response.status_code != 401:
        return None
    try:
        body = response.json()
    except ValueError:
        return None
    factor = body.get("second_factor") if isinstance(body, dict) else None
    challenge = factor.get("challenge") if isinstance(factor, dict) else None
    return challenge if isinstance(challenge, str) else None
