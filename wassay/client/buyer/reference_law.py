"""The law from which a buyer's reference is drawn."""

import secrets
from dataclasses import dataclass, field

from wassay.client.shared.arguments import as_count
from wassay.client.shared.shared_reference import SEED_BITS
from wassay.transport import Constant, Gamma, Normal, Normals, Reference, Uniform


@dataclass(frozen=True)
class ReferenceLaw:
    """The number of points of γ and the law of their coordinates.

    `Buyer.ask` draws γ from this law with a new seed. To choose the seed yourself, use a
    `Reference`.

    Parameters
    ----------
    size : int
        The number k of points. The method is exact for k = 1, and approximate in general for k > 1.
    distribution : Normal, Normals, Gamma, Uniform or Constant
        The law of the coordinates, which is published with the request.

    Raises
    ------
    InvalidArgumentError
        If `size` is not a whole number of at least 1.
    TransportError
        If the law does not fit the dimension; only `draw` and `Buyer.ask` raise this.

    Examples
    --------
    >>> Protocol(reference=ReferenceLaw(100, Normal(0.0, 5.0)))
    """

    size: int
    distribution: Normal | Normals | Gamma | Uniform | Constant = field(default_factory=Normal)

    def __post_init__(self) -> None:
        as_count(self.size, "the size of a reference")

    def draw(self, dimension: int) -> Reference:
        """Draw γ with a new seed.

        Parameters
        ----------
        dimension : int
            The number of coordinates.

        Returns
        -------
        Reference
        """
        return Reference(self.size, dimension, self.distribution, secrets.randbits(SEED_BITS))
