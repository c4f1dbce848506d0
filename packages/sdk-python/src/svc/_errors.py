"""Exceptions of the client: one class per kind of response, each with the server's message and remedy."""

from __future__ import annotations

from typing import Any


class SvcError(Exception):
    """The base class of all exceptions of this module."""


class UnsupportedValue(SvcError, ValueError):
    """A result has a date or time that Python or the library of the DataFrame can't represent."""

    def __init__(self, column: str, value: str, library: str) -> None:
        super().__init__(
            f"column {column} has {value}, which {library} can't represent; "
            "cast the column to text in the query (CAST(... AS VARCHAR)), or filter such values"
        )
        self.column = column
        self._described = (column, value, library)

    def __reduce__(self) -> tuple[Any, ...]:
        # Otherwise, pickle would construct it from its message, which fails in the process that receives it.
        return type(self), self._described, vars(self)


class InsecureAddress(SvcError):
    """The address starts with http:// and is on another machine, so credentials would be sent unencrypted."""


class WorkFailed(SvcError):
    """A query, write, deploy or run did not succeed, or not in time; ``record`` is its last record."""

    def __init__(
        self, message: str, *, code: str | None = None, remedy: str | None = None, record: object = None
    ) -> None:
        # A sentence may end with the command already.
        super().__init__(message if remedy is None or remedy in message else f"{message} ({remedy})")
        self.code = code
        self.remedy = remedy
        self.record = record


class ServiceError(SvcError):
    """An error response of the service.

    ``status`` is the HTTP status (0 without a response), ``code`` the stable error code, ``remedy`` a command that
    fixes the problem, if there is one, and ``retry_after`` the seconds to wait before trying again.
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
    """401: the credential is missing or no longer valid."""


class NotAllowed(ServiceError):
    """403: the principal is not allowed to do this."""


class NotFound(ServiceError):
    """404: the object does not exist, or the caller can't see it."""


class Conflict(ServiceError):
    """409: the request conflicts with the state of the object."""


class InvalidRequest(ServiceError):
    """400, 413, 422: the request is invalid; ``errors`` lists each invalid field or parameter."""


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
