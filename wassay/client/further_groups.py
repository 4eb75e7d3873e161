"""Groups of an evaluation's contributions, solved by the service as they are asked for."""

from collections.abc import Collection, Iterable
from typing import Any

from wassay import models
from wassay.client.client import Service
from wassay.client.flows import Flow, Flowing
from wassay.client.groups import GroupEstimates
from wassay.client.push import Push
from wassay.client.waiting import finished
from wassay.models import MOST_GROUPS
from wassay.transport import sampled_groups


class FurtherGroups:
    """What is known at t0 of the groups of one evaluation's contributions, and how to know more.

    More is asked for by evaluations that extend the first, which the service keeps: who comes back
    later finds what these solved.
    """

    def __init__(
        self, flows: Service[Flowing], evaluation: models.Evaluation, push: Push, *, progress: bool
    ) -> None:
        self._flows = flows
        self._request_id = evaluation.request_id
        self._extended = evaluation.extends or evaluation.id
        self._push = push
        self._progress = progress

    def known(self) -> Flow[GroupEstimates]:
        """Read what was solved so far."""
        found = yield from self._flows.evaluations.result(self._extended)
        self._known = GroupEstimates(found, self._push)
        for each in (yield from self._flows.evaluations.list(self._request_id).all()):
            if each.extends == self._extended and each.state == "succeeded":
                self._known.add((yield from self._flows.evaluations.result(each.id)).groups)
        return self._known

    def solve(self, groups: Iterable[Collection[str]]) -> Flow[None]:
        """Have those solved that are not known yet."""
        missing = [sorted(group) for group in groups if group not in self._known]
        for start in range(0, len(missing), MOST_GROUPS):
            yield from self._ask(groups=missing[start : start + MOST_GROUPS])

    def solve_orders(self, orders: int) -> Flow[None]:
        """Have the groups solved that the first so many sampled orders are made of."""
        names = self._known.contribution_ids
        at_once = max(MOST_GROUPS // (len(names) - 3) // 2 * 2, 2)
        first = 0
        while first < orders and self._are_known(first):
            first += 2
        for start in range(first, orders, at_once):
            yield from self._ask(first_order=start, orders=min(at_once, orders - start))

    def compare(self) -> Flow[models.Result]:
        """Have sellers compared with each other, unless they were, and read what came of it."""
        for each in (yield from self._flows.evaluations.list(self._request_id).all()):
            if each.extends == self._extended and each.state == "succeeded":
                found: models.Result = yield from self._flows.evaluations.result(each.id)
                if found.pairs:
                    return found
        return (yield from self._asked(pairs=True))

    def _are_known(self, first: int) -> bool:
        groups = sampled_groups(self._known.contribution_ids, 2, first)
        return all(group in self._known for group in groups)

    def _ask(self, **what: Any) -> Flow[None]:
        found = yield from self._asked(**what)
        self._known.add(found.groups)

    def _asked(self, **what: Any) -> Flow[models.Result]:
        asked = yield from self._flows.evaluations.create(
            self._request_id, extends=self._extended, **what
        )
        yield from finished(self._flows, asked.id, progress=self._progress)
        return (yield from self._flows.evaluations.result(asked.id))
