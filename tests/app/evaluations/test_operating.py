"""An administrator reads the state of every evaluation, and can cancel any. No worker runs."""

from collections.abc import Callable

import wassay
from tests.app.conftest import Party, Service
from tests.app.evaluations.market import data, evaluate, market

Http = Callable[..., Party]


def test_an_administrator_lists_reads_and_cancels_the_evaluation_of_another(
    http: Http, service: Service
) -> None:
    buyer, admin = http("buyer", organisation="Watched"), http("admin")
    request_id = market(http, data(10, 12), ["measure"], buyer=buyer)[2]
    first, second = (evaluate(buyer, request_id) for _ in range(2))
    with wassay.Client(service.url, admin.key) as client:
        evaluations = client.evaluations
        seen = next(each for each in evaluations.all("waiting") if each.id == second)
        assert seen == evaluations.inspect(second)
        assert (seen.account_id, seen.organisation) == (buyer.account_id, "Watched")
        assert seen.request_id == request_id
        assert seen.reason

        cancelled = evaluations.cancel_any(second)
        assert (cancelled.state, cancelled.reason) == (
            "cancelled",
            "An administrator cancelled the evaluation.",
        )
        assert evaluations.cancel_any(second).state == "cancelled"
        waiting = {each.id for each in evaluations.all("waiting")}
        assert first in waiting
        assert second not in waiting
    told = buyer.get(f"/v1/evaluations/{second}").json()
    assert told["reason"] == "An administrator cancelled the evaluation."
    buyer.post(f"/v1/requests/{request_id}/cancel")
