"""The reference measure γ: random points that parties derive from a few shared parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np
from numpy.typing import NDArray

from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure
from wassay.transport.optional_packages import require_solver
from wassay.transport.pushing.normal_quantile import normal_quantile
from wassay.transport.pushing.normals import Normals
from wassay.transport.pushing.uniform_numbers import uniforms

SEED_LIMIT = 2**128
"""Seeds are Philox keys of 128 bits."""

_LARGEST_COORDINATE_COUNT = 2**31


@dataclass(frozen=True)
class Normal:
    """The normal distribution; ``std=0`` gives the constant `mean`.

    Parameters
    ----------
    mean : float
        Mean.
    std : float
        Standard deviation, >= 0.

    Raises
    ------
    TransportError
        If a parameter is not finite, or `std` is negative.
    """

    mean: float = 0.0
    std: float = 1.0

    def __post_init__(self) -> None:
        _require_finite(self, "mean", "std")
        if self.std < 0:
            raise TransportError(f"a normal reference: expected std >= 0, received {self.std}")

    def quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the quantiles of this distribution: its inverse CDF at u.

        Parameters
        ----------
        u : ndarray
            In (0, 1).

        Returns
        -------
        ndarray
            Array of the same shape.
        """
        return np.asarray(self.mean + self.std * normal_quantile(u), dtype=np.float64)


@dataclass(frozen=True)
class Gamma:
    """The gamma distribution with density ∝ x^(shape−1) e^(−x/scale).

    Parameters
    ----------
    shape, scale : float
        Positive.

    Raises
    ------
    TransportError
        If a parameter is not finite or not positive.
    """

    shape: float
    scale: float

    def __post_init__(self) -> None:
        _require_finite(self, "shape", "scale")
        if self.shape <= 0 or self.scale <= 0:
            raise TransportError(
                "a gamma reference: expected shape > 0 and scale > 0, received "
                f"{self.shape} and {self.scale}"
            )

    def quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the quantiles of this distribution: its inverse CDF at u.

        Parameters
        ----------
        u : ndarray
            In (0, 1).

        Returns
        -------
        ndarray
            Array of the same shape.

        Raises
        ------
        SolverMissing
            If the extra `solver` is not installed.
        """
        require_solver("a gamma reference")
        from scipy.special import gammaincinv

        return np.asarray(self.scale * gammaincinv(self.shape, u), dtype=np.float64)


@dataclass(frozen=True)
class Uniform:
    """The uniform distribution on [low, high).

    Parameters
    ----------
    low, high : float
        low < high.

    Raises
    ------
    TransportError
        If a parameter is not finite, or low >= high.
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        _require_finite(self, "low", "high")
        if self.low >= self.high:
            raise TransportError(
                f"a uniform reference: expected low < high, received {self.low} and {self.high}"
            )

    def quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the quantiles of this distribution: its inverse CDF at u.

        Parameters
        ----------
        u : ndarray
            In (0, 1).

        Returns
        -------
        ndarray
            Array of the same shape.
        """
        return np.asarray(self.low + (self.high - self.low) * u, dtype=np.float64)


@dataclass(frozen=True)
class Constant:
    """The constant distribution: all points of the reference are equal.

    Parameters
    ----------
    value : float
        Value of every coordinate.

    Raises
    ------
    TransportError
        If the value is not finite.
    """

    value: float

    def __post_init__(self) -> None:
        _require_finite(self, "value")

    def quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the value, whatever u is.

        Parameters
        ----------
        u : ndarray
            In (0, 1).

        Returns
        -------
        ndarray
            Array of the same shape.
        """
        return np.full_like(u, self.value)


@dataclass(frozen=True)
class Reference:
    """The reference γ: random points that all parties derive from the same parameters.

    Parameters
    ----------
    size : int
        Number of points k.
    dimension : int
        Dimension d of the space.
    distribution : Normal, Normals, Gamma, Uniform or Constant
        Distribution of each coordinate, independent of the others. `Normals` has one distribution
        for each coordinate.
    seed : int
        0 <= seed < 2**128.
    derivation : int
        Version of the derivation in the Notes; only 1 exists.

    Raises
    ------
    TransportError
        If a parameter is out of its range.

    Notes
    -----
    The measure is γ = (1/k) Σ_l δ_{γ_l}. Derivation 1, in full, so that any program can repeat it:

    1. Take the 64-bit words of Philox4x64-10 (Salmon et al. 2011): the four words for counter 1,
       then those for counters 2, 3 and so on. The 128-bit key is `seed`, and its low 64 bits are
       the first key word.
    2. Map word w to u = ((w >> 12) + ½) / 2⁵², an odd multiple of 2⁻⁵³ in (0, 1).
    3. Coordinate c of point l is the distribution's inverse CDF at the u of word l·dimension + c.
       Words, points and coordinates are counted from 0.

    Points of normal, uniform and constant distributions have the same bits on every machine. The
    last bits of points of gamma distributions depend on scipy's version.
    """

    size: int
    dimension: int
    distribution: Normal | Normals | Gamma | Uniform | Constant
    seed: int
    derivation: int = 1

    def __post_init__(self) -> None:
        for name in ("size", "dimension", "seed"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, Integral):
                raise TransportError(f"a reference: expected an integer {name}, received {value!r}")
            object.__setattr__(self, name, int(value))  # JSON cannot hold numpy's integers
        if not isinstance(self.distribution, Normal | Normals | Gamma | Uniform | Constant):
            raise TransportError(
                "a reference: expected a Normal, Normals, Gamma, Uniform or Constant distribution, "
                f"received {self.distribution!r}"
            )
        if self.size < 1 or self.dimension < 1:
            raise TransportError(
                "a reference: expected at least one point and one coordinate, "
                f"received size {self.size} and dimension {self.dimension}"
            )
        if self.size * self.dimension > _LARGEST_COORDINATE_COUNT:
            raise TransportError(
                "a reference: expected size times dimension to be at most "
                f"{_LARGEST_COORDINATE_COUNT}, received {self.size} times {self.dimension}: use "
                "fewer points"
            )
        law = self.distribution
        if isinstance(law, Normals) and law.dimension != self.dimension:
            raise TransportError(
                f"a reference: expected normals in {self.dimension} coordinates, received "
                f"{law.dimension} of them"
            )
        if not 0 <= self.seed < SEED_LIMIT:
            raise TransportError(f"a reference: expected 0 <= seed < 2**128, received {self.seed}")
        if self.derivation != 1:
            raise TransportError(f"a reference: expected derivation 1, received {self.derivation}")

    def measure(self) -> Measure:
        """Derive the points of the reference.

        Returns
        -------
        Measure
            The k points in d dimensions, with uniform weights.

        Raises
        ------
        SolverMissing
            If the distribution is `Gamma` and the extra `solver` is not installed.
        """
        # numpy's own distributions are not used: their streams may change between releases.
        words = np.random.Philox(key=self.seed).random_raw(self.size * self.dimension)
        u = uniforms(words).reshape(self.size, self.dimension)
        return Measure(self.distribution.quantile(u))


def _require_finite(distribution: object, *names: str) -> None:
    """Raise TransportError unless the distribution's attributes `names` are finite numbers.

    Replace numpy's numbers, such as float32, by Python floats.
    """
    for name in names:
        value = getattr(distribution, name)
        if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
            raise TransportError(
                f"a {type(distribution).__name__.lower()} reference: expected a finite {name}, "
                f"received {value!r}"
            )
        if not isinstance(value, int | float):
            # JSON cannot hold numpy's numbers.
            object.__setattr__(distribution, name, float(value))
