"""Anomalies in sellers' arrays, as the buyer reads them."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.app.conftest import Party
from tests.app.evaluations.market import SWEEP, data, distances, evaluate, market, result
from tests.app.requests.market import refused

pytestmark = pytest.mark.usefixtures("worker")


def test_anomalies_are_reported_to_the_buyer_alone_and_change_no_distance(
    http: Callable[..., Party],
) -> None:
    held = data(40, 45, m=40, d=5)
    honest, other = held.sellers
    stolen = dict.fromkeys(SWEEP, held.buyer)
    held = replace(held, sellers=[honest, other, honest, stolen])
    modes = ["measure", "measure", "cost-block", "cost-block"]
    buyer, sellers, request_id, answers = market(http, held, modes)
    evaluation_id = evaluate(buyer, request_id)

    found = result(buyer, evaluation_id)

    told = {each["kind"]: each for each in found["findings"]}
    assert set(told) == {"copies-buyer", "copies-seller"}
    assert len(found["findings"]) == 2
    copy, replay = told["copies-buyer"], told["copies-seller"]
    assert copy["contribution_id"] == answers[3]
    assert (copy["examined"], copy["found"]) == (40, 40)
    assert copy["chance"] < 1e-6
    assert answers[3] in copy["detail"]
    assert {replay["contribution_id"], replay["other_contribution_id"]} == {answers[0], answers[2]}
    assert len(found["sellers"]) == 4
    assert max(distances(found["sellers"][3]["singleton"])) < 1e-6
    for seller in sellers:
        refused(seller.get(f"/v1/evaluations/{evaluation_id}/result"), 403, "forbidden")
        assert "copies" not in seller.get(f"/v1/evaluations/{evaluation_id}").text
        assert "copies" not in seller.get(f"/v1/evaluations/{evaluation_id}/receipt").text


def test_honest_contributions_have_no_findings(http: Callable[..., Party]) -> None:
    buyer, _, request_id, _ = market(http, data(40, 45), ["measure", "cost-block"])
    assert result(buyer, evaluate(buyer, request_id))["findings"] == []
