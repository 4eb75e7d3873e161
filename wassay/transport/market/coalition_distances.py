"""Distances between coalitions of sellers and the buyer, each solved once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from numpy.typing import ArrayLike

from wassay.transport.certificate import Distance
from wassay.transport.costs.cost import Power
from wassay.transport.errors import TransportError
from wassay.transport.market.combined_measure import CombinedMeasure
from wassay.transport.market.seller_costs import SellerCosts
from wassay.transport.market.subproblems import require_members
from wassay.transport.measure import as_weights
from wassay.transport.solvers.solve import solve


class CoalitionDistances:
    """Computes W_p between the buyer and any coalition of sellers, and caches it.

    In a coalition, a seller's weight is proportional to the seller's number of points.

    Parameters
    ----------
    buyer_weights : array_like, shape (m,)
        Weights of the buyer's points.
    sellers : sequence of SellerCosts
        At least one, with distinct contribution ids.
    s : float
        The s at which the sellers' costs are taken.
    p : {1, 2}

    Raises
    ------
    TransportError
        If there is no seller, a contribution id is repeated, or a seller has no costs at s.
    """

    def __init__(
        self, buyer_weights: ArrayLike, sellers: Sequence[SellerCosts], s: float, p: Power = 2
    ) -> None:
        self._sellers = {seller.contribution_id: seller for seller in sellers}
        if not sellers or len(self._sellers) < len(sellers):
            raise TransportError(
                "expected at least one seller, each once, received "
                f"{[seller.contribution_id for seller in sellers]}"
            )
        missing = [name for name, seller in self._sellers.items() if s not in seller.costs]
        if missing:
            raise TransportError(
                f"expected costs at s = {s:g} from every seller, received none from "
                f"{', '.join(missing)}"
            )
        self._s, self._p = s, p
        total = sum(seller.size for seller in sellers)
        shares = tuple(seller.size / total for seller in sellers)
        self._grand_coalition = CombinedMeasure(tuple(sellers), shares)
        self._buyer = as_weights(buyer_weights, sellers[0].costs[s].shape[1])
        self._known: dict[frozenset[str], Distance] = {}

    def __call__(self, members: Iterable[str]) -> Distance:
        """Return the distance of a coalition, solving it unless it is cached.

        Parameters
        ----------
        members : iterable of str
            Contribution ids.

        Returns
        -------
        Distance
            With its certificate.

        Raises
        ------
        TransportError
            If the coalition is empty, or a member is not the contribution of any seller.
        NotCertified
            If the solution cannot be proven optimal.
        """
        coalition = frozenset(members)
        require_members(coalition, self._sellers)
        if coalition not in self._known:
            combined = self._grand_coalition.restricted_to(coalition)
            costs = {each.contribution_id: each.costs[self._s] for each in combined.members}
            cost = combined.cost(costs)
            solution = solve(cost, combined.weights, self._buyer)
            rounding = solution.rounding(cost, combined.extent, self._p)
            self._known[coalition] = Distance.from_certificate(
                solution.certificate, self._p, rounding
            )
        return self._known[coalition]
