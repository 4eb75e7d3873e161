"""The report over HTTP: for the buyer alone, after the result, under a strict policy."""

import stat
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.app.conftest import Party, Service, problem
from tests.app.evaluations.market import LARGE_UNIT, data, evaluate, market, result
from tests.conftest import ON_SQLITE
from wassay import Buyer, Client, Profile, Protocol, Seller, SellerPrivacy
from wassay.receipts import verify

Http = Callable[..., Party]


@ON_SQLITE
def test_only_the_buyer_reads_the_report_and_not_before_there_is_one(
    http: Http, start_worker: Callable[[], None]
) -> None:
    buyer, sellers, request_id, _ = market(
        http, data(20, 30), ["measure", "measure"], ["scores", "scores"]
    )
    evaluation_id = evaluate(buyer, request_id)
    path = f"/v1/evaluations/{evaluation_id}/report"
    assert problem(buyer.get(path)) == (409, "evaluation-not-finished")
    start_worker()
    found = result(buyer, evaluation_id)

    response = buyer.get(path)
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    policy = response.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert response.headers["cache-control"] == "no-store"
    for seller in found["sellers"]:
        assert f"{seller['singleton']['points'][1]['distance']:.4f}" in response.text
    assert response.text.count('aria-label="Scores of') == 2
    assert problem(sellers[0].get(path)) == (403, "forbidden")
    both = http("buyer", account_id=sellers[0].account_id)
    assert problem(both.get(path)) == problem(http("buyer").get(path)) == (404, "not-found")


@pytest.mark.usefixtures("worker")
def test_the_report_and_the_receipt_of_squared_distances_beyond_2_to_the_53_are_read(
    http: Http,
) -> None:
    buyer, _, request_id, _ = market(http, data(12, 15, unit=LARGE_UNIT), ["measure"] * 2)
    evaluation_id = evaluate(buyer, request_id)
    found = result(buyer, evaluation_id)
    costs = [point["cost"] for point in found["grand_coalition"]["points"]]
    assert all(2**53 < cost < 1e21 for cost in costs)

    report = buyer.get(f"/v1/evaluations/{evaluation_id}/report")
    assert report.status_code == 200, report.text
    verified = verify(buyer.get(f"/v1/evaluations/{evaluation_id}/receipt").content)
    verified.require_result(buyer.get(f"/v1/evaluations/{evaluation_id}/result").content)
    signed = {each.pointer: each.certificate.primal for each in verified.receipt.certificates}
    pointers = [f"/grand_coalition/points/{place}/certificate" for place in range(len(costs))]
    assert [signed[pointer] for pointer in pointers] == pytest.approx(costs)


@ON_SQLITE
@pytest.mark.usefixtures("worker")
def test_the_buyers_own_report_has_the_distances_of_the_raw_data(
    http: Http, service: Service, tmp_path: Path
) -> None:
    random = np.random.default_rng(1)
    keys = {role: http(role).key for role in ("buyer", "seller")}
    with (
        Client(service.url, keys["buyer"]) as asking,
        Client(service.url, keys["seller"]) as offering,
    ):
        seller = Seller(offering, Profile(tmp_path / "seller.json"))
        seller.publish_key()
        request = Buyer(asking, Profile(tmp_path / "buyer.json")).ask(
            random.normal(0, 1, (30, 3)),
            title="Three features",
            sellers=[offering.accounts.me().id],
            protocol=Protocol(t0=0.37),
        )
        seller.answer(
            request.id,
            random.normal(1, 1, (40, 3)),
            label="Bolt",
            privacy=SellerPrivacy(scores="ranks"),
        )
        cost = request.evaluate(dry_run=True)
        evaluation = request.evaluate().wait()
        # All together at every s, and the parts.
        assert cost.problems == len(asking.requests.get(request.id).sweep) + 1
        assert "by the clock on this service" in str(cost)
        assert "processor seconds by constant rates" in str(cost)
        file = tmp_path / "report.html"
        evaluation.report(file)
        page = file.read_text()
        known = evaluation.result().estimates().sellers[0].singleton
        assert f"{known.value:.4f}" in page
        assert "at the private" in page
        assert "up to a secret isometry" in page
        assert evaluation.receipt().digest in page
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        with pytest.raises(FileExistsError):
            evaluation.report(file)
