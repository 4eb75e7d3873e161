"""The seller's side: answer requests from where the data lives."""

from numpy.typing import ArrayLike

from wassay.client.client import Client
from wassay.client.errors import InvalidArgumentError
from wassay.client.pages import Pages
from wassay.client.points import as_measure
from wassay.client.resources.references import derivable
from wassay.models import Contribution, Mode, PointScores, Request, ScorePolicy
from wassay.transport import Measure, cost_block, project


class Seller:
    """Answers, through a client whose key has the scope `seller`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def open_requests(self) -> Pages[Request]:
        """The open requests that this seller may answer, newest first."""
        return self._client.requests.list(role="seller", state="open")

    def answer(
        self,
        request_id: str,
        points: ArrayLike | Measure,
        *,
        mode: Mode = "measure",
        scores: ScorePolicy = "none",
        label: str | None = None,
        listing_id: str | None = None,
    ) -> Contribution:
        """Push one's points to every s of the sweep on this machine, upload, and submit.

        A draft that an earlier attempt left is withdrawn first.

        Parameters
        ----------
        request_id : str
        points : array_like of shape (n, d), or Measure
            The data on offer; as it is, it does not leave this process.
        mode : {'measure', 'cost-block'}
            Send η_ν(s), which the buyer does not see; or download η_μ(t0) and send the costs to
            it. Either way the service, which knows the reference, can compute the raw points.
        scores : {'none', 'ranks', 'scores'}
            What the buyer gets to see of the scores of these points.
        label : str, optional
            What the buyer calls this contribution; the account's name when left out.
        listing_id : str, optional
            One's listing that describes the data.

        Raises
        ------
        InvalidArgumentError
            When the points or the mode are not what the request asks for.
        """
        measure = as_measure(points)
        request = self._client.requests.get(request_id)
        if mode not in request.modes:
            raise InvalidArgumentError(
                f"request {request_id} takes answers in mode {' or '.join(request.modes)}, "
                f"not {mode}"
            )
        if measure.dimension != request.dimension:
            raise InvalidArgumentError(
                f"request {request_id} asks for points with {request.dimension} coordinates, "
                f"these have {measure.dimension}"
            )
        reference = derivable(self._client.references.get(request.reference_id))
        projection = project(measure, reference.measure())
        self._withdraw_drafts(request_id)
        draft = self._client.contributions.create(
            request_id, mode=mode, label=label, listing_id=listing_id, score_policy=scores
        )
        buyer = self._client.requests.measure(request_id) if mode == "cost-block" else None
        for s in request.sweep:
            pushed = projection.interpolate(s)
            if buyer is None:
                self._client.contributions.upload_measure(draft.id, s, pushed)
            else:
                costs = cost_block(pushed.points, buyer.points, request.order)
                self._client.contributions.upload_cost_block(draft.id, s, costs, pushed.weights)
        return self._client.contributions.submit(draft.id, projection_spread=projection.spread)

    def decline(self, request_id: str, *, reason: str) -> Contribution:
        """Tell the buyer that one will not answer, and why."""
        self._withdraw_drafts(request_id)
        mode = self._client.requests.get(request_id).modes[0]
        draft = self._client.contributions.create(request_id, mode=mode)
        return self._client.contributions.decline(draft.id, reason=reason)

    def scores(self, evaluation_id: str, *, s: float | None = None) -> PointScores:
        """Scores of one's own points in an evaluation, at one s of the sweep or its middle.

        Positive: the point pushes the distance up (noise). Negative: it pulls it down (value).
        At any s but t0, which only the buyer knows, the scores also hold a term of the reference,
        the larger the farther s is from t0: compare several s before you throw points away.

        Raises
        ------
        NotFoundError
            When there is no such evaluation that this seller may see.
        InvalidArgumentError
            When it uses no contribution of this seller.
        """
        evaluation = self._client.evaluations.get(evaluation_id)
        me = self._client.accounts.me().id
        for contribution in self._client.contributions.list(evaluation.request_id):
            if contribution.account_id == me and contribution.id in evaluation.contribution_ids:
                return self._client.evaluations.scores(evaluation_id, contribution.id, s=s)
        raise InvalidArgumentError(f"evaluation {evaluation_id} uses no contribution of {me}")

    def _withdraw_drafts(self, request_id: str) -> None:
        for earlier in self._client.contributions.list(request_id):
            if earlier.state == "draft":
                self._client.contributions.withdraw(earlier.id)
