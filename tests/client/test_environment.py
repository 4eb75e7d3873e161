"""Errors about variables and addresses are one sentence, without keys and passwords."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.conftest import KEY, Answer, ScriptedServer
from tests.programs.typed import typed
from wassay import AsyncClient, Client
from wassay.client import (
    ConnectionFailedError,
    InvalidArgumentError,
    UnexpectedResponseError,
    environment,
)
from wassay.models import NewApiKey

CLIENTS = pytest.mark.parametrize("kind", [Client, AsyncClient])


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in (*environment.PROXY_VARIABLES, *environment.CERTIFICATE_VARIABLES):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    environment.certificates.cache_clear()
    yield
    environment.certificates.cache_clear()


@CLIENTS
@pytest.mark.parametrize("address", [KEY, f"http://{KEY}", f"https://h/{KEY}", f"https://{KEY}@h"])
def test_a_key_passed_as_the_address_is_reported_and_not_shown(
    kind: type[Client | AsyncClient], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InvalidArgumentError, match="pass the key as api_key=") as refused:
        kind(address)
    assert KEY not in str(refused.value)
    monkeypatch.setenv("WASSAY_URL", address)
    with pytest.raises(InvalidArgumentError, match="pass the key as api_key=") as refused:
        kind(api_key=KEY)
    assert KEY not in str(refused.value)


@CLIENTS
@pytest.mark.parametrize(
    "address",
    [
        "https://me:hush@h",
        "https://hush@h",
        "https://me:hu/sh@h",
        "https://me:hush@h:port",
        "me:hush@h",
        "https://h?key=hush",
        "https://h/#hush",
        "https://me:hush@[::1",
    ],
)
def test_a_password_in_the_address_is_refused_and_not_repeated(
    kind: type[Client | AsyncClient], address: str
) -> None:
    with pytest.raises(InvalidArgumentError, match="expected an address") as refused:
        kind(address, KEY)
    assert "hush" not in str(refused.value)
    assert "sh@h" not in str(refused.value)


@CLIENTS
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("ALL_PROXY", "socks5://me:hush@h:1080", r"ALL_PROXY names a SOCKS proxy.*httpx\[socks\]"),
        ("all_proxy", "socks5h://me:hush@h:1080", "ALL_PROXY names a SOCKS proxy"),
        ("HTTPS_PROXY", "ftp://me:hush@h", "HTTPS_PROXY cannot be used"),
        ("HTTP_PROXY", "http://me:hush@h:port", "HTTP_PROXY cannot be used"),
        ("NO_PROXY", "[::1]", "NO_PROXY cannot be used.*without brackets"),
        ("NO_PROXY", "localhost,[::1]:80", "NO_PROXY cannot be used.*without brackets"),
        ("SSL_CERT_FILE", "/nowhere/ca.pem", "SSL_CERT_FILE is '/nowhere/ca.pem'.*No such file"),
        ("SSL_CERT_FILE", __file__, "SSL_CERT_FILE is .*cannot be read"),
    ],
)
def test_an_unusable_variable_is_named(
    kind: type[Client | AsyncClient],
    name: str,
    value: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(InvalidArgumentError, match=said) as refused:
        kind("https://h", KEY)
    assert "hush" not in str(refused.value)
    assert KEY not in str(refused.value)


def test_a_command_reports_it_in_one_line(tmp_path: Path) -> None:
    variables = {"WASSAY_URL": "https://h", "WASSAY_API_KEY": KEY, "NO_PROXY": "[::1]"}
    ran = typed(tmp_path, variables, "requests")
    assert ran.returncode == 1
    assert ran.stderr.startswith("wassay: NO_PROXY cannot be used")
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize("value", ["::1", "localhost,.example,127.0.0.1", "*"])
def test_hosts_in_no_proxy_are_called_directly(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", value)
    with Client("http://[::1]:8000", KEY) as client:
        assert repr(client) == "Client('http://[::1]:8000')"


def test_the_password_of_an_unreachable_proxy_is_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://me:hush@127.0.0.1:1")
    with Client("http://h", KEY) as client, pytest.raises(ConnectionFailedError) as failed:
        client.accounts.me()
    assert "hush" not in str(failed.value)


@pytest.mark.parametrize("name", ["WASSAY_URL", "WASSAY_API_KEY"])
def test_a_variable_that_is_set_to_nothing_is_as_one_that_is_not_set(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WASSAY_URL", "http://h")
    monkeypatch.setenv("WASSAY_API_KEY", KEY)
    monkeypatch.delenv(name)
    with pytest.raises(InvalidArgumentError) as absent:
        Client()
    monkeypatch.setenv(name, "")
    with pytest.raises(InvalidArgumentError) as empty:
        Client()
    assert str(empty.value) == str(absent.value)
    assert name in str(empty.value)


def test_keys_are_shown_neither_by_repr_nor_by_validation_errors(
    server: ScriptedServer,
) -> None:
    issued = {
        "id": "key_1",
        "account_id": "acc_1",
        "label": None,
        "prefix": "abcdefgh",
        "scopes": ["buyer"],
        "created_at": "2026-01-01T00:00:00Z",
        "expires_at": None,
        "last_used_at": None,
        "key": KEY,
    }
    assert KEY not in repr(NewApiKey.model_validate(issued))
    server.script = [Answer(201, [KEY])]
    with Client(server.url, KEY) as client, pytest.raises(UnexpectedResponseError) as failed:
        client.accounts.create_key("acc_1", scopes=["buyer"])
    assert KEY not in str(failed.value)
