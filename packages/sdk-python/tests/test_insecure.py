"""Credentials are sent unencrypted only if that is allowed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from service import Answer, Service

import svc
from svc._profiles import settings
from svc._requests import require_encryption

PLAIN = "http://svc.nowhere.invalid"


@pytest.fixture(autouse=True)
def no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SVC_URL", "SVC_TOKEN", "SVC_ENV", "SVC_PROFILE", "SVC_ALLOW_INSECURE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


@pytest.mark.parametrize(
    "url",
    [
        PLAIN,
        "HTTP://SVC.EXAMPLE.COM:8470/base",
        "http://10.1.2.3",
        "http://proxy:8470",
        "http://127.0.0.1.example.com",
        "http://a.localhost",
        "http://127.0.0.1@svc.example.com",
        "http://[fd00::1]",
        "http://0.0.0.0:8470",
    ],
)
def test_http_to_another_machine_is_refused(url: str) -> None:
    """Proves SDK-11."""
    with pytest.raises(svc.InsecureAddress, match="use an https:// address"):
        require_encryption(url)


@pytest.mark.parametrize(
    "url",
    ["https://svc.example.com", "http://127.0.0.1:8470", "http://127.9.8.7", "http://localhost", "http://[::1]:1"],
)
def test_https_and_this_machine_are_not(url: str) -> None:
    """Proves SDK-11."""
    require_encryption(url)


def test_requests_downloads_and_sign_in_are_refused_before_anything_is_sent() -> None:
    """Proves SDK-11."""
    with svc.Client(PLAIN, "t") as client:
        with pytest.raises(svc.InsecureAddress, match="SVC_ALLOW_INSECURE=true or pass allow_insecure=True"):
            client.me()
        with pytest.raises(svc.InsecureAddress):
            list(client.runs.logs("dev", "id"))
    with pytest.raises(svc.InsecureAddress):
        svc.Client.sign_in("ann", "secret", url=PLAIN)


def test_an_option_a_variable_or_the_profile_allows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Proves SDK-11."""
    with svc.Client(PLAIN, "t", allow_insecure=True) as client, pytest.raises(svc.Unavailable):
        client.tables.list("dev", "shop")
    file = tmp_path / "svc" / "profiles.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"default": {"url": PLAIN, "token": "t", "allow_insecure": True}}))
    file.chmod(0o600)
    assert settings().allow_insecure
    assert not settings(allow_insecure=False).allow_insecure
    assert not settings("http://other.invalid", "t").allow_insecure
    monkeypatch.setenv("SVC_ALLOW_INSECURE", "true")
    assert settings("http://other.invalid", "t").allow_insecure
    monkeypatch.setenv("SVC_ALLOW_INSECURE", "false")
    assert not settings().allow_insecure


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "http://127.9.8.7:1", "http://localhost:1", "http://[::1]:1"])
def test_credentials_for_this_machine_never_pass_a_proxy(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Proves SDK-11."""
    with Service(lambda _: Answer({}, 502)) as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        with pytest.raises(svc.Unavailable, match="could not be reached"):
            svc.Client.sign_in("ann", "correct horse battery", url=url)
        with svc.Client(url, "t") as client:
            client._transport._sleep = lambda _: None
            with pytest.raises(svc.Unavailable, match="could not be reached"):
                client.me()
    assert proxy.requests == []


@pytest.mark.parametrize(
    "url", ["127.0.0.1:8470", "localhost:8470", "svc.example.com", "ftp://svc.example.com", "http://"]
)
def test_what_is_not_an_address_is_named(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="is not the address of a service: it starts with https://"):
        svc.Client(url, "t")
    monkeypatch.setenv("SVC_URL", url)
    with pytest.raises(ValueError, match="is not the address of a service"):
        svc.Client.sign_in("ann", "correct horse battery")


def test_an_address_has_no_password() -> None:
    with pytest.raises(ValueError, match="must not contain a user name or a password") as caught:
        svc.Client("https://me:secret@svc.example.com", "t")
    assert "secret" not in str(caught.value)


def test_spaces_around_an_address_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVC_URL", " http://127.0.0.1:8470/\n")
    assert svc.Client(token="t").url == "http://127.0.0.1:8470"
