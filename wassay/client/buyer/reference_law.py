"""The size and the law of a reference, whose seed `ask` draws."""

import secrets
from dataclasses import dataclass, field

from wassay.client.shared.arguments import as_count
from wassay.client.shared.reference import SEED_BITS
from wassay.transport import Constant, Gamma, Normal, Normals, Reference, Uniform


@dataclass(frozen=True)
class ReferenceLaw:
    """γ by its size and law, to be drawn in the dimension of the compared points.

    A `Reference` also has a seed and a dimension. Here the seed is drawn anew for each request, and
    the dimension is that of the points, which the caller may not know if a recipe makes them.

    Parameters
    ----------
    size : int
        Number of points k. With one, the method is exact; with more, it is not in general.
    distribution : Normal, Normals, Gamma, Uniform or Constant
        Law of the coordinates. Everybody learns it.

    Raises
    ------
    InvalidArgumentError
        If `size` is not a whole number of at least 1.
    TransportError
        When `ask` draws γ: if the law does not fit the dimension.

    Examples
    --------
    >>> Protocol(reference=ReferenceLaw(100, Normal(0.0, 5.0)))
    """

    size: int
    distribution: Normal | Normals | Gamma | Uniform | Constant = field(default_factory=Normal)

    def __post_init__(self) -> None:
        as_count(self.size, "the size of a reference")

    def draw(self, dimension: int) -> Reference:
        """Draw γ with a fresh seed.

        Parameters
        ----------
        dimension : int
            Number of coordinates.

        Returns
        -------
        Reference
        """
        return Reference(self.size, dimension, self.distribution, secrets.randbits(SEED_BITS))
