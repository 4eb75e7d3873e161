"""An account that an administrator disables can call nothing, and its evaluations stop."""

from collections.abc import Callable

import wassay
from tests.app.conftest import Party, Service, problem
from tests.app.evaluations.jobs import Jobs
from tests.app.evaluations.market import data, evaluate, market

Http = Callable[..., Party]


def test_a_disabled_account_is_refused_and_its_evaluations_are_cancelled_until_it_is_enabled(
    http: Http, service: Service
) -> None:
    buyer, admin = http("buyer"), http("admin")
    request_id = market(http, data(10), ["measure"], buyer=buyer)[2]
    waiting, running = evaluate(buyer, request_id), evaluate(buyer, request_id)
    jobs = Jobs(service)
    assert jobs.evaluations.prepare(running)
    with wassay.Client(service.url, admin.key) as client:
        disabled = client.accounts.disable(buyer.account_id)
        again = client.accounts.disable(buyer.account_id)

        refused = buyer.get("/v1/accounts/me")
        cancelled = [client.evaluations.inspect(each) for each in (waiting, running)]
        enabled = client.accounts.enable(buyer.account_id)
        acts = [each.action for each in client.admin_actions.list(object_id=buyer.account_id)]

    assert disabled.disabled_at is not None
    assert again.disabled_at == disabled.disabled_at
    assert problem(refused) == (403, "forbidden")
    assert "An administrator has disabled your account" in refused.json()["detail"]
    assert {each.state for each in cancelled} == {"cancelled"}
    assert {each.reason for each in cancelled} == {
        "An administrator has disabled the buyer's account."
    }
    assert jobs.evaluations.unwanted([running]) == {running}
    assert enabled.disabled_at is None
    assert buyer.get("/v1/accounts/me").is_success
    assert acts == ["account.enable", "account.disable", "account.disable"]


def test_the_evaluations_of_others_go_on_with_a_disabled_sellers_contribution(
    http: Http,
) -> None:
    buyer, (seller,), request_id, _ = market(http, data(10), ["measure"])
    evaluation_id, admin = evaluate(buyer, request_id), http("admin")

    assert admin.post(f"/v1/accounts/{seller.account_id}/disable").is_success

    assert buyer.get(f"/v1/evaluations/{evaluation_id}").json()["state"] == "waiting"
    assert problem(seller.get("/v1/accounts/me")) == (403, "forbidden")
    assert problem(admin.post("/v1/accounts/acc_none/disable")) == (404, "not-found")
    buyer.post(f"/v1/requests/{request_id}/cancel")
