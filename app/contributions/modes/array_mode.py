"""Modes in which a seller uploads one array for each s, and the service solves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from numpy.typing import NDArray

from ...arrays.problems import WrongShape
from ..problems import ArraysMissing, WeightsDiffer
from .mode import ContributionMode

if TYPE_CHECKING:
    from wassay.models import Order
    from wassay.transport import Measure, SellerCosts
    from wassay.transport.anomalies import SweptContribution

    from ...arrays.contents import Contents
    from ...arrays.uploaded_array import UploadedArray
    from ...requests.models import Request
    from ..models import Contribution


@dataclass(frozen=True, eq=False)
class SellerArrays:
    """A seller's arrays, as a computing process reads them.

    Attributes
    ----------
    contribution_id : str
    entries : mapping of float to ndarray, shape (n, columns)
        By s, without the column of weights; may be mapped from files.
    weights : mapping of float to ndarray, shape (n,)
    projection_spread : float or None
        As the seller states it.
    labelled : bool
        Whether points have labels.
    """

    contribution_id: str
    entries: Mapping[float, NDArray[Any]]
    weights: Mapping[float, NDArray[Any]]
    projection_spread: float | None
    labelled: bool

    def measures(self) -> dict[float, Measure]:
        """Return the measure of every s, where the entries are points."""
        from wassay.transport import Measure

        return {s: Measure(points, self.weights[s]) for s, points in self.entries.items()}


class ArrayMode(ContributionMode):
    """A mode in which each s has an array, with a row for every point.

    Attributes
    ----------
    contents : Contents
        What the entries are.
    columns_are : str
        What there is one column for, as an error message names it.
    """

    contents: ClassVar[Contents]
    columns_are: ClassVar[str]

    @property
    def upload_path(self) -> str:
        """The path of the array of one s."""
        return f"{self.path}/{{s}}"

    @abstractmethod
    def columns(self, request: Request) -> int:
        """Return how many columns an array has, without weights."""

    @abstractmethod
    def costs(self, arrays: SellerArrays, buyer: Measure, order: Order) -> SellerCosts:
        """Build the transport problems of the sweep; called in the process that solves them."""

    @abstractmethod
    def examined(self, arrays: SellerArrays) -> SweptContribution:
        """Return what anomalies are looked for in; called in the process that solves."""

    def rank(self, request: Request) -> int | None:
        """Return how many coordinates of a point an array can tell; None if all."""
        del request
        return None

    def check_shape(self, request: Request, array: UploadedArray) -> None:
        """Raise if an array has the wrong shape.

        Raises
        ------
        WrongShape
            If it has not one column for each of `columns`.
        """
        expected = self.columns(request)
        if array.columns != expected:
            raise WrongShape(
                f"Expected {expected} columns, {self.columns_are}; received {array.columns}.",
                expected=expected,
                received=array.columns,
            )

    def require_complete(self, contribution: Contribution) -> None:
        """Raise if a draft cannot be submitted yet.

        Raises
        ------
        ArraysMissing
            If an s of the sweep has no array.
        WeightsDiffer
            If the points are not weighed alike at every s.
        """
        sweep = contribution.request.sweep
        held = [array.s for array in contribution.arrays]
        missing = sorted(set(sweep) - set(held))
        if missing:
            raise ArraysMissing(
                f"Contribution {contribution.id} lacks an array for s = "
                f"{', '.join(map(str, missing))}; upload them first.",
                expected=sweep,
                received=held,
                missing=missing,
            )
        first = contribution.arrays[0]
        for array in contribution.arrays:
            if array.weights_digest != first.weights_digest:
                raise WeightsDiffer(
                    f"The weights at s = {array.s} differ from those at s = {first.s}; the points "
                    "are the same at every s, and so must their weights be.",
                    expected=first.s,
                    received=array.s,
                )
