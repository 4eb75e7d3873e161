"""The result of an evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wassay import models
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.evaluation.estimates import Estimates, estimate_distances
from wassay.client.evaluation.plots import plot_curves
from wassay.received_curves import distance_curve
from wassay.tabular import Columns, Tabular, records_to_columns
from wassay.unique_labels import EVERYONE, unique_labels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Result(Tabular):
    """The result of an evaluation: distance curves of each seller, and of all sellers together.

    Attributes
    ----------
    document : wassay.models.Result
        The service's response.
    """

    def __init__(
        self, document: models.Result, push: PrivatePush, omitted: str | None = None
    ) -> None:
        self.document = document
        self._push = push
        self._omitted = omitted

    def __repr__(self) -> str:
        sellers = len(self.document.sellers)
        many = "" if sellers == 1 else "s"
        return f"Result({self.document.evaluation_id!r}, {sellers} seller{many})"

    def to_dict(self) -> Columns:
        """Return the columns of a table with one row for each solved point of each curve.

        Returns
        -------
        dict of str to list
        """
        curves: list[tuple[str, str | None, models.Curve]] = [
            (each.label, each.contribution_id, each.singleton) for each in self.document.sellers
        ]
        curves += [
            (f"all without {each.label}", None, each.leave_one_out)
            for each in self.document.sellers
            if each.leave_one_out is not None
        ]
        if self.document.grand_coalition is not None and len(self.document.sellers) > 1:
            curves.append((EVERYONE, None, self.document.grand_coalition))
        rows = [
            {
                "curve": label,
                "contribution_id": name,
                "s": point.s,
                "distance": point.distance,
                "cost": point.cost,
                "gap": None if point.certificate is None else point.certificate.gap,
            }
            for label, name, curve in curves
            for point in curve.points
        ]
        return records_to_columns(rows)

    def estimates(self) -> Estimates:
        """Estimate the distances at the request's private t0, on this machine.

        Returns
        -------
        Estimates

        Raises
        ------
        NegativeRadicand
            If the fit of a curve is negative at t0.
        """
        return estimate_distances(self.document, self._push, self._omitted)

    @property
    def certificate(self) -> models.Certificate | None:
        """The certificate with the largest gap relative to its primal cost.

        None if all contributions are in mode `scalar`, which has no certificates.
        """
        curves = [
            self.document.grand_coalition,
            *(coalition.curve for coalition in self.document.coalitions),
        ]
        for seller in self.document.sellers:
            curves += [seller.singleton, seller.leave_one_out]
        certificates = [
            point.certificate
            for curve in curves
            if curve is not None
            for point in curve.points
            if point.certificate is not None
        ]
        return max(
            certificates, key=lambda each: each.gap / (abs(each.primal) or 1.0), default=None
        )

    def plot(self, path: str | Path | None = None) -> Figure:
        """Plot the distance curves of each seller and of all sellers together, with brackets.

        Parameters
        ----------
        path : path, optional
            Also save the plot to this file; the suffix chooses the format.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        InvalidArgumentError
            If the suffix names no format of plots.
        PackageMissing
            If matplotlib is not installed; the extra `plot` installs it.
        """
        order, sellers = self.document.order, self.document.sellers
        names = unique_labels({each.contribution_id: each.label for each in sellers})
        curves = {
            f"{names[each.contribution_id]}{'' if each.verified else ' (unverified)'}": (
                distance_curve(each.singleton, order)
            )
            for each in sellers
        }
        grand_coalition = self.document.grand_coalition
        if len(curves) > 1 and grand_coalition is not None:
            curves[EVERYONE] = distance_curve(grand_coalition, order)
        return plot_curves(curves, path)

    def to_json(self) -> str:
        """Return `document` as JSON; it does not contain t0.

        Returns
        -------
        str
        """
        return self.document.model_dump_json(indent=2)
