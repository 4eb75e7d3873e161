"""Modes in which the seller solves, and states the curve: nobody can verify it."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from .mode import ContributionMode

if TYPE_CHECKING:
    from wassay import models as wire
    from wassay.transport import DistanceCurve

    from ...requests.models import Request


class StatedMode(ContributionMode):
    """A mode in which one document holds what the seller states of the sweep.

    Attributes
    ----------
    body : type
        The document as a request body.
    """

    body: ClassVar[type[wire.Scalars]]

    @abstractmethod
    def check(self, request: Request, document: wire.Scalars) -> None:
        """Raise if a document does not belong to a request.

        Raises
        ------
        Problem
            If it is of another sweep.
        """

    @abstractmethod
    def curve(self, document: wire.Scalars) -> DistanceCurve:
        """Return the seller's own curve; called in the process that builds the result."""
