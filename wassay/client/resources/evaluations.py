"""Evaluations, and their results and scores."""

from collections.abc import Iterable, Mapping
from typing import Literal

import httpx

from wassay.client.connection.connection import Resource
from wassay.client.connection.flows import Flow, R, operation
from wassay.client.connection.pagination import Pages
from wassay.client.shared.arguments import as_count, as_list, as_seller_weights, as_share
from wassay.models import (
    Evaluation,
    EvaluationCost,
    EvaluationState,
    LabelScores,
    NoisedResult,
    OperatedEvaluation,
    PointScores,
    Result,
)


class Evaluations(Resource[R]):
    """The routes below `/v1/evaluations` and `/v1/requests/{id}/evaluations`."""

    @operation
    def create(
        self,
        request_id: str,
        *,
        contribution_ids: Iterable[str] | None = None,
        seller_weighting: Literal["points", "equal"] | None = None,
        seller_weights: Mapping[str, float] | None = None,
        extends: str | None = None,
        leave_one_out: bool | None = None,
        coalitions: Iterable[Iterable[str]] = (),
        first_permutation: int = 0,
        permutations: int = 0,
        pairs: bool = False,
    ) -> Flow[Evaluation]:
        """Start an evaluation of the given contributions, by default all submitted ones.

        The API key needs the scope `buyer`.

        Parameters
        ----------
        request_id : str
        contribution_ids, seller_weighting, seller_weights, leave_one_out
            See `wassay.Request.evaluate`. Leave these out if `extends` is given.
        extends : str, optional
            The id of an earlier evaluation. The new one has the same contributions and weights, and
            solves only `coalitions`, `permutations` and `pairs`.
        coalitions : iterable of iterables of str
            Coalitions to solve, each as the ids of its contributions.
        first_permutation : int
            How many random permutations of the contributions to skip; an even number.
        permutations : int
            How many permutations to use after the skipped ones; an even number. In each
            permutation, the first k contributions are solved as a coalition, for every k.
        pairs : bool
            Whether to solve all pairs of sellers who allow comparison; needs `extends`.
        """
        body: dict[str, object] = {
            "coalitions": [
                as_list(members, "a coalition") for members in as_list(coalitions, "coalitions")
            ],
            "first_permutation": as_count(first_permutation, "first_permutation", least=0),
            "permutations": as_count(permutations, "permutations", least=0),
            "pairs": pairs,
        }
        if seller_weighting is not None:
            body["seller_weighting"] = seller_weighting
        if seller_weights is not None:
            body["seller_weights"] = as_seller_weights(seller_weights)
        if extends is not None:
            body["extends"] = extends
        if leave_one_out is not None:
            body["leave_one_out"] = leave_one_out
        if contribution_ids is not None:
            body["contribution_ids"] = as_list(contribution_ids, "contribution_ids")
        return self._connection.create(
            "requests", request_id, "evaluations", model=Evaluation, body=body
        )

    def list(self, request_id: str) -> Pages[Evaluation, R]:
        """List a request's evaluations; a seller gets those that use their contribution."""
        return self._pages("requests", request_id, "evaluations", model=Evaluation)

    @operation
    def cost(
        self,
        request_id: str,
        *,
        contribution_ids: Iterable[str] | None = None,
        leave_one_out: bool | None = None,
    ) -> Flow[EvaluationCost]:
        """Estimate what an evaluation would cost, without computing it or charging a seller's cap.

        The API key needs the scope `buyer`. See `wassay.Request.evaluate` for the parameters.
        """
        body: dict[str, object] = {}
        if leave_one_out is not None:
            body["leave_one_out"] = leave_one_out
        if contribution_ids is not None:
            body["contribution_ids"] = as_list(contribution_ids, "contribution_ids")
        return self._connection.act(
            "requests", request_id, "evaluation-cost", model=EvaluationCost, body=body
        )

    @operation
    def get(self, evaluation_id: str) -> Flow[Evaluation]:
        """Return an evaluation's state and progress, and why it waits or failed."""
        return self._connection.get("evaluations", evaluation_id, model=Evaluation)

    @operation
    def cancel(self, evaluation_id: str) -> Flow[Evaluation]:
        """Cancel an evaluation."""
        return self._connection.act("evaluations", evaluation_id, "cancel", model=Evaluation)

    @operation
    def retry(self, evaluation_id: str) -> Flow[Evaluation]:
        """Retry an evaluation that failed because of the service.

        The API key needs the scope `admin`.
        """
        return self._connection.act("evaluations", evaluation_id, "retry", model=Evaluation)

    def all(self, state: EvaluationState | None = None) -> Pages[OperatedEvaluation, R]:
        """List the evaluations of all accounts, each as `inspect` returns it.

        The API key needs the scope `admin`.

        Parameters
        ----------
        state : str, optional
            By default evaluations in any state are listed.
        """
        return self._pages("admin", "evaluations", model=OperatedEvaluation, state=state)

    @operation
    def inspect(self, evaluation_id: str) -> Flow[OperatedEvaluation]:
        """Return the owner and state of any account's evaluation, and why it waits or failed.

        The API key needs the scope `admin`.
        """
        return self._connection.get("admin", "evaluations", evaluation_id, model=OperatedEvaluation)

    @operation
    def cancel_any(self, evaluation_id: str) -> Flow[OperatedEvaluation]:
        """Cancel a waiting or running evaluation of any account.

        The API key needs the scope `admin`.
        """
        return self._connection.act(
            "admin", "evaluations", evaluation_id, "cancel", model=OperatedEvaluation
        )

    @operation
    def result(self, evaluation_id: str) -> Flow[Result]:
        """Return the result of an evaluation.

        The API key needs the scope `buyer`.
        """
        return self._connection.get("evaluations", evaluation_id, "result", model=Result)

    @operation
    def receipt(self, evaluation_id: str) -> Flow[bytes]:
        """Return the signed receipt as bytes; a seller's receipt covers only their contribution."""
        path = ("evaluations", evaluation_id, "receipt")
        response: httpx.Response = yield from self._connection.send("GET", path)
        return response.content

    @operation
    def noised_result(self, evaluation_id: str) -> Flow[NoisedResult]:
        """Return the result of a request with an epsilon.

        The API key needs the scope `buyer`.
        """
        return self._connection.get(
            "evaluations", evaluation_id, "noised-result", model=NoisedResult
        )

    @operation
    def label_scores(self, evaluation_id: str, contribution_id: str) -> Flow[LabelScores]:
        """Return the scores of the labels of a contribution's points."""
        path = ("evaluations", evaluation_id, "label-scores", contribution_id)
        return self._connection.get(*path, model=LabelScores)

    @operation
    def scores(
        self,
        evaluation_id: str,
        contribution_id: str | None = None,
        *,
        s: float | None = None,
    ) -> Flow[PointScores]:
        """Return the scores of a contribution's points, by default of the buyer's own points.

        Parameters
        ----------
        evaluation_id : str
        contribution_id : str, optional
        s : float, optional
            A value of the sweep. By default, the service chooses an s at which all sellers together
            are near to the buyer (see `wassay.models.PointScores`).
        """
        path = ["evaluations", evaluation_id, "scores"]
        if contribution_id is not None:
            path.append(contribution_id)
        at = None if s is None else as_share(s, "s")
        return self._connection.get(*path, model=PointScores, s=at)
