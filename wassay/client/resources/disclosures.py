"""Disclosures: the ledger of what was disclosed of whose data to whom."""

from __future__ import annotations

from typing import Literal

from wassay import disclosures
from wassay.client.connection.connection import Resource
from wassay.client.connection.flows import Flow, R, operation
from wassay.client.connection.pagination import Pages, read_all
from wassay.models import CombinedDisclosure, Disclosure

Rows = list[Disclosure]
Combined = list[CombinedDisclosure]


class Disclosures(Resource[R]):
    """`/v1/disclosures`."""

    def list(
        self, *, role: Literal["owner", "viewer"] = "owner", request_id: str | None = None
    ) -> Pages[Disclosure, R]:
        """List disclosures of one's own data or, as the viewer, of others' data to oneself."""
        return self._pages("disclosures", model=Disclosure, role=role, request_id=request_id)

    @operation
    def ledger(self, *, head: str | None = None) -> Flow[Rows]:
        """Read one's own whole ledger, oldest first, and verify its hash chain on this machine.

        Parameters
        ----------
        head : str, optional
            A hash from an earlier reading, which the ledger must still contain.

        Raises
        ------
        BrokenLedger
            If rows are missing or were changed.
        """
        read = self._connection.pages("disclosures", model=Disclosure, role="owner")
        rows = yield from read_all(read)
        return disclosures.verify(rows, head=head)

    @operation
    def combined(self) -> Flow[Combined]:
        """Compute what each organisation can learn from all that it received, the most first.

        The result is computed on this machine from the verified ledger.
        """
        return disclosures.combine((yield from Disclosures.ledger.flow(self)))
