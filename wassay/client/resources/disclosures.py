"""Disclosures: who has come to see what of whose data."""

from __future__ import annotations

from typing import Literal

from wassay import disclosures
from wassay.client.connection import Connection
from wassay.client.pages import Pages
from wassay.models import CombinedDisclosure, Disclosure

Rows = list[Disclosure]
Combined = list[CombinedDisclosure]


class Disclosures:
    """`/v1/disclosures`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(
        self, *, role: Literal["owner", "viewer"] = "owner", request_id: str | None = None
    ) -> Pages[Disclosure]:
        """Who saw one's own data, or what one saw of others', newest first; of one request."""
        return self._connection.list(
            "disclosures", model=Disclosure, role=role, request_id=request_id
        )

    def ledger(self, *, head: str | None = None) -> Rows:
        """One's own whole ledger, oldest first, verified on this machine.

        Parameters
        ----------
        head : str, optional
            A hash that one has kept from earlier: the ledger must still contain it.

        Raises
        ------
        BrokenLedger
            When rows are missing or were changed.
        """
        return disclosures.verify(self.list(), head=head)

    def combined(self) -> Combined:
        """What every organisation can compute from all it saw of one's data, the worst first.

        Computed on this machine from the verified ledger.
        """
        return disclosures.combine(self.ledger())
