"""A secret isometry x ↦ Qx + v, which changes all coordinates and no distance."""

from __future__ import annotations

import math
import secrets
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure
from wassay.transport.pushing.derivation import (
    KEY_BYTES,
    normals,
    require_derivation,
    require_dimension,
    words,
)

LARGEST_HAAR_DIMENSION = 4096
"""Above this dimension, Q is a product of fast transforms, as drawing a dense Q takes d³ steps."""

ROUNDS = 3
"""Number of rounds of the fast transforms."""

LARGEST_COORDINATE = 2.0**500
"""Coordinates of this size or more are rejected, because norms may overflow."""


Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Isometry:
    """A secret isometry x ↦ Qx + v: a rotation or reflection Q and a translation v, from a key.

    Parameters
    ----------
    dimension : int
        Dimension d of the space.
    key : bytes
        32 secret random bytes.
    scale : float
        Standard deviation of v's coordinates, positive. To hide points, pass at least their largest
        norm (see `scale_hiding`).
    derivation : int
        Version of the derivation in the Notes; only 1 exists.

    Raises
    ------
    TransportError
        If a parameter is out of its range.

    Notes
    -----
    Derivation 1, in full, so that any program can repeat it:

    1. Every *purpose* named below has its own 64-bit little-endian words. They are SHAKE-256 (FIPS
       202) of the ASCII text ``wassay isometry 1 <purpose> <dimension>``, a zero byte, and the key.
       A cryptographic function is needed: whoever learns some rows of Q from known records must not
       be able to compute the others.
    2. Each word w gives the standard normal number Φ⁻¹(u), where u = ((w >> 12) + ½) / 2⁵².
    3. Up to 4096 dimensions, d² normal numbers of purpose ``rotation`` fill a matrix G row by row.
       Q is the orthogonal factor of G = QR whose R has a positive diagonal. It is unique and has
       the Haar distribution.
    4. Above 4096 dimensions, Q consists of three rounds r = 1, 2, 3 of three operations. First,
       flip the sign of coordinate c if the lowest bit of word c of purpose ``signs r`` is set.
       Second, apply the orthonormal discrete cosine transform DCT-II. Third, reorder: the new
       coordinate c is the old coordinate whose word of purpose ``order r`` is the c-th smallest.
       All counts begin with 0. Q is orthogonal, but does not have the Haar distribution.
    5. v is `scale` times the d normal numbers of purpose ``translation``.
    """

    dimension: int
    key: bytes = field(repr=False)
    scale: float
    derivation: int = 1

    def __post_init__(self) -> None:
        if self.dimension < 1:
            raise TransportError(f"an isometry: expected dimension >= 1, received {self.dimension}")
        if not 0 < self.scale < math.inf:
            raise TransportError(
                f"an isometry: expected a positive, finite scale, received {self.scale}"
            )
        require_derivation("an isometry", self.key, self.derivation)

    @classmethod
    def draw(cls, dimension: int, scale: float) -> Isometry:
        """Draw an isometry with a key from the operating system's secure random source.

        Parameters
        ----------
        dimension : int
            Dimension d of the space.
        scale : float
            Standard deviation of the coordinates of the translation v.

        Returns
        -------
        Isometry
        """
        return cls(dimension, secrets.token_bytes(KEY_BYTES), scale)

    def apply(self, measure: Measure) -> Measure:
        """Move every point x to Qx + v; weights stay.

        Parameters
        ----------
        measure : Measure, n points in d dimensions
            The points to move.

        Returns
        -------
        Measure

        Raises
        ------
        TransportError
            If the measure has another dimension.
        """
        require_dimension("the isometry", self.dimension, measure)
        return Measure(self._rotate(measure.points) + self.translation, measure.weights)

    @cached_property
    def translation(self) -> Matrix:
        """The translation v, shape (d,)."""
        return self.scale * self._normals("translation", self.dimension)

    def _rotate(self, points: Matrix) -> Matrix:
        if self.dimension <= LARGEST_HAAR_DIMENSION:
            return points @ self._haar.T
        for signs, permutation in self._rounds:
            points = _cosine_transform(points * signs)[:, permutation]
        return points

    @cached_property
    def _haar(self) -> Matrix:
        drawn = self._normals("rotation", self.dimension**2)
        return orthonormal_factor(drawn.reshape(self.dimension, self.dimension))

    @cached_property
    def _rounds(self) -> list[tuple[Matrix, NDArray[np.intp]]]:
        rounds = []
        for number in range(1, ROUNDS + 1):
            odd = self._words(f"signs {number}", self.dimension) & np.uint64(1)
            permutation = np.argsort(self._words(f"order {number}", self.dimension), kind="stable")
            rounds.append((np.where(odd, -1.0, 1.0), permutation))
        return rounds

    def _normals(self, purpose: str, count: int) -> Matrix:
        return normals(self._label(purpose), self.key, count)

    def _words(self, purpose: str, count: int) -> NDArray[np.uint64]:
        return words(self._label(purpose), self.key, count)

    def _label(self, purpose: str) -> str:
        return f"wassay isometry {self.derivation} {purpose} {self.dimension}"


def _cosine_transform(rows: Matrix) -> Matrix:
    """Apply the orthonormal DCT-II to every row by one FFT (Makhoul 1980)."""
    dimension = rows.shape[1]
    folded = np.concatenate([rows[:, ::2], rows[:, 1::2][:, ::-1]], axis=1)
    frequencies = np.arange(dimension)
    turned = np.fft.fft(folded, axis=1) * np.exp(-0.5j * np.pi * frequencies / dimension)
    norms = np.where(frequencies == 0, np.sqrt(1 / dimension), np.sqrt(2 / dimension))
    return np.asarray(turned.real * norms, dtype=np.float64)


def orthonormal_factor(matrix: Matrix) -> Matrix:
    """Return the factor Q of the QR decomposition in which R has a positive diagonal."""
    q, r = np.linalg.qr(matrix)
    return np.asarray(q * np.sign(np.diagonal(r)), dtype=np.float64)


def scale_hiding(measure: Measure) -> float:
    """Return a scale for a random translation that hides the points' distances from the origin.

    The scale reveals only the order of magnitude of the largest norm.

    Parameters
    ----------
    measure : Measure
        The points to hide.

    Returns
    -------
    float
        The smallest power of two that no point's norm exceeds; 1 if all points are zero. Pass it to
        `Isometry` as `scale`.

    Raises
    ------
    TransportError
        If a coordinate is 2⁵⁰⁰ or more, as norms may then overflow.
    """
    if not np.abs(measure.points).max() < LARGEST_COORDINATE:
        raise TransportError(
            f"expected coordinates below {LARGEST_COORDINATE:g}, received larger ones: scale the "
            "points down on both sides"
        )
    # An isometry adds ‖v‖² to a squared norm ‖x‖² on average. With this scale, one standard
    # deviation of ‖v‖² exceeds ‖x‖².
    mantissa, exponent = math.frexp(float(np.linalg.norm(measure.points, axis=1).max()))
    if mantissa == 0:
        return 1.0
    return math.ldexp(1.0, exponent - (mantissa == 0.5))
