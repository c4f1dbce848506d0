"""Builds requests: address, credential, paths and parameters."""

from __future__ import annotations

import datetime
import ipaddress
import os
import re
import ssl
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from svc._errors import InsecureAddress

Parameters = Mapping[str, str | int | float | bool | list[str] | None]
#: One or more values of a filter.
FilterValues = str | list[str] | tuple[str, ...] | None


def segment(text: str) -> str:
    """One escaped segment of a path. Raises ValueError for an invalid name."""
    if text in ("", ".", ".."):
        raise ValueError(f"{text!r} is not a valid name")
    return quote(text, safe="")


def trace() -> dict[str, str]:
    """The trace to continue (W3C Trace Context). Tasks receive it in ``TRACEPARENT``."""
    given = os.environ.get("TRACEPARENT", "")
    return {"traceparent": given} if re.fullmatch(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}", given) else {}


def connection(url: str) -> dict[str, Any]:
    """How httpx connects: unencrypted and to this machine, without proxies and without loading certificates."""
    parts = urlsplit(url)
    if parts.scheme != "http" or not _is_this_machine(parts.hostname or ""):
        return {}
    # Loading the certificates takes longer than many tasks. Without any, the context trusts nothing.
    return {"trust_env": False, "verify": ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)}


def base_address(url: str) -> str:
    """The address of a service in one spelling: without a slash at the end, a default port and capitals in the host."""
    parts = urlsplit(url)
    host = parts.netloc.lower().removesuffix({"http": ":80", "https": ":443"}.get(parts.scheme, ""))
    return f"{parts.scheme}://{host}{parts.path}".rstrip("/")


def require_address(url: str) -> None:
    """Raises ValueError for what isn't the address of a service, such as one without https:// or http://."""
    parts = urlsplit(url)
    if "@" in parts.netloc:
        # It would be sent instead of the token, and printed with the address. That is why this text doesn't contain it.
        raise ValueError("the address of a service must not contain a user name or a password; pass token=")
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise ValueError(f"{url!r} is not the address of a service: it starts with https:// or http:// and a host name")


def require_encryption(url: str) -> None:
    """Raises InsecureAddress for http to another machine: anyone on the network path could read credentials."""
    parts = urlsplit(url)
    if parts.scheme.lower() == "https" or _is_this_machine(parts.hostname or ""):
        return
    address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    raise InsecureAddress(
        f"credentials aren't sent to {address}, because anyone on the network path could read them: "
        "use an https:// address. To send them anyway, set SVC_ALLOW_INSECURE=true or pass allow_insecure=True"
    )


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def environment_path(name: str) -> str:
    return f"/api/v1/environments/{segment(name)}"


def namespace_path(environment: str, namespace: str) -> str:
    return f"{environment_path(environment)}/namespaces/{segment(namespace)}"


def table_path(environment: str, table: str) -> str:
    namespace, dot, name = table.rpartition(".")
    if not dot:
        raise ValueError(f"{table!r} is not a table name: write '<namespace>.<table>'")
    return f"{namespace_path(environment, namespace)}/tables/{segment(name)}"


def comma_separated(value: FilterValues) -> str | None:
    return value if value is None or isinstance(value, str) else ",".join(value)


def moment(name: str, value: datetime.datetime | None) -> str | None:
    """A time as it is sent. Raises TypeError if it isn't a datetime, ValueError if it has no time zone."""
    if value is None:
        return None
    if not isinstance(value, datetime.datetime):
        raise TypeError(f"{name} must be a datetime with a time zone, not {type(value).__name__}")
    if value.tzinfo is None:
        raise ValueError(f"{name} requires a time zone: datetime(..., tzinfo=timezone.utc)")
    return value.isoformat()


def day_or_moment(name: str, value: datetime.date | None) -> str | None:
    """A date or a time as it is sent."""
    if value is None or isinstance(value, datetime.datetime):
        return moment(name, value)
    return value.isoformat()


def glass(reason: str | None) -> dict[str, str]:
    """The break-glass header for a change in a protected environment."""
    return {} if reason is None else {"Svc-Break-Glass": quote(reason, safe="")}


def given(**fields: object) -> dict[str, object]:
    """The fields that are not None."""
    return {key: value for key, value in fields.items() if value is not None}


def exactly_one(**fields: object) -> None:
    """Raises TypeError unless exactly one of the fields is set."""
    if len(given(**fields)) != 1:
        raise TypeError(f"set exactly one of {' and '.join(fields)}")


def known(what: str, changes: Mapping[str, object], *names: str) -> None:
    """Raises TypeError for an unknown keyword."""
    for key in changes:
        if key not in names:
            raise TypeError(f"update() of {what} accepts only {' and '.join(names)}, not {key!r}")


def present(parameters: Parameters | None) -> dict[str, str | int | float | list[str]]:
    flat = {key: value for key, value in (parameters or {}).items() if value is not None}
    return {key: str(value).lower() if isinstance(value, bool) else value for key, value in flat.items()}
