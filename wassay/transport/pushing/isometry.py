"""A secret isometry x ↦ Qx + v: it changes every coordinate and no distance."""

from __future__ import annotations

import hashlib
import math
import secrets
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure
from wassay.transport.pushing.quantiles import normal_quantile
from wassay.transport.pushing.words import uniforms

KEY_BYTES = 32
LARGEST_HAAR_DIMENSION = 4096
"""Above it, Q is a product of fast transforms: a dense one costs d³ to draw and n d² to apply."""

ROUNDS = 3
LARGEST_COORDINATE = 2.0**500

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Isometry:
    """x ↦ Qx + v, derived from a key so that its holders apply the same one and nobody else can.

    Derivation 1, in full, so that any program can repeat it:

    1. For each *purpose* named below, 64-bit little-endian words come from SHAKE-256 (FIPS 202) of
       the ASCII text ``wassay isometry 1 <purpose> <dimension>``, a zero byte, and the key. A
       cryptographic function is needed here: whoever learns some rows of Q, from records they
       know, must not be able to compute the rest.
    2. Word w becomes u = ((w >> 12) + ½) / 2⁵², and Φ⁻¹(u) a standard normal number.
    3. Up to 4096 dimensions, d² normal numbers of purpose ``rotation`` fill a matrix G row by row,
       and Q is the orthogonal factor of G = QR whose R has a positive diagonal: the columns of G,
       made orthonormal one after the other. It is unique, and distributed by Haar's measure.
    4. Above, Q is three rounds r = 1, 2, 3 of: coordinate c changes its sign where word c of
       purpose ``signs r`` has its lowest bit set; the orthonormal discrete cosine transform
       DCT-II; coordinate c becomes the one whose word of purpose ``order r`` is the c-th smallest.
       This is exactly orthogonal and costs d log d a point; Haar's distribution it has not.
    5. v is `scale` times the d normal numbers of purpose ``translation``.

    Parameters
    ----------
    dimension : int
        d.
    key : bytes
        32 secret random bytes.
    scale : float
        Standard deviation of v's coordinates, positive. At least the largest norm of the points to
        be hidden (see `scale_hiding`).
    derivation : int
        Version of the recipe above; only 1 exists.

    Raises
    ------
    TransportError
        When a parameter is out of its range.
    """

    dimension: int
    key: bytes = field(repr=False)
    scale: float
    derivation: int = 1

    def __post_init__(self) -> None:
        if self.dimension < 1:
            raise TransportError(f"an isometry needs a dimension >= 1, got {self.dimension}")
        if len(self.key) != KEY_BYTES:
            raise TransportError(
                f"an isometry's key has {KEY_BYTES} bytes, got {len(self.key)} bytes"
            )
        if not 0 < self.scale < math.inf:
            raise TransportError(f"an isometry's scale is positive and finite, got {self.scale}")
        if self.derivation != 1:
            raise TransportError(f"derivation 1 is the only one known, got {self.derivation}")

    @classmethod
    def draw(cls, dimension: int, scale: float) -> Isometry:
        """Draw a key from the operating system's secret randomness."""
        return cls(dimension, secrets.token_bytes(KEY_BYTES), scale)

    def apply(self, measure: Measure) -> Measure:
        """Move every point x to Qx + v; weights stay.

        Raises
        ------
        TransportError
            When the measure lives in another dimension.
        """
        if measure.dimension != self.dimension:
            raise TransportError(
                f"the isometry acts on {self.dimension} coordinates, "
                f"the points have {measure.dimension}"
            )
        return Measure(self._rotate(measure.points) + self.translation, measure.weights)

    @cached_property
    def translation(self) -> Matrix:
        """v, shape (d,)."""
        return self.scale * self._normals("translation", self.dimension)

    def _rotate(self, points: Matrix) -> Matrix:
        if self.dimension <= LARGEST_HAAR_DIMENSION:
            return points @ self._haar.T
        for signs, order in self._rounds:
            points = _cosine_transform(points * signs)[:, order]
        return points

    @cached_property
    def _haar(self) -> Matrix:
        normals = self._normals("rotation", self.dimension**2)
        return orthonormal_factor(normals.reshape(self.dimension, self.dimension))

    @cached_property
    def _rounds(self) -> list[tuple[Matrix, NDArray[np.intp]]]:
        rounds = []
        for number in range(1, ROUNDS + 1):
            odd = self._words(f"signs {number}", self.dimension) & np.uint64(1)
            order = np.argsort(self._words(f"order {number}", self.dimension), kind="stable")
            rounds.append((np.where(odd, -1.0, 1.0), order))
        return rounds

    def _normals(self, purpose: str, count: int) -> Matrix:
        return normal_quantile(uniforms(self._words(purpose, count)))

    def _words(self, purpose: str, count: int) -> NDArray[np.uint64]:
        label = f"wassay isometry {self.derivation} {purpose} {self.dimension}".encode("ascii")
        stream = hashlib.shake_256(label + b"\0" + self.key).digest(8 * count)
        return np.frombuffer(stream, dtype="<u8").astype(np.uint64)


def _cosine_transform(rows: Matrix) -> Matrix:
    """The orthonormal DCT-II of every row, by one FFT (Makhoul 1980)."""
    dimension = rows.shape[1]
    folded = np.concatenate([rows[:, ::2], rows[:, 1::2][:, ::-1]], axis=1)
    frequencies = np.arange(dimension)
    turned = np.fft.fft(folded, axis=1) * np.exp(-0.5j * np.pi * frequencies / dimension)
    norms = np.where(frequencies == 0, np.sqrt(1 / dimension), np.sqrt(2 / dimension))
    return np.asarray(turned.real * norms, dtype=np.float64)


def orthonormal_factor(matrix: Matrix) -> Matrix:
    """Q of the one factorisation matrix = QR in which R has a positive diagonal."""
    q, r = np.linalg.qr(matrix)
    return np.asarray(q * np.sign(np.diagonal(r)), dtype=np.float64)


def scale_hiding(measure: Measure) -> float:
    """A power of two that is no less than the norm of any point.

    With v of such a scale, the norm of a point after the isometry says less about its norm before
    than one standard deviation of ‖v‖²; and who is given the scale learns no more than the
    points' order of magnitude.

    Raises
    ------
    TransportError
        When the points are too large for their norms to be computed.
    """
    if not np.abs(measure.points).max() < LARGEST_COORDINATE:
        raise TransportError(
            f"the points are too large to be moved exactly: expected coordinates below "
            f"{LARGEST_COORDINATE:g}, scale them down on both sides"
        )
    mantissa, exponent = math.frexp(float(np.linalg.norm(measure.points, axis=1).max()))
    if mantissa == 0:
        return 1.0
    return math.ldexp(1.0, exponent - (mantissa == 0.5))
