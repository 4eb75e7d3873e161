"""Compute the other side's records from one's own records and the result of FedWad."""

from __future__ import annotations

from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure
from wassay.transport.pushing.projection import project


def reflect(own: Measure, midpoint: Measure) -> Measure:
    """Compute the other side's records ν by reflecting one's own records μ.

    They are reflected in ξ, the measure half-way between μ and ν at which FedWad arrives. This
    works if μ and ν have equally many points, and if all points move half-way in every step of
    FedWad (t = ½).

    Parameters
    ----------
    own : Measure, n points
        The records μ of the side that attacks.
    midpoint : Measure, n points
        ξ after the last round.

    Returns
    -------
    Measure, n points
        The records ν, in the order of μ, up to the error of ξ.

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
    # If the sizes are equal and t is ½, ξ converges to the midpoints of pairs of records. An
    # optimal plan sends each record x of μ to the midpoint z of its pair. The other record of the
    # pair is 2 z − x.
    return Measure(2 * project(own, midpoint).images - own.points, own.weights)
