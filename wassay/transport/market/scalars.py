"""A sweep in few numbers: for sellers who solve it themselves and send nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wassay.transport.errors import TransportError
from wassay.transport.market.seller_costs import SellerCosts
from wassay.transport.measure import Measure
from wassay.transport.sweeps.curve import DistanceCurve, Line, SweepPoint


@dataclass(frozen=True)
class SweepScalars:
    """A solved sweep of W_2²: W_2²(η_μ(t0), η_ν(s_j)) = α_j + β_j s_j + A2 s_j².

    Attributes
    ----------
    quadratic_coefficient : float
        A2.
    rounding : float
        How far the costs may be off at the solved s, from float64 and from the gaps of the
        certificates, which are not sent.
    lines : mapping of s to Line
    """

    quadratic_coefficient: float
    rounding: float
    lines: Mapping[float, Line]

    @classmethod
    def solve(cls, seller: SellerCosts, buyer: Measure) -> SweepScalars:
        """Solve η_ν(s) against η_μ(t0) for every s.

        Parameters
        ----------
        seller : SellerCosts
        buyer : Measure, m points

        Raises
        ------
        TransportError
            When the costs are not those of one seller: A2 and the lines do not exist.
        NotCertified
            When a solve could not be proven.
        SolverMissing
            If the extra `solver` is not installed.
        """
        from wassay.transport.market.valuation import evaluate

        curve = evaluate(buyer.weights, [seller], list(seller.costs)).together
        lines = {point.s: point.line for point in curve.points if point.line is not None}
        if curve.quadratic_coefficient is None or len(lines) < len(seller.costs):
            raise TransportError(
                "the costs are not quadratic in s with one s² term, as those of η_ν(s) are: give "
                "the interpolations of one measure, in one order"
            )
        gap = max(upper - lower for lower, upper in (point.bounds for point in curve.points))
        return cls(curve.quadratic_coefficient, curve.rounding + max(gap, 0.0), lines)

    def curve(self) -> DistanceCurve:
        """The distance curve that these numbers say, without certificates."""
        points = tuple(
            SweepPoint(s, max(self._cost(s, line), 0.0), None, line)
            for s, line in sorted(self.lines.items())
        )
        return DistanceCurve(2, points, self.quadratic_coefficient, rounding=self.rounding)

    def _cost(self, s: float, line: Line) -> float:
        return line.alpha + line.beta * s + self.quadratic_coefficient * s**2
