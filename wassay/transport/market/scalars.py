"""A solved sweep as a few scalars, for sellers who solve locally and send only the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wassay.transport.errors import TransportError
from wassay.transport.market.seller_costs import SellerCosts
from wassay.transport.measure import Measure
from wassay.transport.sweeps.curve import DistanceCurve, Line, SweepPoint


@dataclass(frozen=True)
class SweepScalars:
    """A solved sweep as numbers: at each s, W_2² is α + β s + A2 s².

    Attributes
    ----------
    quadratic_coefficient : float
        The coefficient A2, the same at every s.
    rounding : float
        Bound on the rounding error of the costs, at every s of `lines`.
    lines : mapping of s to Line
        At each s: the line α + β s of the plan that is optimal there.
    """

    quadratic_coefficient: float
    rounding: float
    lines: Mapping[float, Line]

    @classmethod
    def solve(cls, seller: SellerCosts, buyer: Measure) -> SweepScalars:
        """Solve the costs between a seller's and the buyer's pushed measures at every s.

        Parameters
        ----------
        seller : SellerCosts
        buyer : Measure, m points
            The buyer's pushed measure η_μ(t0).

        Returns
        -------
        SweepScalars

        Raises
        ------
        TransportError
            If the costs do not come from one seller's measures.
        NotCertified
            If a solution cannot be proven optimal.
        SolverMissing
            If the extra `solver` is not installed.
        """
        from wassay.transport.market.valuation import evaluate

        curve = evaluate(buyer.weights, [seller], list(seller.costs)).grand_coalition
        lines = {point.s: point.line for point in curve.points if point.line is not None}
        if curve.quadratic_coefficient is None or len(lines) < len(seller.costs):
            raise TransportError(
                "expected costs that are quadratic in s, with the same s² term for every plan; "
                "these are not. Interpolate one measure for every s, and keep its rows in order"
            )
        gap = max(upper - lower for lower, upper in (point.bounds for point in curve.points))
        return cls(curve.quadratic_coefficient, curve.rounding + max(gap, 0.0), lines)

    def curve(self) -> DistanceCurve:
        """Build the distance curve of these scalars, without certificates.

        Returns
        -------
        DistanceCurve
        """
        points = tuple(
            SweepPoint(s, max(self._cost(s, line), 0.0), None, line)
            for s, line in sorted(self.lines.items())
        )
        return DistanceCurve(2, points, self.quadratic_coefficient, rounding=self.rounding)

    def _cost(self, s: float, line: Line) -> float:
        return line.alpha + line.beta * s + self.quadratic_coefficient * s**2
