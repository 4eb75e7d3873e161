"""The clients: one service, one key, its resources; for callers who wait, and who await."""

from __future__ import annotations

from functools import cached_property
from types import TracebackType
from typing import Generic, Self

import httpx

from wassay.client.connection.connection import Connection
from wassay.client.connection.flows import (
    Awaiting,
    Blocking,
    Flowing,
    R,
    Runner,
    unrun,
)
from wassay.client.connection.runners import AwaitingRunner, BlockingRunner
from wassay.client.environment import address_of, http_client
from wassay.client.resources.accounts import Accounts
from wassay.client.resources.contributions import Contributions
from wassay.client.resources.disclosures import Disclosures
from wassay.client.resources.evaluations import Evaluations
from wassay.client.resources.listings import Listings
from wassay.client.resources.receipt_keys import ReceiptKeys
from wassay.client.resources.references import References
from wassay.client.resources.requests import Requests


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
        If the address or the key is missing or cannot be one, or if the variables that name proxies
        or certificates cannot be followed.
    """

    def __init__(
        self, base_url: str | None = None, api_key: str | None = None, *, timeout: float = 60.0
    ) -> None:
        address = address_of(base_url)
        self._http = http_client(httpx.Client, address, api_key, timeout)
        super().__init__(Connection(address), BlockingRunner(self._http))

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
        address = address_of(base_url)
        self._http = http_client(httpx.AsyncClient, address, api_key, timeout)
        super().__init__(Connection(address), AwaitingRunner(self._http))

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
