"""Modes in which the seller solves and states the curve, which cannot be verified."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from .mode import ContributionMode

if TYPE_CHECKING:
    from wassay import models as wire
    from wassay.transport import DistanceCurve

    from ...requests.models import Request


class StatedMode(ContributionMode):
    """A mode with one document for the whole sweep.

    Attributes
    ----------
    body : type
        The request model of the document.
    """

    body: ClassVar[type[wire.Scalars]]

    @abstractmethod
    def check(self, request: Request, document: wire.Scalars) -> None:
        """Raise if a document does not match a request.

        Raises
        ------
        Problem
            If it does not match the sweep.
        """

    @abstractmethod
    def curve(self, document: wire.Scalars) -> DistanceCurve:
        """Return the stated curve; called in the process that builds the result."""
