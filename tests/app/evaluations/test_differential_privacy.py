"""Evaluations with differential privacy: the noise, its cost, and what is not disclosed."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.app.conftest import Party
from tests.app.evaluations.market import (
    SWEEP,
    Data,
    answer,
    evaluate,
    finished,
    put_measure,
)
from tests.app.requests.market import invite, refused
from tests.conftest import ON_SQLITE
from wassay import models as wire
from wassay.ledger import verify
from wassay.transport import Measure, Normal, Reference, interpolate, wasserstein

pytestmark = ON_SQLITE

Http = Callable[..., Party]

D, RADIUS = 3, 4.0


def held(*sizes: int, m: int = 25) -> Data:
    reference = Reference(1, D, Normal(), seed=7).measure()
    random = np.random.default_rng(31)
    raw = [Measure(random.normal(0.2 * place, 1, (n, D))) for place, n in enumerate(sizes)]
    raw[0] = Measure(
        np.vstack([raw[0].points[1:], [[50.0, 0.0, 0.0]]])
    )  # one point far outside of the ball
    return Data(
        interpolate(Measure(random.normal(size=(m, D))), reference, 0.4),
        [{s: interpolate(each, reference, s) for s in SWEEP} for each in raw],
    )


def drafted(buyer: Party, *, size: int = 1, **terms: Any) -> Any:
    reference = buyer.post(
        "/v1/references", json={"size": size, "dimension": D, "distribution": {"kind": "normal"}}
    ).json()["id"]
    body = {"title": "Noise", "reference_id": reference, "epsilon": 1.0, "radius": RADIUS}
    return buyer.post("/v1/requests", json=body | terms)


def market(http: Http, data: Data, epsilon: float = 1.0, **terms: Any) -> tuple[Any, ...]:
    buyer = http("buyer")
    request_id = drafted(buyer, epsilon=epsilon).json()["id"]
    put_measure(buyer, f"/v1/requests/{request_id}/measure", data.buyer)
    assert buyer.post(f"/v1/requests/{request_id}/open").status_code == 200
    sellers = [http("seller", organisation="Seller") for _ in data.sellers]
    contributions = []
    for place, seller in enumerate(sellers):
        invite(buyer, request_id, seller)
        contributions.append(answer(seller, request_id, data, place, **terms))
    return buyer, sellers, request_id, contributions


def noised(buyer: Party, evaluation_id: str) -> wire.NoisedResult:
    assert finished(buyer, evaluation_id)["state"] == "succeeded"
    read = buyer.get(f"/v1/evaluations/{evaluation_id}/noised-result")
    assert read.status_code == 200, read.text
    return wire.NoisedResult.model_validate_json(read.content)


def clipped(data: Data, places: list[int], s: float) -> float:
    """Return W₂² of points that the test clips itself, by the exact solver."""
    centre = data.buyer.weights @ data.buyer.points

    def clip(points: NDArray[np.float64]) -> NDArray[np.float64]:
        away = points - centre
        norms = np.linalg.norm(away, axis=1)
        clipped: NDArray[np.float64] = centre + away * np.minimum(1, RADIUS / norms)[:, None]
        return clipped

    stacked = np.vstack([clip(data.sellers[place][s].points) for place in places])
    buyer = Measure(clip(data.buyer.points), data.buyer.weights)
    return wasserstein(buyer, Measure(stacked)).value ** 2


@pytest.mark.usefixtures("worker")
def test_costs_have_noise_of_the_stated_scale_and_nothing_else_is_disclosed(http: Http) -> None:
    data = held(30, 20)
    buyer, sellers, request_id, contributions = market(http, data, epsilon=6.0)
    evaluation_id = evaluate(buyer, request_id)
    found = noised(buyer, evaluation_id)

    share, largest = 6.0 / 6, (2 * RADIUS) ** 2
    assert (found.epsilon, found.radius, found.confidence) == (6.0, RADIUS, 0.95)
    released = [
        (found.grand_coalition, [0, 1], 50),
        *(
            (each.singleton, [place], n)
            for place, (each, n) in enumerate(zip(found.sellers, (30, 20), strict=True))
        ),
    ]
    for costs, places, points in released:
        for each in costs:
            assert each.scale == pytest.approx(largest / (points * share), rel=0.005)
            # A correct result fails here with probability e^-30.
            assert abs(each.cost - clipped(data, places, each.s)) < 30 * each.scale
            assert each.interval[1] - each.cost == pytest.approx(each.scale * np.log(20), rel=1e-9)
    # The buyer reads nothing that undoes the noise.
    read = buyer.get(f"/v1/evaluations/{evaluation_id}/noised-result").json()
    assert set(read["sellers"][0]) == {
        *("contribution_id", "account_id", "label", "points", "weight", "singleton")
    }
    assert set(read) == {
        *("evaluation_id", "request_id", "order", "sweep", "buyer_points", "epsilon", "radius"),
        *("confidence", "grand_coalition", "sellers", "software"),
    }
    refused(buyer.get(f"/v1/evaluations/{evaluation_id}/result"), 409, "result-with-noise")
    scores = f"/v1/evaluations/{evaluation_id}/scores"
    refused(buyer.get(scores), 409, "no-scores")
    refused(buyer.get(f"{scores}/{contributions[0]}"), 409, "no-scores")
    refused(sellers[0].get(f"{scores}/{contributions[0]}"), 409, "no-scores")
    seen = buyer.get(f"/v1/contributions/{contributions[0]}").json()
    assert (seen["arrays"], seen["projection_spread"], seen["points"]) == ([], None, 30)
    own = sellers[0].get(f"/v1/contributions/{contributions[0]}").json()
    digests = [array["digest"] for array in own["arrays"]]
    assert len(digests) == 3
    receipt = buyer.get(f"/v1/evaluations/{evaluation_id}/receipt").text
    assert not any(digest in receipt for digest in digests)
    said = json.loads(receipt)["receipt"]
    assert (said["epsilon"], said["radius"]) == (6.0, RADIUS)
    theirs = sellers[0].get(f"/v1/evaluations/{evaluation_id}/receipt").text
    assert all(digest in theirs for digest in digests)


@pytest.mark.usefixtures("worker")
def test_the_same_question_again_draws_new_noise_and_is_charged_until_nothing_is_left(
    http: Http,
) -> None:
    data = held(30)
    buyer, (seller,), request_id, _ = market(http, data, epsilon=0.1)
    path = f"/v1/accounts/{seller.account_id}/caps"
    assert seller.put(path, json={"epsilon": 0.3}).is_success

    results = [noised(buyer, evaluate(buyer, request_id)) for _ in range(3)]
    refusal = refused(
        buyer.post(f"/v1/requests/{request_id}/evaluations", json={}), 409, "cap-exceeded"
    )

    assert (refusal["cap"], refusal["received"]) == ("epsilon", 0.1)
    assert refusal["left"] == pytest.approx(0, abs=1e-12)
    costs = np.array([[each.cost for each in one.grand_coalition] for one in results])
    # Noise is drawn on a grid, so two single draws may be equal by chance.
    assert len(np.unique(costs, axis=0)) == len(costs)
    # The mean of three results has more noise than one result with the whole budget would have.
    at_once = (2 * RADIUS) ** 2 / (30 * 0.3 / len(SWEEP))
    assert results[0].grand_coalition[0].scale / np.sqrt(len(results)) > at_once
    page = seller.get("/v1/disclosures", params={"limit": 100})
    rows = verify(wire.Page[wire.Disclosure].model_validate_json(page.content).items)
    charged = [row for row in rows if row.kind == "distances"]
    assert [row.epsilon for row in charged] == [0.1] * 3
    (combined,) = (
        each
        for each in seller.get("/v1/disclosures/combined").json()["items"]
        if each["viewer_organisation"] == buyer.organisation
    )
    assert combined["epsilon"] == pytest.approx(0.3)
    assert combined["disclosure_class"] == "scalars"


def test_a_dataset_that_requires_noise_is_not_evaluated_without(http: Http) -> None:
    buyer, seller = http("buyer"), http("seller")
    data = held(10)
    assert seller.put(f"/v1/accounts/{seller.account_id}/caps", json={"epsilon": 1.0}).is_success
    request_id = drafted(buyer, epsilon=None, radius=None, audience="everyone").json()["id"]
    put_measure(buyer, f"/v1/requests/{request_id}/measure", data.buyer)
    buyer.post(f"/v1/requests/{request_id}/open")
    answer(seller, request_id, data, 0)

    refusal = refused(
        buyer.post(f"/v1/requests/{request_id}/evaluations", json={}), 409, "cap-exceeded"
    )

    assert (refusal["cap"], refusal["received"], refusal["left"]) == ("epsilon", None, 1.0)


def test_scores_cannot_be_promised_with_noise(http: Http) -> None:
    buyer, seller = http("buyer"), http("seller")
    request_id = drafted(buyer, audience="everyone").json()["id"]
    put_measure(buyer, f"/v1/requests/{request_id}/measure", held(10).buyer)
    buyer.post(f"/v1/requests/{request_id}/open")
    path = f"/v1/requests/{request_id}/contributions"
    begun = seller.post(path, json={"mode": "measure", "score_policy": "ranks"})
    assert refused(begun, 422, "no-scores-with-noise")["received"] == "ranks"


def test_coalitions_cannot_be_evaluated_with_noise(http: Http) -> None:
    buyer, _, request_id, contributions = market(http, held(10, 12))
    for body in ({"coalitions": [contributions]}, {"leave_one_out": True}):
        asked = buyer.post(f"/v1/requests/{request_id}/evaluations", json=body)
        refused(asked, 422, "coalition-not-evaluable")
    assert not buyer.post(f"/v1/requests/{request_id}/evaluations", json={}).json()["leave_one_out"]
