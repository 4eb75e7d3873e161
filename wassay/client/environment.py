"""Read a client's address, API key, proxies and certificates from arguments or the environment.

Error messages end up in logs, so they contain neither keys nor passwords.
"""

from __future__ import annotations

import os
import re
import ssl
from functools import cache
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx

from wassay import __version__
from wassay.client.errors import InvalidArgumentError
from wassay.client.shared.arguments import as_positive

KEY_PREFIX = "wsy_"
PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
CERTIFICATE_VARIABLES = ("SSL_CERT_FILE", "SSL_CERT_DIR")

ROUTES = re.compile(r"/(v1|docs|redoc|openapi\.json)(/|$)")
"""Paths of the service's pages and API, which people copy from a browser with the address."""

H = TypeVar("H", httpx.Client, httpx.AsyncClient)


def http_client(kind: type[H], address: str, api_key: str | None, timeout: float) -> H:
    """Build an HTTP client that sends an API key with every call.

    Raises
    ------
    InvalidArgumentError
        If the key is missing or malformed, or an environment variable names a proxy or
        certificates that cannot be used.
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
            f"{_named_proxies()} cannot be used: expected proxies such as http://host:3128, and in "
            "NO_PROXY names and addresses without brackets, such as localhost,::1"
        ) from None


def address_of(given: str | None) -> str:
    """Return the given address of the service, or by default the address in WASSAY_URL.

    Raises
    ------
    InvalidArgumentError
        If neither is set, or the address is not a URL of only a scheme, a host, a port and a path.
    """
    address = given or os.environ.get("WASSAY_URL")
    if not address:
        raise InvalidArgumentError(
            "expected the address of the service, such as http://localhost:8000, received none: "
            "pass base_url=, or set WASSAY_URL"
        )
    if KEY_PREFIX in address:
        raise InvalidArgumentError(
            "expected an address, received an API key: pass the key as api_key= or set "
            "WASSAY_API_KEY, and the address as base_url= or set WASSAY_URL"
        )
    if "@" in address:
        raise InvalidArgumentError(
            "expected an address without a user and a password, received user:password@host: "
            "leave them out; the service authenticates by an API key, api_key= or WASSAY_API_KEY"
        )
    if "?" in address or "#" in address:
        raise InvalidArgumentError(
            "expected an address of a host, a port and a path, such as https://host/wassay, "
            "received an address with a query or a fragment: leave out what follows ? or #"
        )
    if not _can_be_called(address):
        raise InvalidArgumentError(
            f"expected an address such as https://host or http://host:8000, received {address!r}: "
            "write it with http:// or https://"
        )
    if ROUTES.search(address):
        raise InvalidArgumentError(
            f"expected an address without the path of a route, received {address!r}: leave out "
            "what follows the host (or the prefix that the service is served under)"
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
        raise InvalidArgumentError(
            "expected an API key, which begins with wsy_, received none: pass api_key=, or set "
            "WASSAY_API_KEY"
        )
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise InvalidArgumentError(
            "expected an API key of printable ASCII without spaces, received other characters: "
            "often a line break from the end of the file that the key was read from"
        )
    return key


@cache
def _certificates() -> ssl.SSLContext:
    """Return the TLS context that all clients share, because building one is slower than a call."""
    try:
        return httpx.create_ssl_context()
    except OSError as error:  # The file is missing or contains no certificates.
        named = [name for name in CERTIFICATE_VARIABLES if os.environ.get(name)]
        if not named:
            raise
        raise InvalidArgumentError(
            f"{named[0]} is {os.environ[named[0]]!r}: expected certificates in PEM there, which "
            f"cannot be read ({error.strerror}); correct the variable, or unset it"
        ) from None


def _named_proxies() -> str:
    """Return the names of the proxy variables that are set; their values may hold passwords."""
    names = [
        name for name in PROXY_VARIABLES if os.environ.get(name) or os.environ.get(name.lower())
    ]
    return ", ".join(names) or "this system's setting of a proxy"
