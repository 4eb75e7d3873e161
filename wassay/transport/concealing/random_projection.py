"""A secret random projection x ↦ Px to fewer dimensions, which makes no distance larger."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wassay.transport.concealing.isometry import orthonormal_factor
from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure
from wassay.transport.pushing.derivation import (
    KEY_BYTES,
    normals,
    require_derivation,
    require_dimension,
)

LARGEST_SIZE = 2**26
"""Limit on the entries of P: this many take half a GiB."""


@dataclass(frozen=True)
class RandomProjection:
    """The map x ↦ Px from d to r < d dimensions, derived from a secret key.

    No distance grows, so W_p of projected measures is a lower bound of W_p.

    Parameters
    ----------
    dimension : int
        Dimension d of the raw points.
    reduced : int
        Dimension r of their projections, 1 ≤ r < d.
    key : bytes
        32 secret random bytes.
    derivation : int
        Version of the derivation in the Notes; only 1 exists.

    Raises
    ------
    TransportError
        If a parameter is out of its range, or P would have more than 2²⁶ entries.

    Notes
    -----
    P has r orthonormal rows. Their span has the uniform (Haar) distribution. So ‖Px‖²/‖x‖² has the
    mean r/d and the distribution Beta(r/2, (d − r)/2) (Johnson & Lindenstrauss 1984).

    Derivation 1, in full, so that any program can repeat it:

    1. The 64-bit little-endian words are SHAKE-256 (FIPS 202) of the ASCII text ``wassay projection
       1 <d> <r>``, a zero byte, and the key.
    2. Each word w gives the standard normal number Φ⁻¹(u), where u = ((w >> 12) + ½) / 2⁵².
    3. The first r·d numbers fill a matrix G of r rows, row by row.
    4. P is the transpose of the factor Q of Gᵀ = QR whose R has a positive diagonal. It is unique
       up to rounding.
    """

    dimension: int
    reduced: int
    key: bytes = field(repr=False)
    derivation: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.reduced < self.dimension:
            raise TransportError(
                f"a projection of {self.dimension} dimensions: expected 1 to {self.dimension - 1} "
                f"dimensions to project to, received {self.reduced}"
            )
        if self.reduced * self.dimension > LARGEST_SIZE:
            raise TransportError(
                f"a projection: expected a matrix of at most {LARGEST_SIZE} entries, received "
                f"{self.reduced} × {self.dimension}: project to fewer dimensions"
            )
        require_derivation("a projection", self.key, self.derivation)

    @classmethod
    def draw(cls, dimension: int, reduced: int) -> RandomProjection:
        """Draw a projection with a key from the operating system's secure random source.

        Parameters
        ----------
        dimension : int
            Dimension d of the raw points.
        reduced : int
            Dimension r of their projections.

        Returns
        -------
        RandomProjection
        """
        return cls(dimension, reduced, secrets.token_bytes(KEY_BYTES))

    @cached_property
    def matrix(self) -> NDArray[np.float64]:
        """The matrix P, shape (r, d)."""
        label = f"wassay projection {self.derivation} {self.dimension} {self.reduced}"
        drawn = normals(label, self.key, self.reduced * self.dimension)
        rows = drawn.reshape(self.reduced, self.dimension)
        return np.ascontiguousarray(orthonormal_factor(rows.T).T)

    def apply(self, measure: Measure) -> Measure:
        """Project every point x to Px; weights stay.

        Parameters
        ----------
        measure : Measure, n points in d dimensions

        Returns
        -------
        Measure
            n points in r dimensions.

        Raises
        ------
        TransportError
            If the measure has another dimension.
        """
        require_dimension("the projection", self.dimension, measure)
        return Measure(measure.points @ self.matrix.T, measure.weights)
