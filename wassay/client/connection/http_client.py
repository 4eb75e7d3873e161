"""Build the HTTP client of a connection: its headers, time limit, certificates and proxies."""

from __future__ import annotations

from typing import Any, TypeVar

import httpx

from wassay import __version__
from wassay.client.environment import certificates, key_of, named_proxies
from wassay.client.shared.arguments import as_positive
from wassay.errors import InvalidArgumentError

H = TypeVar("H", httpx.Client, httpx.AsyncClient)


def http_client(kind: type[H], address: str, api_key: str | None, timeout: float) -> H:
    """Build an HTTP client of class `kind` that sends an API key with every call.

    Parameters
    ----------
    kind : type
        `httpx.Client` or `httpx.AsyncClient`.
    address : str
    api_key : str or None
        None for the value of the environment variable ``WASSAY_API_KEY``.
    timeout : float
        The most seconds to wait for a connection, or for the next byte.

    Raises
    ------
    InvalidArgumentError
        If the key is missing or malformed, `timeout` is not positive, or an environment variable
        names a proxy or certificates that cannot be used.
    """
    options: dict[str, Any] = {
        "base_url": address,
        "timeout": as_positive(timeout, "timeout"),
        "headers": {
            "Authorization": f"Bearer {key_of(api_key)}",
            "Accept": "application/json",
            "User-Agent": f"wassay/{__version__}",
        },
        "verify": certificates(),
    }
    try:
        return kind(**options)
    except ImportError:
        raise InvalidArgumentError(
            f"{named_proxies()} names a SOCKS proxy, which needs a package that is not "
            "installed: pip install 'httpx[socks]', or unset the variable"
        ) from None
    except (ValueError, httpx.InvalidURL):
        raise InvalidArgumentError(
            f"{named_proxies()} cannot be used: expected proxies such as http://host:3128, and in "
            "NO_PROXY names and addresses without brackets, such as localhost,::1"
        ) from None
