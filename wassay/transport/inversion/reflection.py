"""Compute one side's records from FedWad's ξ and the other side's records, by reflection."""

from __future__ import annotations

from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure
from wassay.transport.pushing.projection import project


def reflect(own: Measure, midpoint: Measure) -> Measure:
    """Compute the other side's records ν by reflecting one's own records μ in FedWad's ξ.

    FedWad (Rakotomamonjy et al. 2024) interpolates between measures in steps. Each step goes a
    share t of the way, and ξ is the result. Let μ and ν have equally many points, and let t be ½ in
    every step. Then ξ converges to the midpoints of pairs of a record of μ and one of ν. The
    optimal plan between μ and ξ sends each record x of μ to the midpoint z of its pair, so 2 z − x
    is the other record of the pair. If the step that computes ξ has another t, or ν has another
    size, the points 2 z − x are not ν.

    Parameters
    ----------
    own : Measure, n points
        The records μ of the side that attacks.
    midpoint : Measure, n points
        ξ after the last round.

    Returns
    -------
    Measure, n points
        The points 2 z − x, in the order of μ. If ν has as many points and t is ½, they are ν up to
        rounding once ξ has converged; until then, their distance to ν falls with the error of ξ.

    Raises
    ------
    TransportError
        If μ and ξ differ in size or dimension.
    NotCertified
        If the matching of μ with ξ cannot be certified.
    SolverMissing
        If the extra `solver` is not installed.
    """
    if own.size != midpoint.size:
        raise TransportError(
            f"expected ξ to have as many points as μ, {own.size}, received {midpoint.size}"
        )
    return Measure(2 * project(own, midpoint).images - own.points, own.weights)
