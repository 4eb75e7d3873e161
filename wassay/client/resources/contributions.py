"""Contributions: what sellers submit to a request."""

import numpy as np
from numpy.typing import NDArray

from wassay.client.connection.connection import Resource
from wassay.client.connection.flows import Flow, R, operation
from wassay.client.connection.npy import ArrayBody
from wassay.client.connection.pagination import Pages
from wassay.client.shared.arguments import as_share
from wassay.models import Contribution, Mode, Scalars, ScorePolicy, SweptArray
from wassay.transport import Measure


class Contributions(Resource[R]):
    """The routes below `/v1/contributions` and `/v1/requests/{id}/contributions`."""

    @operation
    def create(
        self,
        request_id: str,
        *,
        mode: Mode,
        label: str | None = None,
        listing_id: str | None = None,
        score_policy: ScorePolicy = "none",
        allows_comparison: bool = False,
        sampled_from: int | None = None,
    ) -> Flow[Contribution]:
        """Create a draft of a contribution, to which arrays are then uploaded.

        The API key needs the scope `seller`.

        Parameters
        ----------
        request_id : str
        mode : {'measure', 'cost-block', 'scalar'}
        label : str, optional
            The name under which the buyer sees the contribution; by default the account's name.
        listing_id : str, optional
            The caller's listing that describes the data.
        score_policy : {'none', 'ranks', 'scores'}
            The most that the buyer may see of the points' scores.
        allows_comparison : bool
            Whether the points may be compared with those of other sellers who allow this, too. The
            buyer may then read distances to these sellers, and how many of the points are copies.
        sampled_from : int, optional
            The number of rows of the table, if the points are a sample of its rows.
        """
        body = {
            "mode": mode,
            "label": label,
            "listing_id": listing_id,
            "score_policy": score_policy,
            "allows_comparison": allows_comparison,
            "sampled_from": sampled_from,
        }
        return self._connection.create(
            "requests", request_id, "contributions", model=Contribution, body=body
        )

    def list(self, request_id: str) -> Pages[Contribution, R]:
        """List a request's contributions: the buyer gets all, a seller only their own."""
        return self._pages("requests", request_id, "contributions", model=Contribution)

    @operation
    def get(self, contribution_id: str) -> Flow[Contribution]:
        """Return a contribution."""
        return self._connection.get("contributions", contribution_id, model=Contribution)

    @operation
    def upload_array(
        self,
        contribution_id: str,
        path: str,
        s: float,
        entries: NDArray[np.float64],
        weights: NDArray[np.float64],
    ) -> Flow[SweptArray]:
        """Upload the array of one s to a draft.

        Parameters
        ----------
        contribution_id : str
        path : str
            The mode's URL segment, such as ``'measures'``.
        s : float
        entries : ndarray, shape (n, c)
            A row for each of the seller's points.
        weights : ndarray, shape (n,)
            The weight of each point.
        """
        return self._connection.upload(
            "contributions",
            contribution_id,
            path,
            repr(as_share(s, "s")),
            model=SweptArray,
            body=ArrayBody(entries, weights),
        )

    @operation
    def upload_measure(self, contribution_id: str, s: float, measure: Measure) -> Flow[SweptArray]:
        """Upload the seller's pushed points η_ν(s) to a draft in mode `measure`."""
        points, weights = measure.points, measure.weights
        return Contributions.upload_array.flow(
            self, contribution_id, "measures", s, points, weights
        )

    @operation
    def upload_cost_block(
        self,
        contribution_id: str,
        s: float,
        costs: NDArray[np.float64],
        weights: NDArray[np.float64],
    ) -> Flow[SweptArray]:
        """Upload the costs C(s) to a draft in mode `cost-block`.

        Parameters
        ----------
        contribution_id : str
        s : float
        costs : ndarray, shape (n, m)
            The costs between the seller's n pushed points (rows) and the buyer's m (columns).
        weights : ndarray, shape (n,)
            The weight of each of the seller's points.
        """
        return Contributions.upload_array.flow(
            self, contribution_id, "cost-blocks", s, costs, weights
        )

    @operation
    def put_scalars(self, contribution_id: str, scalars: Scalars) -> Flow[Contribution]:
        """Upload the seller's numbers to a draft in mode `scalar`, in place of earlier ones."""
        return self._connection.put(
            "contributions",
            contribution_id,
            "scalars",
            model=Contribution,
            body=scalars.model_dump(),
        )

    @operation
    def submit(
        self, contribution_id: str, *, projection_spread: float | None
    ) -> Flow[Contribution]:
        """Submit a draft, which then cannot be changed any more.

        Parameters
        ----------
        contribution_id : str
        projection_spread : float or None
            The seller's projection spread. If it is None, distances have no intervals.
        """
        return self._connection.act(
            "contributions",
            contribution_id,
            "submit",
            model=Contribution,
            body={"projection_spread": projection_spread},
        )

    @operation
    def decline(self, contribution_id: str, *, reason: str) -> Flow[Contribution]:
        """Turn a draft into a refusal of its request, with a reason for the buyer."""
        return self._connection.act(
            "contributions", contribution_id, "decline", model=Contribution, body={"reason": reason}
        )

    @operation
    def withdraw(self, contribution_id: str) -> Flow[Contribution]:
        """Withdraw a contribution, and delete its arrays from the service.

        Raises
        ------
        ConflictError
            If an evaluation with the contribution waits or runs. Also if an evaluation has used the
            contribution and the request is open.
        """
        return self._connection.act(
            "contributions", contribution_id, "withdraw", model=Contribution
        )
