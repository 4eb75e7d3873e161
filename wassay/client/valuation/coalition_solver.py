"""Groups of an evaluation's contributions, solved by the service as they are asked for."""

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
    """What is known at t0 of the coalitions of one evaluation's contributions, and how to know
    more.

    More is asked for by evaluations that extend the first, which the service keeps: who comes back
    later finds what these solved.
    """

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
        """Read what was solved so far."""
        found = yield from self._flows.evaluations.result(self._extended)
        self._known = CoalitionEstimates(found, self._push)
        for each in (yield from self._flows.evaluations.list(self._request_id).all()):
            if each.extends == self._extended and each.state == "succeeded":
                self._known.add((yield from self._flows.evaluations.result(each.id)).coalitions)
        return self._known

    def solve(self, coalitions: Iterable[Collection[str]]) -> Flow[None]:
        """Have those solved that are not known yet."""
        missing = [sorted(coalition) for coalition in coalitions if coalition not in self._known]
        for start in range(0, len(missing), MAX_COALITIONS):
            yield from self._ask(coalitions=missing[start : start + MAX_COALITIONS])

    def solve_permutations(self, permutations: int) -> Flow[None]:
        """Have the coalitions solved that the first so many sampled permutations are made of."""
        names = self._known.contribution_ids
        at_once = max(MAX_COALITIONS // (len(names) - 3) // 2 * 2, 2)
        first = 0
        while first < permutations and self._are_known(first):
            first += 2
        for start in range(first, permutations, at_once):
            yield from self._ask(
                first_permutation=start, permutations=min(at_once, permutations - start)
            )

    def compare(self) -> Flow[models.Result]:
        """Have sellers compared with each other, unless they were, and read what came of it."""
        for each in (yield from self._flows.evaluations.list(self._request_id).all()):
            if each.extends == self._extended and each.state == "succeeded":
                found: models.Result = yield from self._flows.evaluations.result(each.id)
                if found.pairs:
                    return found
        return (yield from self._asked(pairs=True))

    def _are_known(self, first: int) -> bool:
        coalitions = sampled_coalitions(self._known.contribution_ids, 2, first)
        return all(coalition in self._known for coalition in coalitions)

    def _ask(self, **what: Any) -> Flow[None]:
        found = yield from self._asked(**what)
        self._known.add(found.coalitions)

    def _asked(self, **what: Any) -> Flow[models.Result]:
        asked = yield from self._flows.evaluations.create(
            self._request_id, extends=self._extended, **what
        )
        yield from poll_until_succeeded(self._flows, asked.id, progress=self._progress)
        return (yield from self._flows.evaluations.result(asked.id))
