"""What can go wrong, said so that the reader knows what was expected, what came and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wassay.transport.certificate import Certificate


class TransportError(ValueError):
    """An input or a result that the mathematics cannot stand behind."""


class InvalidMeasure(TransportError):  # noqa: N818 - named for what it says
    """Points or weights that do not form a probability measure.

    Attributes
    ----------
    index : int or None
        Position of the first bad point (row) or weight, where one entry is to blame.
    """

    def __init__(self, message: str, index: int | None = None) -> None:
        super().__init__(message)
        self.index = index


class NotCertified(TransportError):  # noqa: N818 - named for what it says
    """A solve that ended before its proof was tight enough; the message says why, and what to do.

    Attributes
    ----------
    certificate : Certificate
        Carries the interval that was reached: the true cost lies in [dual, primal].
    """

    def __init__(self, message: str, certificate: Certificate) -> None:
        super().__init__(message)
        self.certificate = certificate


class NegativeRadicand(TransportError):  # noqa: N818 - named for what it says
    """The quadratic fitted to f² is negative where its root was asked for.

    Attributes
    ----------
    s : float
        Where it was evaluated.
    radicand : float
        The negative value of the fit.
    bracket : tuple of float or None
        The certified interval of f²(s), which does not depend on the fit, where one is known.
    """

    def __init__(
        self, message: str, s: float, radicand: float, bracket: tuple[float, float] | None
    ) -> None:
        super().__init__(message)
        self.s = s
        self.radicand = radicand
        self.bracket = bracket


class SolverMissing(TransportError, ImportError):  # noqa: N818 - named for what it says
    """What was called needs the extra `solver`, which is not installed."""


class Cancelled(Exception):  # noqa: N818 - not an error
    """Raised by a caller's progress hook to stop the work; it passes through untouched."""
