"""Disclosures: who has come to see what of whose data."""

from __future__ import annotations

from typing import Literal

from wassay import disclosures
from wassay.client.connection.connection import Resource
from wassay.client.connection.flows import Flow, R, operation
from wassay.client.connection.pagination import Pages, whole
from wassay.models import CombinedDisclosure, Disclosure

Rows = list[Disclosure]
Combined = list[CombinedDisclosure]


class Disclosures(Resource[R]):
    """`/v1/disclosures`."""

    def list(
        self, *, role: Literal["owner", "viewer"] = "owner", request_id: str | None = None
    ) -> Pages[Disclosure, R]:
        """Who saw one's own data, or what one saw of others', newest first; of one request."""
        return self._pages("disclosures", model=Disclosure, role=role, request_id=request_id)

    @operation
    def ledger(self, *, head: str | None = None) -> Flow[Rows]:
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
        read = self._connection.pages("disclosures", model=Disclosure, role="owner")
        rows = yield from whole(read)
        return disclosures.verify(rows, head=head)

    @operation
    def combined(self) -> Flow[Combined]:
        """What every organisation can compute from all it saw of one's data, the worst first.

        Computed on this machine from the verified ledger.
        """
        return disclosures.combine((yield from Disclosures.ledger.flow(self)))
