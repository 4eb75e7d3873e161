"""Read a client's address, API key, proxies and certificates from arguments or the environment."""

from __future__ import annotations

import os
import re
import ssl
from functools import cache
from urllib.parse import urlsplit

import httpx

from wassay.errors import InvalidArgumentError

# Error messages end up in logs, so those below contain neither keys nor passwords.
KEY_PREFIX = "wsy_"
PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
CERTIFICATE_VARIABLES = ("SSL_CERT_FILE", "SSL_CERT_DIR")

ROUTES = re.compile(r"/(v1|docs|redoc|openapi\.json)(/|$)")
"""Paths of the service's pages and API, which people copy from a browser with the address."""


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


def key_of(given: str | None) -> str:
    """Return the given API key, or by default the key in WASSAY_API_KEY.

    Raises
    ------
    InvalidArgumentError
        If neither is set, or the key is a placeholder such as ``wsy_…``, or contains spaces or
        characters beyond printable ASCII.
    """
    key = os.environ.get("WASSAY_API_KEY") if given is None else given
    if not key:
        raise InvalidArgumentError(
            "expected an API key, which begins with wsy_, received none: pass api_key=, or set "
            "WASSAY_API_KEY"
        )
    if "…" in key:
        raise InvalidArgumentError(
            f"expected an API key, received the placeholder {key}: replace it by the key that "
            "`wassay accounts create` printed, or that an administrator gave you"
        )
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise InvalidArgumentError(
            "expected an API key of printable ASCII without spaces, received other characters: "
            "often a line break from the end of the file that the key was read from"
        )
    return key


@cache
def certificates() -> ssl.SSLContext:
    """Return the TLS context that all clients share.

    Raises
    ------
    InvalidArgumentError
        If an environment variable names certificates that cannot be read.
    """
    try:
        # Building a context is slower than a call, so clients share one.
        return httpx.create_ssl_context()
    except OSError as error:  # The file is missing or contains no certificates.
        named = [name for name in CERTIFICATE_VARIABLES if os.environ.get(name)]
        if not named:
            raise
        raise InvalidArgumentError(
            f"{named[0]} is {os.environ[named[0]]!r}: expected certificates in PEM there, which "
            f"cannot be read ({error.strerror}); correct the variable, or unset it"
        ) from None


def named_proxies() -> str:
    """Return the names of the environment variables that set a proxy, as text for a message.

    Without such variables, return "this system's setting of a proxy".
    """
    # Leave out the variables' values, which may hold passwords.
    names = [
        name for name in PROXY_VARIABLES if os.environ.get(name) or os.environ.get(name.lower())
    ]
    return ", ".join(names) or "this system's setting of a proxy"
