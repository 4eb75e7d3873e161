"""What the service has to know of a mode of contribution."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from wassay import models as wire

    from ..models import Contribution


class ContributionMode(ABC):
    """One way for sellers to contribute.

    Attributes
    ----------
    name : str
        Its key in `wassay.modes.MODES`, which holds its terms.
    path : str
        Where it is uploaded, below the contribution's own path.
    description : str
        Of the upload, for the API's documentation.
    disclosure_kind : str
        What the ledger records when an upload is stored.
    """

    name: ClassVar[str]
    path: ClassVar[str]
    description: ClassVar[str]
    disclosure_kind: ClassVar[wire.DisclosureKind]

    @property
    def upload_path(self) -> str:
        """The path of an upload, as an error message names it."""
        return self.path

    @abstractmethod
    def require_complete(self, contribution: Contribution) -> None:
        """Raise if a draft cannot be submitted yet.

        Raises
        ------
        Problem
            If something is missing, or the uploads contradict each other.
        """
