"""The reference measure γ: random points that two parties derive alike from a few parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np
from numpy.typing import NDArray

from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure
from wassay.transport.pushing.quantiles import normal_quantile
from wassay.transport.pushing.words import uniforms
from wassay.transport.solver import require_solver

SEED_LIMIT = 2**128
"""Seeds are Philox keys, 128 bits."""

_LARGEST_COORDINATE_COUNT = 2**31


@dataclass(frozen=True)
class Normal:
    """The normal distribution; `std` 0 gives the constant `mean`."""

    mean: float = 0.0
    std: float = 1.0

    def __post_init__(self) -> None:
        _require_finite(self, "mean", "std")
        if self.std < 0:
            raise TransportError(f"a normal reference needs std >= 0, got {self.std}")

    def quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Inverse CDF at 0 < u < 1."""
        return np.asarray(self.mean + self.std * normal_quantile(u), dtype=np.float64)


@dataclass(frozen=True)
class Gamma:
    """The gamma distribution with density ∝ x^(shape−1) e^(−x/scale)."""

    shape: float
    scale: float

    def __post_init__(self) -> None:
        _require_finite(self, "shape", "scale")
        if self.shape <= 0 or self.scale <= 0:
            raise TransportError(
                f"a gamma reference needs shape and scale > 0, got {self.shape} and {self.scale}"
            )

    def quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Inverse CDF at 0 < u < 1.

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
    """The uniform distribution on [low, high)."""

    low: float
    high: float

    def __post_init__(self) -> None:
        _require_finite(self, "low", "high")
        if self.low >= self.high:
            raise TransportError(
                f"a uniform reference needs low < high, got {self.low} and {self.high}"
            )

    def quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Inverse CDF at 0 < u < 1."""
        return np.asarray(self.low + (self.high - self.low) * u, dtype=np.float64)


@dataclass(frozen=True)
class Constant:
    """All coordinates equal to `value`: a reference without randomness (σ_γ = 0)."""

    value: float

    def __post_init__(self) -> None:
        _require_finite(self, "value")

    def quantile(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """The value itself, whatever u is."""
        return np.full_like(u, self.value)


@dataclass(frozen=True)
class Reference:
    """γ = (1/k) Σ δ_{γ_l}, derived from parameters so that both parties hold the same points.

    Derivation 1, in full, so that any program can repeat it:

    1. The 64-bit words of Philox4x64-10 (Salmon et al. 2011) with the 128-bit key `seed` (its low
       64 bits are the first key word) are taken in the order in which counters 1, 2, 3, … and the
       four words of each counter's block come.
    2. Word w becomes u = ((w >> 12) + ½) / 2⁵², an odd multiple of 2⁻⁵³ strictly between 0 and 1.
    3. Coordinate c of point l is the distribution's inverse CDF at the u of word l·dimension + c.

    numpy's own distributions are not used: their streams may change between releases.

    Parameters
    ----------
    size : int
        Number of points k.
    dimension : int
        Dimension d of the space.
    distribution : Normal, Gamma, Uniform or Constant
        Of every coordinate, independently.
    seed : int
        0 <= seed < 2**128.
    derivation : int
        Version of the recipe above; only 1 exists.

    Raises
    ------
    TransportError
        When a parameter is out of its range.
    """

    size: int
    dimension: int
    distribution: Normal | Gamma | Uniform | Constant
    seed: int
    derivation: int = 1

    def __post_init__(self) -> None:
        for name in ("size", "dimension", "seed"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, Integral):
                raise TransportError(f"a reference needs a whole number as {name}, got {value!r}")
            object.__setattr__(self, name, int(value))  # numpy's cannot be written as JSON
        if not isinstance(self.distribution, Normal | Gamma | Uniform | Constant):
            raise TransportError(
                "a reference needs a Normal, Gamma, Uniform or Constant distribution, got "
                f"{self.distribution!r}"
            )
        if self.size < 1 or self.dimension < 1:
            raise TransportError(
                "a reference needs at least one point and one coordinate, "
                f"got size {self.size} and dimension {self.dimension}"
            )
        if self.size * self.dimension > _LARGEST_COORDINATE_COUNT:
            raise TransportError(
                f"a reference of {self.size} points in dimension {self.dimension} exceeds "
                f"{_LARGEST_COORDINATE_COUNT} coordinates: use fewer points"
            )
        if not 0 <= self.seed < SEED_LIMIT:
            raise TransportError(f"a seed is an integer in [0, 2**128), got {self.seed}")
        if self.derivation != 1:
            raise TransportError(f"derivation 1 is the only one known, got {self.derivation}")

    def measure(self) -> Measure:
        """Derive the points; equal parameters give equal points on every machine."""
        words = np.random.Philox(key=self.seed).random_raw(self.size * self.dimension)
        coordinates = self.distribution.quantile(uniforms(words))
        return Measure(coordinates.reshape(self.size, self.dimension))


def _require_finite(distribution: object, *names: str) -> None:
    """Let only finite numbers pass, as Python's own: numpy's cannot be written as JSON."""
    for name in names:
        value = getattr(distribution, name)
        if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
            raise TransportError(
                f"{type(distribution).__name__.lower()} reference: {name} must be a finite number, "
                f"got {value!r}"
            )
        if not isinstance(value, int | float):
            object.__setattr__(distribution, name, float(value))
