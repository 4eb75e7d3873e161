"""Ask the service to solve coalitions of an evaluation's contributions when they are needed."""

from collections.abc import Collection, Iterable
from typing import Any

from wassay import models
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.client import Service
from wassay.client.connection.flows import Flow, Flowing
from wassay.client.evaluation.polling import poll_until_succeeded
from wassay.client.valuation.coalition_distances import CoalitionEstimates
from wassay.models import MAX_COALITIONS
from wassay.transport import sampled_coalitions


class CoalitionSolver:
    """Asks the service to solve coalitions, in evaluations that extend a given evaluation."""

    def __init__(
        self,
        flows: Service[Flowing],
        evaluation: models.Evaluation,
        push: PrivatePush,
        *,
        progress: bool,
    ) -> None:
        self._flows = flows
        self._request_id = evaluation.request_id
        self._extended = evaluation.extends or evaluation.id
        self._push = push
        self._progress = progress

    def known(self) -> Flow[CoalitionEstimates]:
        """Read the curves of all coalitions that were solved so far."""
        result = yield from self._flows.evaluations.result(self._extended)
        self._known = CoalitionEstimates(result, self._push)
        for each in (yield from self._flows.evaluations.list(self._request_id).all()):
            # Read every extension, so that what another object has solved is not solved again.
            if each.extends == self._extended and each.state == "succeeded":
                self._known.add((yield from self._flows.evaluations.result(each.id)).coalitions)
        return self._known

    def solve(self, coalitions: Iterable[Collection[str]]) -> Flow[None]:
        """Ask the service to solve the given coalitions that it has not solved yet.

        The solved coalitions are added to the estimates that `known` returned; call `known` first.
        """
        missing = [sorted(coalition) for coalition in coalitions if coalition not in self._known]
        for start in range(0, len(missing), MAX_COALITIONS):
            yield from self._add(coalitions=missing[start : start + MAX_COALITIONS])

    def solve_permutations(self, permutations: int) -> Flow[None]:
        """Ask the service to solve the coalitions of an even number of random permutations.

        Call `known` first; the solved coalitions are added to the estimates that `known` returned.
        """
        names = self._known.contribution_ids
        # The coalitions of a permutation are its first k contributions, for each k. Those of 1,
        # N − 1 and N contributions are known, so N − 3 are new.
        batch = max(MAX_COALITIONS // (len(names) - 3) // 2 * 2, 2)
        first = 0
        while first < permutations and self._are_known(first):
            first += 2
        for start in range(first, permutations, batch):
            yield from self._add(
                first_permutation=start, permutations=min(batch, permutations - start)
            )

    def compare(self) -> Flow[models.Result]:
        """Return a result with the distance between every two sellers who allow comparison.

        The service solves the pairs now unless it solved them before.
        """
        for each in (yield from self._flows.evaluations.list(self._request_id).all()):
            if each.extends == self._extended and each.state == "succeeded":
                result: models.Result = yield from self._flows.evaluations.result(each.id)
                if result.pairs:
                    return result
        return (yield from self._extend(pairs=True))

    def _are_known(self, first: int) -> bool:
        coalitions = sampled_coalitions(self._known.contribution_ids, 2, first)
        return all(coalition in self._known for coalition in coalitions)

    def _add(self, **terms: Any) -> Flow[None]:
        result = yield from self._extend(**terms)
        self._known.add(result.coalitions)

    def _extend(self, **terms: Any) -> Flow[models.Result]:
        extension = yield from self._flows.evaluations.create(
            self._request_id, extends=self._extended, **terms
        )
        yield from poll_until_succeeded(self._flows, extension.id, progress=self._progress)
        return (yield from self._flows.evaluations.result(extension.id))
