"""Modes in which the seller computes the curve of distances, which the service cannot verify."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from .mode import ContributionMode

if TYPE_CHECKING:
    from wassay import models as wire
    from wassay.transport import DistanceCurve

    from ...requests.models import Request


class StatedMode(ContributionMode):
    """A mode in which one document states the curve of distances over the sweep.

    Attributes
    ----------
    body : type
        The model that validates an uploaded document.
    """

    body: ClassVar[type[wire.Scalars]]

    @abstractmethod
    def check(self, request: Request, document: wire.Scalars) -> None:
        """Raise if a document does not fit a request's sweep.

        Raises
        ------
        Problem
            If it does not fit.
        """

    @abstractmethod
    def curve(self, document: wire.Scalars) -> DistanceCurve:
        """Return the curve that a document states."""
