"""Where clients connect to, as whom and through what, as arguments or variables say it.

Messages repeat neither keys nor passwords: they end up in logs.
"""

from __future__ import annotations

import os
import ssl
from functools import cache
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx

from wassay import __version__
from wassay.client.errors import InvalidArgumentError
from wassay.client.shared.arguments import as_positive

KEY_BEGINS = "wsy_"
PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
CERTIFICATE_VARIABLES = ("SSL_CERT_FILE", "SSL_CERT_DIR")

H = TypeVar("H", httpx.Client, httpx.AsyncClient)


def http_client(kind: type[H], address: str, api_key: str | None, timeout: float) -> H:
    """Make an HTTP client that calls a service with a key.

    Raises
    ------
    InvalidArgumentError
        If there is no key, or none that can be one, or the variables that name proxies or
        certificates cannot be followed.
    """
    options: dict[str, Any] = {
        "base_url": address,
        "timeout": as_positive(timeout, "timeout"),
        "headers": {
            "Authorization": f"Bearer {_key_of(api_key)}",
            "Accept": "application/json",
            "User-Agent": f"wassay/{__version__}",
        },
        "verify": _certificates(),
    }
    try:
        return kind(**options)
    except ImportError:
        raise InvalidArgumentError(
            f"{_named_proxies()} names a SOCKS proxy, which needs a package that is not "
            "installed: pip install 'httpx[socks]', or unset the variable"
        ) from None
    except (ValueError, httpx.InvalidURL):
        raise InvalidArgumentError(
            f"{_named_proxies()} cannot be followed: expected proxies such as "
            "http://host:3128, and in NO_PROXY names and addresses without brackets, such as "
            "localhost,::1"
        ) from None


def address_of(given: str | None) -> str:
    """Return the service's address: the one given, or the one of WASSAY_URL.

    Raises
    ------
    InvalidArgumentError
        If there is none, or it is no address, or holds more than a scheme, host, port and path.
    """
    address = given or os.environ.get("WASSAY_URL")
    if not address:
        raise InvalidArgumentError("no address: pass base_url=, or set WASSAY_URL")
    if KEY_BEGINS in address:
        raise InvalidArgumentError(
            "an API key came as the address: pass it as api_key=, or set WASSAY_API_KEY, and the "
            "address as base_url=, or set WASSAY_URL"
        )
    if "@" in address:
        raise InvalidArgumentError(
            "the address holds a user or a password (user:password@host): leave them out; the "
            "service knows callers by their API key, api_key= or WASSAY_API_KEY"
        )
    if "?" in address or "#" in address:
        raise InvalidArgumentError(
            "the address holds a query or a fragment (? or #): expected no more than a host, a "
            "port and a path, such as https://host/wassay"
        )
    if not _can_be_called(address):
        raise InvalidArgumentError(
            f"expected an address such as https://host or http://host:8000, got {address!r}"
        )
    return address.rstrip("/")


def _can_be_called(address: str) -> bool:
    try:
        parts = urlsplit(address)
        known = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        httpx.URL(address)
    except (ValueError, httpx.InvalidURL):
        return False
    return known and address.isprintable()


def _key_of(given: str | None) -> str:
    key = given or os.environ.get("WASSAY_API_KEY")
    if not key:
        raise InvalidArgumentError("no API key: pass api_key=, or set WASSAY_API_KEY")
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise InvalidArgumentError(
            "an API key is printable ASCII without spaces; this one holds something else, often a "
            "line break at the end of the file that it was read from"
        )
    return key


@cache
def _certificates() -> ssl.SSLContext:
    """Whom clients trust; reading it takes longer than most calls, so they all share it."""
    try:
        return httpx.create_ssl_context()
    except OSError as error:  # it is not there, or holds no certificates
        named = [name for name in CERTIFICATE_VARIABLES if os.environ.get(name)]
        if not named:
            raise
        raise InvalidArgumentError(
            f"{named[0]} is {os.environ[named[0]]!r}, which cannot be read ({error.strerror}): "
            "expected certificates in PEM, or unset the variable"
        ) from None


def _named_proxies() -> str:
    """Name the variables of proxies that are set, without their values: these hold passwords."""
    names = [
        name for name in PROXY_VARIABLES if os.environ.get(name) or os.environ.get(name.lower())
    ]
    return ", ".join(names) or "this system's setting of a proxy"
