"""A distribution of the reference with a mean and a standard deviation for each coordinate."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from wassay.transport.errors import TransportError
from wassay.transport.pushing.normal_quantile import normal_quantile


@dataclass(frozen=True)
class Normals:
    """Independent normal distributions, one for each coordinate.

    Means and standard deviations are published, so do not compute them from private data.

    Parameters
    ----------
    mean : sequence of d floats
        Mean of each coordinate.
    std : sequence of d floats
        Standard deviation of each coordinate, > 0.

    Raises
    ------
    TransportError
        If `mean` or `std` is empty or not finite, they differ in length, or a standard deviation is
        not positive.
    """

    mean: Sequence[float]
    std: Sequence[float]

    def __post_init__(self) -> None:
        for name in ("mean", "std"):
            object.__setattr__(self, name, _finite_numbers(name, getattr(self, name)))
        if min(self.std) <= 0:
            raise TransportError(f"a normals reference: expected std > 0, received {min(self.std)}")
        if len(self.mean) != len(self.std):
            raise TransportError(
                "a normals reference: expected one mean and one std for each coordinate, received "
                f"{len(self.mean)} and {len(self.std)}"
            )

    @property
    def dimension(self) -> int:
        """Number of coordinates d."""
        return len(self.mean)

    def quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the quantiles of each coordinate: its inverse CDF at u.

        Parameters
        ----------
        u : ndarray, shape (k, d)
            In (0, 1).

        Returns
        -------
        ndarray, shape (k, d)
        """
        mean, std = np.asarray(self.mean), np.asarray(self.std)
        return np.asarray(mean + std * normal_quantile(u), dtype=np.float64)


def _finite_numbers(name: str, given: object) -> tuple[float, ...]:
    """Convert a parameter with one number for each coordinate to Python floats.

    Raise TransportError, with the parameter's `name`, if there is no number or one is not finite.
    """
    numbers = tuple(given) if isinstance(given, Sequence | np.ndarray) else ()
    if not numbers or not all(
        isinstance(each, Real) and not isinstance(each, bool) and math.isfinite(each)
        for each in numbers
    ):
        raise TransportError(
            f"a normals reference: expected a finite {name} for each coordinate, received {given!r}"
        )
    return tuple(map(float, numbers))
