"""Compute one side's records from FedWad's ξ and the other side's records, by reflection."""

from __future__ import annotations

from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure
from wassay.transport.pushing.projection import project


def reflect(own: Measure, midpoint: Measure) -> Measure:
    """Compute the other side's records as 2 ξ̄ − μ, where ξ̄ are the images of μ in FedWad's ξ.

    If μ and ν have equally many points and t is ½ in every step, FedWad's ξ (Rakotomamonjy et al.
    2024) converges to the pointwise midpoint of a matching of μ with ν. The optimal matching of μ
    with ξ then follows the same pairs, so that the reflection of a record in its image is its
    partner in ν. If t differs in the step that computes ξ, or ν has another size, ν̂ is not ν.

    Parameters
    ----------
    own : Measure, n points
        μ, the records of the side that attacks.
    midpoint : Measure, n points
        ξ after the last round.

    Returns
    -------
    Measure, n points
        ν̂, in the order of μ. Under these conditions, ν̂ equals ν up to rounding once ξ has
        converged; until then, W(ν̂, ν) falls with the error of ξ.

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
