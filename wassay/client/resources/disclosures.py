"""The ledger of disclosures: what was disclosed about whose data, and to whom."""

from __future__ import annotations

from typing import Literal

from wassay.client.connection.connection import Resource
from wassay.client.connection.flows import Flow, R, operation
from wassay.client.connection.pagination import Pages, Records, read_all
from wassay.disclosures import combine
from wassay.ledger import verify
from wassay.models import CombinedDisclosure, Disclosure


class Disclosures(Resource[R]):
    """The route `/v1/disclosures`."""

    def list(
        self, *, role: Literal["owner", "viewer"] = "owner", request_id: str | None = None
    ) -> Pages[Disclosure, R]:
        """List disclosures of the caller's data; with the role `viewer`, disclosures to the caller.

        If `request_id` is given, only disclosures of this request are listed.
        """
        return self._pages("disclosures", model=Disclosure, role=role, request_id=request_id)

    @operation
    def ledger(self, *, head: str | None = None) -> Flow[Records[Disclosure]]:
        """Read the caller's whole ledger, oldest row first, and verify its hash chain.

        Parameters
        ----------
        head : str, optional
            The hash of a row from an earlier reading. The ledger must still contain that row.

        Raises
        ------
        BrokenLedger
            If rows are missing or were changed.
        """
        read = self._connection.pages("disclosures", model=Disclosure, role="owner")
        rows = yield from read_all(read)
        return Records(verify(rows, head=head))

    @operation
    def combined(self) -> Flow[Records[CombinedDisclosure]]:
        """Compute what each viewer can learn about each of the caller's datasets.

        A viewer is an organisation or the service. The most revealing item comes first.
        """
        return Records(combine((yield from Disclosures.ledger.flow(self))))
