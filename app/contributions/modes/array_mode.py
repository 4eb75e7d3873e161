"""Modes in which a seller uploads an array for each s, and the service solves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...arrays.problems import WrongShape
from ..problems import ArraysMissing, WeightsDiffer
from .mode import ContributionMode

if TYPE_CHECKING:
    from wassay.models import Order
    from wassay.transport import Measure, SellerCosts
    from wassay.transport.anomalies import SweptContribution

    from ...arrays.entry_validation import Contents
    from ...arrays.uploaded_array import UploadedArray
    from ...requests.models import Request
    from ..models import Contribution


@dataclass(frozen=True, eq=False)
class SellerArrays:
    """A seller's arrays, as loaded by a solver process.

    Attributes
    ----------
    contribution_id : str
    entries : mapping of float to ndarray, shape (n, columns)
        Points or costs by s, possibly memory-mapped.
    weights : mapping of float to ndarray, shape (n,)
        Weights by s, with sum 1.
    projection_spread : float or None
        The spread σ_b of the projection, as stated by the seller.
    labelled : bool
        Whether points have labels. The last column of points is then the class number; that of
        costs is not, because they include distances of classes.
    """

    contribution_id: str
    entries: Mapping[float, NDArray[Any]]
    weights: Mapping[float, NDArray[Any]]
    projection_spread: float | None
    labelled: bool

    def measures(self) -> dict[float, Measure]:
        """Return the measures by s, without classes; the entries must be points."""
        from wassay.transport import Measure

        return {
            s: Measure(points[:, :-1] if self.labelled else points, self.weights[s])
            for s, points in self.entries.items()
        }

    def classes(self) -> NDArray[Any]:
        """Return the class number of each point, at the smallest s; the points must have labels."""
        return np.asarray(self.entries[min(self.entries)][:, -1])


class ArrayMode(ContributionMode):
    """A mode with an array for each s, with one row per point.

    Attributes
    ----------
    contents : Contents
        The kind of entries: points or costs.
    columns_are : str
        Name of the columns in error messages.
    """

    contents: ClassVar[Contents]
    columns_are: ClassVar[str]

    @property
    def upload_path(self) -> str:
        """The upload path, with a placeholder for s."""
        return f"{self.path}/{{s}}"

    @abstractmethod
    def columns(self, request: Request) -> int:
        """Return the expected number of columns, without weights."""

    @abstractmethod
    def costs(self, arrays: SellerArrays, buyer: Measure, order: Order) -> SellerCosts:
        """Build the transport problems of the sweep; called in a solver process."""

    @abstractmethod
    def examined(self, arrays: SellerArrays) -> SweptContribution:
        """Return the input of anomaly detection; called in a solver process."""

    def rank(self, request: Request) -> int | None:
        """Return how many dimensions of a point an array discloses; None if all."""
        return request.reference.rank

    def check_shape(self, request: Request, array: UploadedArray) -> None:
        """Raise if an array has the wrong shape.

        Raises
        ------
        WrongShape
            If the number of columns is not that of `columns`.
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
            If the weights differ between values of s.
        """
        sweep = contribution.request.sweep
        uploaded = [array.s for array in contribution.arrays]
        missing = sorted(set(sweep) - set(uploaded))
        if missing:
            raise ArraysMissing(
                f"Expected an array of contribution {contribution.id} for each s; received none "
                f"for {', '.join(map(str, missing))}. Upload them first.",
                expected=sweep,
                received=uploaded,
                missing=missing,
            )
        first = contribution.arrays[0]
        for array in contribution.arrays:
            if array.weights_digest != first.weights_digest:
                raise WeightsDiffer(
                    f"Expected the same weights at every s; those at s = {array.s} differ from "
                    f"those at s = {first.s}.",
                    expected=first.s,
                    received=array.s,
                )
