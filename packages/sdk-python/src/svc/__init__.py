"""svc: decorators for project code, and a client for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from svc._asset import asset

if TYPE_CHECKING:
    from svc._client import Client
    from svc._context import Context
    from svc._errors import (
        Conflict,
        InvalidRequest,
        NotAllowed,
        NotFound,
        NotSignedIn,
        ServiceError,
        SvcError,
        TooManyRequests,
        Unavailable,
        WorkFailed,
    )

__version__ = "0.1.0"

_ERRORS = (
    "Conflict",
    "InvalidRequest",
    "NotAllowed",
    "NotFound",
    "NotSignedIn",
    "ServiceError",
    "SvcError",
    "TooManyRequests",
    "Unavailable",
    "WorkFailed",
)

__all__ = [
    "Client",
    "Conflict",
    "Context",
    "InvalidRequest",
    "NotAllowed",
    "NotFound",
    "NotSignedIn",
    "ServiceError",
    "SvcError",
    "TooManyRequests",
    "Unavailable",
    "WorkFailed",
    "__version__",
    "asset",
]


def __getattr__(name: str) -> object:
    # The decorators must not need httpx: a project's code is imported where it may be absent.
    if name == "Client":
        from svc._client import Client

        return Client
    if name == "Context":
        from svc._context import Context

        return Context
    if name in _ERRORS:
        from svc import _errors

        return getattr(_errors, name)
    raise AttributeError(f"module 'svc' has no attribute {name!r}")
