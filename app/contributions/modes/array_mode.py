"""Modes in which a seller uploads an array for each s, and the service computes the distances."""

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
    """A seller's arrays, loaded by a solver process.

    Attributes
    ----------
    contribution_id : str
        The id of the seller's contribution.
    entries : mapping of float to ndarray, shape (n, columns)
        Points or costs at each s, possibly memory-mapped.
    weights : mapping of float to ndarray, shape (n,)
        Weights at each s, with sum 1.
    projection_spread : float or None
        The projection spread that the seller stated; None if the seller stated none.
    labelled : bool
        Whether the points have labels. The last column of labelled points is the class number;
        costs have no such column.
    """

    contribution_id: str
    entries: Mapping[float, NDArray[Any]]
    weights: Mapping[float, NDArray[Any]]
    projection_spread: float | None
    labelled: bool

    def measures(self) -> dict[float, Measure]:
        """Return the points at each s as a measure, without classes.

        Call this only if the entries are points, not costs.
        """
        from wassay.transport import Measure

        return {
            s: Measure(points[:, :-1] if self.labelled else points, self.weights[s])
            for s, points in self.entries.items()
        }

    def classes(self) -> NDArray[Any]:
        """Return the class number of each point at the smallest s.

        Call this only if the entries are labelled points.
        """
        return np.asarray(self.entries[min(self.entries)][:, -1])


class ArrayMode(ContributionMode):
    """A mode in which a seller uploads an array for each s, with one row per point of the seller.

    Attributes
    ----------
    contents : Contents
        Whether the entries are points or costs.
    columns_are : str
        What the columns are, in error messages.
    example : tuple of tuple of float, optional
        The rows that the page `/docs` shows; None: the usual two rows.
    """

    contents: ClassVar[Contents]
    columns_are: ClassVar[str]
    example: ClassVar[tuple[tuple[float, ...], ...] | None] = None

    @property
    def upload_path(self) -> str:
        """The path of an upload, relative to the contribution's path, with a placeholder for s."""
        return f"{self.path}/{{s}}"

    @abstractmethod
    def columns(self, request: Request) -> int:
        """Return the expected number of columns, not counting a column of weights."""

    # Solver processes call the next two.
    @abstractmethod
    def costs(self, arrays: SellerArrays, buyer: Measure, order: Order) -> SellerCosts:
        """Return the costs of pairs of the seller's and the `buyer`'s points, at every s.

        The costs are those of W_p, where p is `order`.
        """

    @abstractmethod
    def anomaly_input(self, arrays: SellerArrays) -> SweptContribution:
        """Return the arrays in the form that anomaly detection reads."""

    def projection_rank(self, request: Request) -> int | None:
        """Return how many coordinates of each of the seller's points an array reveals; None: all.

        The ledger calls this number the rank of a projection.
        """
        return request.reference.projection_rank

    def check_shape(self, request: Request, array: UploadedArray) -> None:
        """Raise unless an array has as many columns as the mode requires for the request.

        Raises
        ------
        WrongShape
            If the array has more or fewer columns.
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
                f"for s = {', '.join(map(str, missing))}. Upload the missing arrays first.",
                expected=sweep,
                received=uploaded,
                missing=missing,
            )
        first = contribution.arrays[0]
        for array in contribution.arrays:
            if array.weights_digest != first.weights_digest:
                raise WeightsDiffer(
                    f"Expected the same weights at every s; the weights at s = {array.s} differ "
                    f"from those at s = {first.s}. Upload the arrays again, all with the same "
                    "weights.",
                    expected=first.s,
                    received=array.s,
                )
