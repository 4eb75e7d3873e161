"""Results of evaluations against POT and `wassay.transport`, and who may read them."""

import base64
import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import func, select

from app.evaluations.models import Result, ScoredPoints
from tests.app.conftest import Party, Service
from tests.app.evaluations.market import (
    SWEEP,
    Data,
    data,
    distances,
    evaluate,
    finished,
    market,
    pot_distances,
    result,
)
from tests.app.requests.market import refused
from tests.conftest import ON_SQLITE
from wassay import transport
from wassay.transport import SellerCosts

pytestmark = pytest.mark.usefixtures("worker")

SIZES = (20, 25, 40)


@ON_SQLITE
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "modes",
    [["measure"] * 3, ["cost-block"] * 3, ["measure", "cost-block", "measure"]],
    ids=["measures", "blocks", "mixed"],
)
def test_distances_are_those_of_pot_on_the_stacked_cost(
    http: Callable[..., Party], modes: list[str], weighted: bool
) -> None:
    held = data(*SIZES, weighted=weighted)
    buyer, _, request_id, answers = market(http, held, modes)

    found = result(buyer, evaluate(buyer, request_id))

    total = sum(SIZES)
    np.testing.assert_allclose(
        distances(found["grand_coalition"]), pot_distances(held, (0, 1, 2), SIZES), rtol=1e-9
    )
    for place, seller in enumerate(found["sellers"]):
        rest = [other for other in range(3) if other != place]
        assert seller["contribution_id"] == answers[place]
        assert seller["weight"] == pytest.approx(SIZES[place] / total)
        np.testing.assert_allclose(
            distances(seller["singleton"]), pot_distances(held, [place], [1]), rtol=1e-9
        )
        np.testing.assert_allclose(
            distances(seller["leave_one_out"]),
            pot_distances(held, rest, [SIZES[other] for other in rest]),
            rtol=1e-9,
        )
        for curve in (seller["singleton"], seller["leave_one_out"], found["grand_coalition"]):
            for point in curve["points"]:
                certificate = point["certificate"]
                assert certificate["gap"] <= 1e-9 * point["cost"]
                assert certificate["dual"] <= point["cost"] * (1 + 1e-12)


@ON_SQLITE
@pytest.mark.parametrize("mode", ["measure", "cost-block"])
def test_sellers_with_permuted_rows_have_the_same_relative_score(
    http: Callable[..., Party], mode: str
) -> None:
    one = data(12)
    random = np.random.default_rng(4)
    order = [random.permutation(12) for _ in range(3)]
    sellers = [
        {s: transport.Measure(each.points[rows]) for s, each in one.sellers[0].items()}
        for rows in order
    ]
    buyer, _, request_id, _ = market(http, Data(one.buyer, sellers), [mode] * 3)
    found = result(buyer, evaluate(buyer, request_id))
    assert [seller["relative_scores"] for seller in found["sellers"]] == [[1.0] * 3] * 3


@ON_SQLITE
def test_a_request_by_measures_and_one_by_cost_blocks_agree(http: Callable[..., Party]) -> None:
    held = data(*SIZES)
    found = []
    for mode in ("measure", "cost-block"):
        buyer, _, request_id, _ = market(http, held, [mode] * 3)
        found.append(result(buyer, evaluate(buyer, request_id)))

    by_measures, by_blocks = found
    np.testing.assert_allclose(
        distances(by_measures["grand_coalition"]),
        distances(by_blocks["grand_coalition"]),
        rtol=1e-9,
    )
    for one, other in zip(by_measures["sellers"], by_blocks["sellers"], strict=True):
        np.testing.assert_allclose(one["relative_scores"], other["relative_scores"], atol=1e-9)
    assert by_measures["grand_coalition"]["points"][0]["mean_shift"] is not None
    assert by_blocks["grand_coalition"]["points"][0]["mean_shift"] is None


@ON_SQLITE
def test_curves_and_scores_equal_those_of_wassay_transport(http: Callable[..., Party]) -> None:
    held = data(*SIZES)
    buyer, sellers, request_id, answers = market(
        http, held, ["measure"] * 3, ["scores"] * 3, reveals_scores=True
    )
    evaluation_id = evaluate(buyer, request_id)
    found = result(buyer, evaluation_id)

    expected = transport.evaluate(
        held.buyer.weights,
        [
            SellerCosts.from_measures(name, measures, held.buyer)
            for name, measures in zip(answers, held.sellers, strict=True)
        ],
        SWEEP,
    )
    together = found["grand_coalition"]
    assert together["quadratic_coefficient"] == pytest.approx(
        expected.grand_coalition.quadratic_coefficient
    )
    assert together["fit"]["a2"] == pytest.approx(expected.grand_coalition.fit.a2)
    for point, right in zip(together["points"], expected.grand_coalition.points, strict=True):
        assert right.line is not None
        assert point["line"]["alpha"] == pytest.approx(right.line.alpha)
        assert point["line"]["beta"] == pytest.approx(right.line.beta)
        assert point["mean_shift"] == pytest.approx(right.mean_shift)
    own = buyer.get(f"/v1/evaluations/{evaluation_id}/scores").json()
    assert own["s"] is None
    assert len(own["noisiest"]) == min(SIZES) // 10
    weights = transport.curve_weights(SWEEP, expected.grand_coalition.nearest_s)
    swept = np.array([expected.buyer_scores[s].values for s in SWEEP])
    np.testing.assert_allclose(own["values"], weights @ swept, atol=1e-9)
    middle = buyer.get(f"/v1/evaluations/{evaluation_id}/scores", params={"s": 0.5}).json()
    np.testing.assert_allclose(middle["values"], expected.buyer_scores[0.5].values, atol=1e-9)
    for seller, name in zip(sellers, answers, strict=True):
        path = f"/v1/evaluations/{evaluation_id}/scores/{name}"
        for s in SWEEP:
            scores = seller.get(path, params={"s": s}).json()
            own_right = expected.seller_scores[name][s]
            np.testing.assert_allclose(scores["values"], own_right.values, atol=1e-9)
            np.testing.assert_allclose(scores["spread"], own_right.spread, atol=1e-9)
            assert (np.argsort(scores["ranks"])[0]) == np.argmax(scores["values"])


@ON_SQLITE
def test_sellers_can_weigh_the_same_whatever_their_size(http: Callable[..., Party]) -> None:
    held = data(*SIZES)
    buyer, _, request_id, _ = market(http, held, ["measure"] * 3)

    found = result(buyer, evaluate(buyer, request_id, seller_weighting="equal"))

    assert [seller["weight"] for seller in found["sellers"]] == [pytest.approx(1 / 3)] * 3
    np.testing.assert_allclose(
        distances(found["grand_coalition"]), pot_distances(held, (0, 1, 2), (1, 1, 1)), rtol=1e-9
    )


def test_a_single_seller_is_the_grand_coalition_without_leave_one_out(
    http: Callable[..., Party],
) -> None:
    held = data(20)
    buyer, _, request_id, _ = market(http, held, ["measure"])

    found = result(buyer, evaluate(buyer, request_id))

    (seller,) = found["sellers"]
    assert seller["singleton"] == found["grand_coalition"]
    assert seller["leave_one_out"] is None
    assert seller["relative_scores"] == [1, 1, 1]


@ON_SQLITE
def test_the_nearest_sellers_relative_score_is_one_and_the_farthests_zero(
    http: Callable[..., Party],
) -> None:
    held = data(*SIZES)
    buyer, _, request_id, _ = market(http, held, ["measure"] * 3)

    found = result(buyer, evaluate(buyer, request_id))

    for place in range(len(SWEEP)):
        alone = [distances(seller["singleton"])[place] for seller in found["sellers"]]
        scores = [seller["relative_scores"][place] for seller in found["sellers"]]
        nearest, farthest = min(alone), max(alone)
        np.testing.assert_allclose(
            scores, (farthest - np.array(alone)) / (farthest - nearest), atol=1e-12
        )


def test_a_results_bytes_have_the_digest_of_its_entity_tag(http: Callable[..., Party]) -> None:
    held = data(10)
    buyer, _, request_id, _ = market(http, held, ["measure"])
    evaluation_id = evaluate(buyer, request_id)
    found = result(buyer, evaluation_id)

    read = buyer.get(f"/v1/evaluations/{evaluation_id}/result")
    again = buyer.get(
        f"/v1/evaluations/{evaluation_id}/result", headers={"If-None-Match": read.headers["etag"]}
    )

    digest = hashlib.sha256(read.content)
    assert read.headers["etag"] == f'"{digest.hexdigest()}"'
    encoded = base64.b64encode(digest.digest()).decode()
    assert read.headers["content-digest"] == f"sha-256=:{encoded}:"
    assert (again.status_code, again.content) == (304, b"")
    assert set(found["software"]) == {"wassay", "numpy", "scipy", "POT", "numba"}
    assert found["timing"]["solving"] > 0


def lose(array: Path) -> None:
    array.unlink()


def change(array: Path) -> None:
    content = array.read_bytes()
    array.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))


@ON_SQLITE
@pytest.mark.parametrize("damage", [lose, change])
def test_an_evaluation_of_an_array_that_was_damaged_fails_and_says_so(
    http: Callable[..., Party], service: Service, damage: Callable[[Path], None]
) -> None:
    held = data(11, seed=5)
    buyer, sellers, request_id, answers = market(http, held, ["measure"])
    digest = sellers[0].get(f"/v1/contributions/{answers[0]}").json()["arrays"][0]["digest"]
    damage(service.app.state.array_store.local_path(digest))

    evaluation_id = evaluate(buyer, request_id)
    failed = finished(buyer, evaluation_id)

    assert failed["state"] == "failed"
    assert failed["problem"]["type"] == "/problems/storage-damaged"
    assert failed["reason"] == failed["problem"]["detail"]
    assert digest in failed["reason"]
    response = buyer.get(f"/v1/evaluations/{evaluation_id}/result")
    assert failed["reason"] in refused(response, 409, "evaluation-without-result")["detail"]
    assert published(service, evaluation_id) == (0, 0)


def test_an_ended_evaluation_cannot_be_cancelled(http: Callable[..., Party]) -> None:
    buyer, _, request_id, _ = market(http, data(10), ["measure"])
    evaluation_id = evaluate(buyer, request_id)
    result(buyer, evaluation_id)

    refused(buyer.post(f"/v1/evaluations/{evaluation_id}/cancel"), 409, "evaluation-finished")


def published(service: Service, evaluation_id: str) -> tuple[int, int]:
    with service.database.snapshot() as session:
        return tuple(  # type: ignore[return-value]
            session.scalar(
                select(func.count()).select_from(table).where(table.evaluation_id == evaluation_id)
            )
            for table in (Result, ScoredPoints)
        )


@ON_SQLITE
def test_sellers_have_the_weights_that_the_buyer_gives_in_every_coalition(
    http: Callable[..., Party],
) -> None:
    held = data(*SIZES)
    buyer, sellers, request_id, answers = market(http, held, ["measure"] * 3)
    given = dict(zip(answers, (3.0, 1.0, 0.5), strict=True))

    evaluation_id = evaluate(buyer, request_id, seller_weights=given)
    found = result(buyer, evaluation_id)

    assert finished(sellers[0], evaluation_id)["seller_weighting"] == "given"
    weights = [seller["weight"] for seller in found["sellers"]]
    assert weights == pytest.approx([3 / 4.5, 1 / 4.5, 0.5 / 4.5])
    np.testing.assert_allclose(
        distances(found["grand_coalition"]), pot_distances(held, (0, 1, 2), (3, 1, 0.5)), rtol=1e-9
    )
    np.testing.assert_allclose(
        distances(found["sellers"][0]["leave_one_out"]),
        pot_distances(held, (1, 2), (1, 0.5)),
        rtol=1e-9,
    )
