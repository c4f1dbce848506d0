"""Errors of the client: one class per kind of answer, each with the server's sentence and what to do."""

from __future__ import annotations

from typing import Any


class SvcError(Exception):
    """Anything this module raises on purpose."""


class WorkFailed(SvcError):
    """A query, write, deploy or run ended without success, or not in time; ``record`` is what became of it."""

    def __init__(
        self, message: str, *, code: str | None = None, remedy: str | None = None, record: object = None
    ) -> None:
        # A sentence may end with the command already.
        super().__init__(message if remedy is None or remedy in message else f"{message} ({remedy})")
        self.code = code
        self.remedy = remedy
        self.record = record


class ServiceError(SvcError):
    """An answer of the service that is no success.

    ``status`` is the HTTP status (0 when no answer came), ``code`` the stable word for the cause, ``remedy`` a command
    that mends it, where one exists, ``retry_after`` the seconds after which the service asks to try again.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str | None = None,
        request_id: str | None = None,
        remedy: str | None = None,
        errors: tuple[dict[str, Any], ...] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.request_id = request_id
        self.remedy = remedy
        self.errors = errors
        self.retry_after = retry_after


class NotSignedIn(ServiceError):
    """401: no credential, or one that no longer works."""


class NotAllowed(ServiceError):
    """403: the principal lacks the right."""


class NotFound(ServiceError):
    """404: nothing of that name, or nothing the caller may know of."""


class Conflict(ServiceError):
    """409: what is there stands in the way."""


class InvalidRequest(ServiceError):
    """400, 413, 422: a field or parameter is refused; ``errors`` names each."""


class TooManyRequests(ServiceError):
    """429: throttled."""


class Unavailable(ServiceError):
    """5xx, or the service could not be reached."""


_BY_STATUS: dict[int, type[ServiceError]] = {
    401: NotSignedIn,
    403: NotAllowed,
    404: NotFound,
    409: Conflict,
    429: TooManyRequests,
}


def error_for(status: int) -> type[ServiceError]:
    """The class for an HTTP status."""
    if status >= 500:
        return Unavailable
    return _BY_STATUS.get(status, InvalidRequest if status >= 400 else ServiceError)
