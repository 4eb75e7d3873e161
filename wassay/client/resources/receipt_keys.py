"""The keys that the service signs receipts with."""

from wassay.client.connection.connection import Resource
from wassay.client.connection.flows import R
from wassay.client.connection.pagination import Pages
from wassay.models import ReceiptKey


class ReceiptKeys(Resource[R]):
    """`/v1/receipt-keys`."""

    def list(self) -> Pages[ReceiptKey, R]:
        """Every key, those in use and the retired ones."""
        return self._pages("receipt-keys", model=ReceiptKey)
