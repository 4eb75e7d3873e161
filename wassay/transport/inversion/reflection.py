"""Compute the other side's records from one's own records and the result of FedWad.

FedWad is a protocol in which two sides exchange measures until they arrive at the one half-way
between both (see `wassay.transport.fedwad_rounds`).
"""

from __future__ import annotations

from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure
from wassay.transport.pushing.projection import project


def reflect(own: Measure, midpoint: Measure) -> Measure:
    """Compute the other side's records by reflecting one's own records in FedWad's midpoint.

    This works if both sides have equally many points, and every step of FedWad moves points
    half-way.

    Parameters
    ----------
    own : Measure, n points
        The records of the side that attacks.
    midpoint : Measure, n points
        The measure half-way between both sides, at which FedWad arrives in the last round.

    Returns
    -------
    Measure, n points
        The other side's records, in the order of `own`, up to the error of `midpoint`.

    Raises
    ------
    TransportError
        If `own` and `midpoint` differ in size or dimension.
    NotCertified
        If the matching of `own` with `midpoint` cannot be certified.
    SolverMissing
        If the extra `solver` is not installed.
    """
    if own.size != midpoint.size:
        raise TransportError(
            f"expected ξ to have as many points as μ, {own.size}, received {midpoint.size}"
        )
    # If the sizes are equal and every step moves points by t = ½, FedWad converges to the midpoints
    # of pairs of records. An optimal plan sends each own record x to the midpoint z of its pair.
    # The other record of the pair is 2 z − x.
    return Measure(2 * project(own, midpoint).images - own.points, own.weights)
