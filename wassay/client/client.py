"""The client: one service, one key, its resources."""

import os
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from wassay import __version__
from wassay.client.connection import Connection
from wassay.client.errors import InvalidArgumentError
from wassay.client.resources.accounts import Accounts
from wassay.client.resources.contributions import Contributions
from wassay.client.resources.disclosures import Disclosures
from wassay.client.resources.evaluations import Evaluations
from wassay.client.resources.listings import Listings
from wassay.client.resources.receipt_keys import ReceiptKeys
from wassay.client.resources.references import References
from wassay.client.resources.requests import Requests


class Client:
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
        connection = Connection(_address(base_url), _key(api_key), timeout, __version__)
        self._connection = connection
        self.accounts = Accounts(connection)
        self.listings = Listings(connection)
        self.references = References(connection)
        self.requests = Requests(connection)
        self.contributions = Contributions(connection)
        self.evaluations = Evaluations(connection)
        self.disclosures = Disclosures(connection)
        self.receipt_keys = ReceiptKeys(connection)

    def __repr__(self) -> str:
        return f"Client({self._connection.base_url!r})"

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
        self._connection.close()


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
