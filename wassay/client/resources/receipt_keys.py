"""The keys with which the service signs receipts."""

from wassay.client.connection.connection import Resource
from wassay.client.connection.flows import R
from wassay.client.connection.pagination import Pages
from wassay.models import ReceiptKey


class ReceiptKeys(Resource[R]):
    """The route `/v1/receipt-keys`."""

    def list(self) -> Pages[ReceiptKey, R]:
        """List all keys, both the key in use and retired keys."""
        return self._pages("receipt-keys", model=ReceiptKey)
