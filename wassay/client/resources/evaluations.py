"""Evaluations, their results and scores."""

from collections.abc import Iterable

import httpx

from wassay.client.connection.connection import Resource
from wassay.client.connection.flows import Flow, R, operation
from wassay.client.connection.pagination import Pages
from wassay.client.shared.arguments import as_count, as_list, as_share
from wassay.models import Evaluation, NoisedResult, PointScores, Result, SellerWeighting


class Evaluations(Resource[R]):
    """`/v1/evaluations`, and those of a request."""

    @operation
    def create(
        self,
        request_id: str,
        *,
        contribution_ids: Iterable[str] | None = None,
        seller_weighting: SellerWeighting | None = None,
        extends: str | None = None,
        coalitions: Iterable[Iterable[str]] = (),
        first_permutation: int = 0,
        permutations: int = 0,
        pairs: bool = False,
    ) -> Flow[Evaluation]:
        """Ask for a result over the contributions named, or over all submitted ones (buyer).

        Or, where it `extends` an evaluation, for further coalitions, or pairs, of its
        contributions.
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
        if extends is not None:
            body["extends"] = extends
        if contribution_ids is not None:
            body["contribution_ids"] = as_list(contribution_ids, "contribution_ids")
        return self._connection.create(
            "requests", request_id, "evaluations", model=Evaluation, body=body
        )

    def list(self, request_id: str) -> Pages[Evaluation, R]:
        """Of one's own request, all; of another's, those that use one's own contribution."""
        return self._pages("requests", request_id, "evaluations", model=Evaluation)

    @operation
    def get(self, evaluation_id: str) -> Flow[Evaluation]:
        """One evaluation: its state, its progress, and why it waits or failed."""
        return self._connection.get("evaluations", evaluation_id, model=Evaluation)

    @operation
    def cancel(self, evaluation_id: str) -> Flow[Evaluation]:
        """Stop it."""
        return self._connection.act("evaluations", evaluation_id, "cancel", model=Evaluation)

    @operation
    def result(self, evaluation_id: str) -> Flow[Result]:
        """What it found (buyer)."""
        return self._connection.get("evaluations", evaluation_id, "result", model=Result)

    @operation
    def receipt(self, evaluation_id: str) -> Flow[bytes]:
        """What the service signed of it, to the byte: the buyer's whole, a seller's own part."""
        path = ("evaluations", evaluation_id, "receipt")
        answer: httpx.Response = yield from self._connection.send("GET", path)
        return answer.content

    @operation
    def noised_result(self, evaluation_id: str) -> Flow[NoisedResult]:
        """What it found, where the request has an epsilon (buyer)."""
        return self._connection.get(
            "evaluations", evaluation_id, "noised-result", model=NoisedResult
        )

    @operation
    def scores(
        self,
        evaluation_id: str,
        contribution_id: str | None = None,
        *,
        s: float | None = None,
    ) -> Flow[PointScores]:
        """Scores of the points of a contribution, or of the buyer's own, at one s of the sweep.

        The middle of the sweep when `s` is left out.
        """
        path = ["evaluations", evaluation_id, "scores"]
        if contribution_id is not None:
            path.append(contribution_id)
        at = None if s is None else as_share(s, "s")
        return self._connection.get(*path, model=PointScores, s=at)
