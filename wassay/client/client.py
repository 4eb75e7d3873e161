"""The blocking client of a service, and the asynchronous client."""

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
    return_flow,
)
from wassay.client.connection.http_client import http_client
from wassay.client.connection.runners import AwaitingRunner, BlockingRunner
from wassay.client.environment import address_of, key_of
from wassay.client.resources.accounts import Accounts
from wassay.client.resources.admin_actions import AdminActions
from wassay.client.resources.contributions import Contributions
from wassay.client.resources.disclosures import Disclosures
from wassay.client.resources.evaluations import Evaluations
from wassay.client.resources.listings import Listings
from wassay.client.resources.receipt_keys import ReceiptKeys
from wassay.client.resources.references import References
from wassay.client.resources.requests import Requests
from wassay.client.shared.arguments import described
from wassay.errors import InvalidArgumentError


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
        """The same service, with operations that return flows instead of running them."""
        return Service(self._connection, return_flow)

    @property
    def key_digest(self) -> str:
        """The SHA-256 of the API key, in hexadecimal digits."""
        return self._connection.key_digest

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._connection.base_url!r})"


def require_client(client: object) -> None:
    """Raise unless `client` is a client.

    Raises
    ------
    InvalidArgumentError
        If `client` is something else, such as the address of a service.
    """
    if not isinstance(client, Service):
        raise InvalidArgumentError(
            f"expected a wassay.Client or wassay.AsyncClient, received {described(client)}: pass "
            "wassay.Client(address, key)"
        )


class Client(Service[Blocking]):
    """Client of one service with one API key; use it in a ``with`` block, or `close` it.

    After a connection failure or the status 429, 502, 503 or 504, a call is retried, unless the
    retry could repeat an effect.

    Parameters
    ----------
    base_url : str, optional
        The service's address, such as ``https://wassay.example``. By default the value of the
        environment variable ``WASSAY_URL``.
    api_key : str, optional
        By default the value of the environment variable ``WASSAY_API_KEY``.
    timeout : float
        The most seconds to wait for a connection, or for the next byte.

    Raises
    ------
    InvalidArgumentError
        If the address or the key is missing or malformed, `timeout` is not positive, or an
        environment variable names a proxy or certificates that cannot be used.
    """

    def __init__(
        self, base_url: str | None = None, api_key: str | None = None, *, timeout: float = 60.0
    ) -> None:
        address = address_of(base_url)
        self._http = http_client(httpx.Client, address, api_key, timeout)
        super().__init__(Connection(address, key_of(api_key)), BlockingRunner(self._http))

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
    """Client whose operations are coroutines; use it in an ``async with`` block, or `aclose` it.

    The operations of a `Buyer` or `Seller` with this client are coroutines too. Computations run in
    threads and do not block the event loop.

    Parameters
    ----------
    base_url, api_key, timeout
        See `Client`.

    Notes
    -----
    A cancelled operation cleans up as a failed operation does.
    """

    def __init__(
        self, base_url: str | None = None, api_key: str | None = None, *, timeout: float = 60.0
    ) -> None:
        address = address_of(base_url)
        self._http = http_client(httpx.AsyncClient, address, api_key, timeout)
        super().__init__(Connection(address, key_of(api_key)), AwaitingRunner(self._http))

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
