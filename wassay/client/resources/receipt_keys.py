"""The keys that the service signs receipts with."""

from wassay.client.connection import Connection
from wassay.client.pages import Pages
from wassay.models import ReceiptKey


class ReceiptKeys:
    """`/v1/receipt-keys`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self) -> Pages[ReceiptKey]:
        """Every key, those in use and the retired ones."""
        return self._connection.list("receipt-keys", model=ReceiptKey)
