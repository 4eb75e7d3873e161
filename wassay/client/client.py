"""The blocking and the asynchronous client of one service."""

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
from wassay.client.errors import InvalidArgumentError
from wassay.client.resources.accounts import Accounts
from wassay.client.resources.admin_actions import AdminActions
from wassay.client.resources.contributions import Contributions
from wassay.client.resources.disclosures import Disclosures
from wassay.client.resources.evaluations import Evaluations
from wassay.client.resources.listings import Listings
from wassay.client.resources.receipt_keys import ReceiptKeys
from wassay.client.resources.references import References
from wassay.client.resources.requests import Requests
from wassay.client.shared.arguments import brief


class Service(Generic[R]):
    """Base of the clients: the resources of one service."""

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
        self.admin_actions: AdminActions[R] = AdminActions(connection, run)

    @cached_property
    def flows(self) -> Service[Flowing]:
        """The same service with operations that are flows."""
        return Service(self._connection, unrun)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._connection.base_url!r})"


def require_client(client: object) -> None:
    """Raise unless a client was passed, such as its address instead.

    Raises
    ------
    InvalidArgumentError
        If it is something else.
    """
    if not isinstance(client, Service):
        raise InvalidArgumentError(
            f"expected a wassay.Client or wassay.AsyncClient, received {brief(client)}: pass "
            "wassay.Client(address, key)"
        )


class Client(Service[Blocking]):
    """Client of one service with one API key; use it in a ``with`` block, or `close` it.

    Calls are retried after connection failures and the statuses 429, 502, 503 and 504, unless a
    retry could repeat an effect.

    Parameters
    ----------
    base_url : str, optional
        Such as ``https://wassay.example``; by default the environment variable ``WASSAY_URL``.
    api_key : str, optional
        By default the environment variable ``WASSAY_API_KEY``.
    timeout : float
        Seconds that connecting, and each wait for bytes, may take.

    Raises
    ------
    InvalidArgumentError
        If the address or the key is missing or malformed, or an environment variable names a
        proxy or certificates that cannot be used.
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
    """Client with coroutines for operations; use it in an ``async with`` block, or `aclose` it.

    The operations of a `Buyer` or `Seller` of this client, and of the objects they return, are
    coroutines too. Their computations run in threads and do not block the event loop. A cancelled
    operation cleans up as a failed one does; `Buyer.ask` cancels its unopened request.

    Parameters
    ----------
    base_url, api_key, timeout
        As for `Client`.
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
