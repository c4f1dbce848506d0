"""Settings of a client: arguments, variables, and the profiles that ``svc login`` writes."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from svc._errors import SvcError
from svc._requests import base_address, require_address

DEFAULT_URL = "http://127.0.0.1:8470"


@dataclass(frozen=True)
class Settings:
    """Where a client connects to, and as whom."""

    url: str
    token: str = field(repr=False)
    #: The default environment.
    env: str | None
    #: Whether the token may be sent unencrypted.
    allow_insecure: bool = False


def settings(
    url: str | None = None,
    token: str | None = None,
    env: str | None = None,
    profile: str | None = None,
    allow_insecure: bool | None = None,
) -> Settings:
    """Each setting is the argument, else its variable, else the profile's, else the default.

    The token of a profile and its ``allow_insecure`` are used only for the profile's own address.
    Raises SvcError for an unusable file of profiles, and ValueError for what isn't the address of a service.
    """
    url = url or os.environ.get("SVC_URL")
    token = (token or os.environ.get("SVC_TOKEN") or "").strip()
    env = env or os.environ.get("SVC_ENV")
    saved: dict[str, Any] = {} if url and token and env and not profile else _saved(profile)
    address = (url or saved.get("url") or DEFAULT_URL).strip().rstrip("/")
    require_address(address)
    is_own = base_address(address) == base_address(saved.get("url", DEFAULT_URL))
    if not token and is_own:
        token = saved.get("token", "")
    if allow_insecure is None:
        variable = os.environ.get("SVC_ALLOW_INSECURE")
        by_profile = is_own and saved.get("allow_insecure") is True
        allow_insecure = variable.lower() in ("true", "1") if variable else by_profile
    return Settings(address, token, env or saved.get("env"), allow_insecure)


def _unusable(file: Path, fault: str) -> SvcError:
    return SvcError(f"{file} {fault}; fix it, or delete it and sign in again: svc login")


def _is_profile(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    return all(isinstance(value.get(key, ""), str) for key in ("url", "token", "env"))


def _saved(profile: str | None) -> dict[str, Any]:
    name = profile or os.environ.get("SVC_PROFILE") or "default"
    folder = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    file = Path(folder, "svc", "profiles.json")
    try:
        if os.name != "nt" and stat.S_IMODE(file.stat().st_mode) & 0o077:
            raise SvcError(f"{file} contains tokens, but other users can read it: chmod 600 {file}")
        profiles = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        profiles = {}
    except ValueError as error:
        raise _unusable(file, "is not valid JSON") from error
    if not isinstance(profiles, dict):
        raise _unusable(file, "must contain one object with the profiles by name")
    for key, value in profiles.items():
        if not _is_profile(value):
            fault = f"has a profile {key!r} that isn't an object with url, token and env as strings"
            raise _unusable(file, fault)
    found = profiles.get(name)
    if found is None and profile is not None:
        raise SvcError(f"there is no profile {name!r} in {file}: svc login --profile {name}")
    return found or {}
