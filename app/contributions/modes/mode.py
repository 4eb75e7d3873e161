"""The interface of a mode of contribution in the service."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from wassay import models as wire

    from ..models import Contribution


class ContributionMode(ABC):
    """A mode of contribution.

    Attributes
    ----------
    name : str
        The key of the mode's terms in `wassay.modes.MODES`.
    path : str
        Where uploads go, relative to the contribution's path; a mode with arrays appends the s.
    description : str
        The description of the upload in OpenAPI.
    disclosure_kind : str
        The kind of disclosure under which the ledger records an upload.
    """

    name: ClassVar[str]
    path: ClassVar[str]
    description: ClassVar[str]
    disclosure_kind: ClassVar[wire.DisclosureKind]

    @property
    def upload_path(self) -> str:
        """The path of an upload as error messages show it: `path`, and ``{s}`` for each s."""
        return self.path

    @abstractmethod
    def require_complete(self, contribution: Contribution) -> None:
        """Raise if a draft cannot be submitted yet.

        Raises
        ------
        Problem
            If uploads are missing or inconsistent.
        """
