"""Errors of the transport package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wassay.errors import WassayError

if TYPE_CHECKING:
    from wassay.transport.certificate import Certificate


class TransportError(WassayError, ValueError):
    """Base class of this package's errors, and the error for most invalid input."""


class InvalidMeasure(TransportError):  # noqa: N818 - the name reads as a sentence
    """Points or weights that do not form a probability measure.

    Attributes
    ----------
    index : int or None
        Index of the first invalid point or weight; None if no single one is invalid.
    """

    def __init__(self, message: str, index: int | None = None) -> None:
        super().__init__(message)
        self.index = index


class NotCertified(TransportError):  # noqa: N818 - the name reads as a sentence
    """A solve whose duality gap exceeds the tolerance; the message says why and what to do.

    Attributes
    ----------
    certificate : Certificate
        The interval that was reached: the true cost lies in [dual, primal].
    """

    def __init__(self, message: str, certificate: Certificate) -> None:
        super().__init__(message)
        self.certificate = certificate


class NegativeRadicand(TransportError):  # noqa: N818 - the name reads as a sentence
    """The fitted squared distance f² is negative at s, so it has no root f(s).

    Attributes
    ----------
    s : float
        The s at which the fit is negative.
    radicand : float
        The fitted value, which is negative.
    bracket : tuple of float or None
        Certified lower and upper bound of f²(s), if any.
    """

    def __init__(
        self, message: str, s: float, radicand: float, bracket: tuple[float, float] | None
    ) -> None:
        super().__init__(message)
        self.s = s
        self.radicand = radicand
        self.bracket = bracket


class SolverMissing(TransportError, ImportError):  # noqa: N818 - the name reads as a sentence
    """The call needs the extra `solver`, which is not installed."""


class Cancelled(Exception):  # noqa: N818 - not an error
    """Raise this in a progress callback to stop the work; it reaches the caller unchanged."""
