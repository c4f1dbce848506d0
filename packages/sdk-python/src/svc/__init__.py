"""svc: decorators for project code, and a client for programs."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from svc._asset import asset

if TYPE_CHECKING:
    from svc._aio.client import AsyncClient
    from svc._aio.result import AsyncRelation, AsyncResult
    from svc._context import Context
    from svc._csv import CsvOptions
    from svc._errors import (
        Conflict,
        InsecureAddress,
        InvalidRequest,
        NotAllowed,
        NotFound,
        NotSignedIn,
        ServiceError,
        SvcError,
        TooManyRequests,
        Unavailable,
        UnsupportedValue,
        WorkFailed,
    )
    from svc._models import Trigger
    from svc._records import Page
    from svc._sync.client import Client
    from svc._sync.result import Relation, Result

__version__ = "0.1.0"

# The decorators must not need httpx: a project's code is imported where it may be absent.
_LATER = {
    "AsyncClient": "svc._aio.client",
    "AsyncRelation": "svc._aio.result",
    "AsyncResult": "svc._aio.result",
    "Client": "svc._sync.client",
    "Conflict": "svc._errors",
    "Context": "svc._context",
    "CsvOptions": "svc._csv",
    "InsecureAddress": "svc._errors",
    "InvalidRequest": "svc._errors",
    "NotAllowed": "svc._errors",
    "NotFound": "svc._errors",
    "NotSignedIn": "svc._errors",
    "Page": "svc._records",
    "Relation": "svc._sync.result",
    "Result": "svc._sync.result",
    "ServiceError": "svc._errors",
    "SvcError": "svc._errors",
    "TooManyRequests": "svc._errors",
    "Trigger": "svc._models",
    "Unavailable": "svc._errors",
    "UnsupportedValue": "svc._errors",
    "WorkFailed": "svc._errors",
}

__all__ = [
    "AsyncClient",
    "AsyncRelation",
    "AsyncResult",
    "Client",
    "Conflict",
    "Context",
    "CsvOptions",
    "InsecureAddress",
    "InvalidRequest",
    "NotAllowed",
    "NotFound",
    "NotSignedIn",
    "Page",
    "Relation",
    "Result",
    "ServiceError",
    "SvcError",
    "TooManyRequests",
    "Trigger",
    "Unavailable",
    "UnsupportedValue",
    "WorkFailed",
    "__version__",
    "asset",
]


def load_ipython_extension(shell: object) -> None:
    """``%load_ext svc`` defines ``%sql`` and ``%%sql`` in a notebook."""
    importlib.import_module("svc._notebook").load(shell)


def __getattr__(name: str) -> object:
    if name in _LATER:
        return getattr(importlib.import_module(_LATER[name]), name)
    raise AttributeError(f"module 'svc' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
