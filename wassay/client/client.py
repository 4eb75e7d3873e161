"""The clients: one service, one key, its resources; for callers who wait, and who await."""

from __future__ import annotations

import os
import ssl
from functools import cache, cached_property
from types import TracebackType
from typing import Any, Generic, Self
from urllib.parse import urlsplit

import httpx

from wassay import __version__
from wassay.client.arguments import as_positive
from wassay.client.connection import Connection
from wassay.client.errors import InvalidArgumentError
from wassay.client.flows import Awaiting, Blocking, Flowing, R, Runner, unrun
from wassay.client.resources.accounts import Accounts
from wassay.client.resources.contributions import Contributions
from wassay.client.resources.disclosures import Disclosures
from wassay.client.resources.evaluations import Evaluations
from wassay.client.resources.listings import Listings
from wassay.client.resources.receipt_keys import ReceiptKeys
from wassay.client.resources.references import References
from wassay.client.resources.requests import Requests
from wassay.client.runners import AwaitingRunner, BlockingRunner


class Service(Generic[R]):
    """The resources of one service."""

    def __init__(self, connection: Connection, run: Runner) -> None:
        self._connection = connection
        self.run = run
        self.accounts: Accounts[R] = Accounts(connection, run)
        self.listings: Listings[R] = Listings(connection, run)
        self.references: References[R] = References(connection, run)
        self.requests: Requests[R] = Requests(connection, run)
        self.contributions: Contributions[R] = Contributions(connection, run)
        self.evaluations: Evaluations[R] = Evaluations(connection, run)
        self.disclosures: Disclosures[R] = Disclosures(connection, run)
        self.receipt_keys: ReceiptKeys[R] = ReceiptKeys(connection, run)

    @cached_property
    def flows(self) -> Service[Flowing]:
        """The same for flows to go through."""
        return Service(self._connection, unrun)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._connection.base_url!r})"


class Client(Service[Blocking]):
    """Speaks to one service with one API key; use it in a ``with`` block, or `close` it.

    Calls are repeated after connection failures and 429, 502, 503 and 504, where that cannot do
    anything twice.

    Parameters
    ----------
    base_url : str, optional
        Such as ``https://wassay.example``; the variable ``WASSAY_URL`` when left out.
    api_key : str, optional
        The variable ``WASSAY_API_KEY`` when left out. There is no default key.
    timeout : float
        Seconds that connecting, and each wait for bytes, may take.

    Raises
    ------
    InvalidArgumentError
        When the address or the key is missing or cannot be one.
    """

    def __init__(
        self, base_url: str | None = None, api_key: str | None = None, *, timeout: float = 60.0
    ) -> None:
        self._http = httpx.Client(**_settings(base_url, api_key, timeout))
        super().__init__(Connection(_address(base_url)), BlockingRunner(self._http))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()


class AsyncClient(Service[Awaiting]):
    """A client whose operations are awaited; use it in an ``async with`` block, or `aclose` it.

    `Buyer`, `Seller`, and whatever these give, are awaited too when they are made with one. What
    they compute runs in threads, so that the event loop goes on. An operation that is cancelled
    cleans up as one that failed does: a request that was not opened yet is given up.

    Parameters
    ----------
    base_url, api_key, timeout
        As of `Client`.
    """

    def __init__(
        self, base_url: str | None = None, api_key: str | None = None, *, timeout: float = 60.0
    ) -> None:
        self._http = httpx.AsyncClient(**_settings(base_url, api_key, timeout))
        super().__init__(Connection(_address(base_url)), AwaitingRunner(self._http))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()


def _settings(base_url: str | None, api_key: str | None, timeout: float) -> dict[str, Any]:
    """What httpx's clients are made with."""
    return {
        "base_url": _address(base_url),
        "timeout": as_positive(timeout, "timeout"),
        "verify": _certificates(),
        "headers": {
            "Authorization": f"Bearer {_key(api_key)}",
            "Accept": "application/json",
            "User-Agent": f"wassay/{__version__}",
        },
    }


@cache
def _certificates() -> ssl.SSLContext:
    """Whom clients trust; reading it takes longer than most calls, so they all share it."""
    return httpx.create_ssl_context()


def _address(given: str | None) -> str:
    address = given or os.environ.get("WASSAY_URL")
    if not address:
        raise InvalidArgumentError("no address: pass base_url=, or set WASSAY_URL")
    try:
        parts = urlsplit(address)
        known = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known or not address.isprintable():
        raise InvalidArgumentError(
            f"expected an address such as https://host or http://host:8000, got {address!r}"
        )
    return address.rstrip("/")


def _key(given: str | None) -> str:
    key = given or os.environ.get("WASSAY_API_KEY")
    if not key:
        raise InvalidArgumentError("no API key: pass api_key=, or set WASSAY_API_KEY")
    if not (key.isascii() and key.isprintable() and " " not in key):
        # The key itself is not repeated here: messages end up in logs.
        raise InvalidArgumentError(
            "an API key is printable ASCII without spaces; this one holds something else, often a "
            "line break at the end of the file that it was read from"
        )
    return key
