"""What an evaluation finds, against POT and the mathematics, and who may read which part."""

import base64
import hashlib
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import ot
import pytest
from scipy.spatial.distance import cdist
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
from wassay import transport
from wassay.transport import Measure, SellerCosts, sampled_groups

pytestmark = pytest.mark.usefixtures("worker")

SIZES = (20, 25, 40)


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
        distances(found["together"]), pot_distances(held, (0, 1, 2), SIZES), rtol=1e-9
    )
    for place, seller in enumerate(found["sellers"]):
        rest = [other for other in range(3) if other != place]
        assert seller["contribution_id"] == answers[place]
        assert seller["weight"] == pytest.approx(SIZES[place] / total)
        np.testing.assert_allclose(
            distances(seller["alone"]), pot_distances(held, [place], [1]), rtol=1e-9
        )
        np.testing.assert_allclose(
            distances(seller["without"]),
            pot_distances(held, rest, [SIZES[other] for other in rest]),
            rtol=1e-9,
        )
        for curve in (seller["alone"], seller["without"], found["together"]):
            for point in curve["points"]:
                certificate = point["certificate"]
                assert certificate["gap"] <= 1e-9 * point["cost"]
                assert certificate["dual"] <= point["cost"] * (1 + 1e-12)


def test_a_request_by_measures_and_one_by_cost_blocks_agree(http: Callable[..., Party]) -> None:
    held = data(*SIZES)
    found = []
    for mode in ("measure", "cost-block"):
        buyer, _, request_id, _ = market(http, held, [mode] * 3)
        found.append(result(buyer, evaluate(buyer, request_id)))

    by_measures, by_blocks = found
    np.testing.assert_allclose(
        distances(by_measures["together"]), distances(by_blocks["together"]), rtol=1e-9
    )
    for one, other in zip(by_measures["sellers"], by_blocks["sellers"], strict=True):
        np.testing.assert_allclose(one["contribution"], other["contribution"], atol=1e-9)
    assert by_measures["together"]["points"][0]["mean_shift"] is not None
    assert by_blocks["together"]["points"][0]["mean_shift"] is None


def test_curves_and_scores_are_those_of_the_mathematics(http: Callable[..., Party]) -> None:
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
    together = found["together"]
    assert together["quadratic_coefficient"] == pytest.approx(
        expected.together.quadratic_coefficient
    )
    assert together["fit"]["a2"] == pytest.approx(expected.together.fit.a2)
    for point, right in zip(together["points"], expected.together.points, strict=True):
        assert point["line"]["alpha"] == pytest.approx(right.line.alpha)
        assert point["line"]["beta"] == pytest.approx(right.line.beta)
        assert point["mean_shift"] == pytest.approx(right.mean_shift)
    own = buyer.get(f"/v1/evaluations/{evaluation_id}/scores").json()
    assert own["s"] == 0.5
    assert len(own["noisiest"]) == min(SIZES) // 10
    np.testing.assert_allclose(own["values"], expected.buyer_scores[0.5].values, atol=1e-9)
    for seller, name in zip(sellers, answers, strict=True):
        path = f"/v1/evaluations/{evaluation_id}/scores/{name}"
        for s in SWEEP:
            scores = seller.get(path, params={"s": s}).json()
            right = expected.seller_scores[name][s]
            np.testing.assert_allclose(scores["values"], right.values, atol=1e-9)
            np.testing.assert_allclose(scores["spread"], right.spread, atol=1e-9)
            assert (np.argsort(scores["ranks"])[0]) == np.argmax(scores["values"])


def test_sellers_can_weigh_the_same_whatever_their_size(http: Callable[..., Party]) -> None:
    held = data(*SIZES)
    buyer, _, request_id, _ = market(http, held, ["measure"] * 3)

    found = result(buyer, evaluate(buyer, request_id, seller_weighting="equal"))

    assert [seller["weight"] for seller in found["sellers"]] == [pytest.approx(1 / 3)] * 3
    np.testing.assert_allclose(
        distances(found["together"]), pot_distances(held, (0, 1, 2), (1, 1, 1)), rtol=1e-9
    )


def test_one_seller_alone_is_all_there_is_and_nobody_is_left_without(
    http: Callable[..., Party],
) -> None:
    held = data(20)
    buyer, _, request_id, _ = market(http, held, ["measure"])

    found = result(buyer, evaluate(buyer, request_id))

    (seller,) = found["sellers"]
    assert seller["alone"] == found["together"]
    assert seller["without"] is None
    assert seller["contribution"] == [1, 1, 1]


def test_the_nearest_seller_contributes_one_and_the_farthest_zero(
    http: Callable[..., Party],
) -> None:
    held = data(*SIZES)
    buyer, _, request_id, _ = market(http, held, ["measure"] * 3)

    found = result(buyer, evaluate(buyer, request_id))

    for place in range(len(SWEEP)):
        alone = [distances(seller["alone"])[place] for seller in found["sellers"]]
        contribution = [seller["contribution"][place] for seller in found["sellers"]]
        nearest, farthest = min(alone), max(alone)
        np.testing.assert_allclose(
            contribution, (farthest - np.array(alone)) / (farthest - nearest), atol=1e-12
        )


def test_a_result_is_the_bytes_that_its_tag_names(http: Callable[..., Party]) -> None:
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


def test_of_several_sellers_the_buyer_sees_scores_where_all_show_them(
    http: Callable[..., Party],
) -> None:
    held = data(*SIZES)
    policies = ["none", "ranks", "scores"]
    buyer, sellers, request_id, answers = market(http, held, ["measure"] * 3, policies)
    evaluation_id = evaluate(buyer, request_id)
    result(buyer, evaluation_id)
    paths = [f"/v1/evaluations/{evaluation_id}/scores/{name}" for name in answers]

    withheld = refused(buyer.get(paths[0]), 403, "scores-withheld")
    own = refused(buyer.get(f"/v1/evaluations/{evaluation_id}/scores"), 403, "scores-withheld")
    assert (own["expected"], own["came"]) == ("scores", dict(zip(answers, policies, strict=True)))
    assert withheld["came"] == "none"
    for place, seller in enumerate(sellers):
        mine = seller.get(paths[place]).json()
        # Exact scores of one seller's many points would tell the other sellers' records.
        for seen in [mine] if place == 0 else [mine, buyer.get(paths[place]).json()]:
            assert (seen["values"], seen["spread"], seen["method"]) == (None, None, None)
            assert seen["ranks"] is None
            assert seen["noisiest"] == mine["noisiest"]
            assert len(seen["noisiest"]) == min(*SIZES, held.buyer.size) // 10
        refused(seller.get(paths[(place + 1) % 3]), 404, "not-found")
        refused(seller.get(f"/v1/evaluations/{evaluation_id}/result"), 403, "forbidden")
        refused(seller.get(f"/v1/evaluations/{evaluation_id}/scores"), 403, "forbidden")
        assert seller.get(f"/v1/evaluations/{evaluation_id}").json()["contribution_ids"] == [
            answers[place]
        ]
    unknown = refused(buyer.get(paths[2], params={"s": 0.3}), 404, "unknown-sweep-value")
    assert unknown["expected"] == list(SWEEP)
    for unreadable in ("2", "0.2_5", " 0.25"):
        refused(buyer.get(paths[2], params={"s": unreadable}), 422, "invalid")


def on_nine_rows(measure: Measure) -> Measure:
    """A measure of as many rows, whose mass lies on nine of them."""
    weights = np.full(measure.size, 1e-12)
    weights[:9] = 1.0
    return Measure(measure.points, weights / weights.sum())


NOBODY_SMALL = data(40, 20)
SMALL = {
    "a buyer of nine points": data(40, 20, m=9),
    "a buyer whose mass is on nine": replace(NOBODY_SMALL, buyer=on_nine_rows(NOBODY_SMALL.buyer)),
    "a buyer of one place, thirty times": replace(
        NOBODY_SMALL, buyer=Measure(np.repeat(NOBODY_SMALL.buyer.points[:1], 30, axis=0))
    ),
    "a seller whose mass is on nine": replace(
        NOBODY_SMALL,
        sellers=[
            NOBODY_SMALL.sellers[0],
            {s: on_nine_rows(each) for s, each in NOBODY_SMALL.sellers[1].items()},
        ],
    ),
}


@pytest.mark.parametrize("held", SMALL.values(), ids=SMALL)
def test_nobodys_noisiest_points_are_named_where_a_party_is_small(
    http: Callable[..., Party], held: Data
) -> None:
    """A single one of thousands, laid on a circle, is in the direction of a single record."""
    buyer, sellers, request_id, answers = market(http, held, ["measure"] * 2, ["none", "scores"])
    evaluation_id = evaluate(buyer, request_id)
    assert {each["scores_shown"] for each in result(buyer, evaluation_id)["sellers"]} == {"none"}
    for party, name in [*zip(sellers, answers, strict=True), (buyer, answers[1])]:
        told = party.get(f"/v1/evaluations/{evaluation_id}/scores/{name}")
        assert "fewer than 10" in refused(told, 403, "scores-withheld")["detail"]
    assert buyer.get(f"/v1/evaluations/{evaluation_id}/report").status_code == 200
    of_the_buyer = buyer.get("/v1/disclosures").json()["items"]
    assert not [each for each in of_the_buyer if each["viewer_id"] is not None]


def test_of_one_seller_alone_the_buyer_sees_what_that_seller_shows(
    http: Callable[..., Party],
) -> None:
    held = data(*SIZES)
    buyer, sellers, request_id, answers = market(http, held, ["measure"] * 2, ["ranks", "scores"])
    read = []
    for name in answers:
        evaluation_id = evaluate(buyer, request_id, contribution_ids=[name])
        result(buyer, evaluation_id)
        read.append(f"/v1/evaluations/{evaluation_id}/scores/{name}")

    ranks, scores = buyer.get(read[0]).json(), buyer.get(read[1]).json()

    assert (ranks["values"], ranks["spread"], ranks["method"]) == (None, None, None)
    assert sorted(ranks["ranks"]) == list(range(SIZES[0]))
    few = SIZES[0] // 10
    assert sorted(np.argsort(ranks["ranks"])[:few].tolist()) == ranks["noisiest"]
    few = min(SIZES[1], held.buyer.size) // 10
    assert set(scores["noisiest"]) == set(np.argsort(scores["values"])[-few:].tolist())
    assert np.argsort(scores["ranks"])[0] == np.argmax(scores["values"])
    for seller, path in zip(sellers, read, strict=True):  # the buyer does not reveal scores
        assert (seller.get(path).json()["values"], seller.get(path).json()["ranks"]) == (None, None)


def test_a_seller_reads_exact_scores_where_the_buyer_and_all_other_sellers_consent(
    http: Callable[..., Party],
) -> None:
    buyer, sellers, request_id, answers = market(
        http, data(*SIZES[:2]), ["measure"] * 2, ["none", "scores"], reveals_scores=True
    )
    evaluation_id = evaluate(buyer, request_id)
    result(buyer, evaluation_id)
    for seller, name, is_exact in zip(sellers, answers, (True, False), strict=True):
        seen = seller.get(f"/v1/evaluations/{evaluation_id}/scores/{name}").json()
        assert (seen["values"] is not None) == (seen["ranks"] is not None) == is_exact


def test_an_evaluation_of_an_array_that_was_lost_fails_and_says_so(
    http: Callable[..., Party], service: Service
) -> None:
    held = data(11, seed=5)
    buyer, sellers, request_id, answers = market(http, held, ["measure"])
    digest = sellers[0].get(f"/v1/contributions/{answers[0]}").json()["arrays"][0]["digest"]
    service.app.state.array_store.local_path(digest).unlink()

    evaluation_id = evaluate(buyer, request_id)
    failed = finished(buyer, evaluation_id)

    assert failed["state"] == "failed"
    assert failed["problem"]["type"] == "/problems/storage-damaged"
    assert failed["reason"] == failed["problem"]["detail"]
    assert digest in failed["reason"]
    answer = buyer.get(f"/v1/evaluations/{evaluation_id}/result")
    assert failed["reason"] in refused(answer, 409, "evaluation-without-result")["detail"]
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


def test_groups_that_are_asked_for_are_solved_once_each(http: Callable[..., Party]) -> None:
    held = data(*SIZES, 15)
    buyer, _, request_id, answers = market(http, held, ["measure"] * 4)
    a, b, c, d = answers

    groups = [[a, b], [d, b], [b, a], [c], [a, b, c], [a, b, c, d]]
    found = result(buyer, evaluate(buyer, request_id, groups=groups))

    sizes = (*SIZES, 15)
    solved = {frozenset(each["contribution_ids"]): each["curve"] for each in found["groups"]}
    assert set(solved) == {frozenset({a, b}), frozenset({b, d})}
    for places in ((0, 1), (1, 3)):
        curve = solved[frozenset(answers[place] for place in places)]
        np.testing.assert_allclose(
            distances(curve),
            pot_distances(held, places, [sizes[place] for place in places]),
            rtol=1e-9,
        )


def test_the_groups_of_orders_are_those_that_sampled_shapley_values_take(
    http: Callable[..., Party],
) -> None:
    buyer, _, request_id, answers = market(http, data(*SIZES, 15), ["measure"] * 4)

    found = result(buyer, evaluate(buyer, request_id, groups=[answers[:2]], orders=6))

    solved = {frozenset(each["contribution_ids"]) for each in found["groups"]}
    assert solved == {frozenset(answers[:2]), *sampled_groups(answers, 6)}
    path = f"/v1/requests/{request_id}/evaluations"
    problem = refused(buyer.post(path, json={"orders": 5002}), 422, "group-not-evaluable")
    assert problem["came"] == 5002
    assert buyer.post(path, json={"orders": 3}).status_code == 422


def test_an_evaluation_that_extends_another_solves_other_groups_and_nothing_else(
    http: Callable[..., Party],
) -> None:
    held = data(*SIZES, 15, m=12)
    buyer, sellers, request_id, answers = market(http, held, ["measure"] * 4, ["scores"] * 4)
    first = evaluate(buyer, request_id, seller_weighting="equal")
    whole = result(buyer, first)
    before = len(buyer.get("/v1/disclosures?role=viewer&limit=100").json()["items"])

    second = evaluate(buyer, request_id, extends=first, groups=[answers[:2], [answers[3]]])
    further = result(buyer, second)
    third = evaluate(buyer, request_id, extends=second, first_order=2, orders=2)

    assert sum(len(each["curve"]["points"]) for each in further["groups"]) == 3
    assert finished(buyer, third)["extends"] == finished(buyer, second)["extends"] == first
    (pair,) = further["groups"]
    assert pair["contribution_ids"] == sorted(answers[:2])
    np.testing.assert_allclose(
        distances(pair["curve"]), pot_distances(held, (0, 1), (1, 1)), rtol=1e-9
    )
    for member in ("together", "sellers", "findings", "buyer_points"):
        assert further[member] == whole[member]
    of_third = {frozenset(each["contribution_ids"]) for each in result(buyer, third)["groups"]}
    assert of_third == set(sampled_groups(answers, 2, first=2))
    assert (
        buyer.get(f"/v1/evaluations/{third}/scores/{answers[0]}").json()
        == buyer.get(f"/v1/evaluations/{first}/scores/{answers[0]}").json()
    )
    receipt = buyer.get(f"/v1/evaluations/{third}/receipt").json()["receipt"]
    assert receipt["extends"] == first
    assert buyer.get(f"/v1/evaluations/{third}/report").status_code == 200
    rows = buyer.get("/v1/disclosures?role=viewer&limit=100").json()["items"]
    told = [row for row in rows if row["kind"] == "distances" and row["groups"] == 1]
    assert {row["owner_id"] for row in told} >= {seller.account_id for seller in sellers[:2]}
    assert {row["kind"] for row in rows[: len(rows) - before]} == {"distances"}


def test_sellers_are_compared_with_each_other_where_both_allow_it(
    http: Callable[..., Party],
) -> None:
    held = data(*SIZES, 15, weighted=True)
    modes = ["measure", "measure", "cost-block", "measure"]
    buyer, sellers, request_id, answers = market(
        http, held, modes, compared=[True, False, True, True]
    )
    first = evaluate(buyer, request_id)
    assert result(buyer, first)["pairs"] == []
    path = f"/v1/requests/{request_id}/evaluations"
    assert buyer.post(path, json={"pairs": True}).status_code == 422

    found = result(buyer, evaluate(buyer, request_id, extends=first, pairs=True))

    (pair,) = found["pairs"]
    assert pair["contribution_ids"] == sorted([answers[0], answers[3]])
    one, other = (held.sellers[place][0.25] for place in (0, 3))
    cost = cdist(one.points, other.points, "sqeuclidean")
    assert pair["distance"] == pytest.approx(
        np.sqrt(ot.emd2(one.weights, other.weights, cost)), rel=1e-9
    )
    assert (pair["s"], found["groups"]) == (0.25, [])
    rows = buyer.get("/v1/disclosures?role=viewer&limit=100").json()["items"]
    newest = [row for row in rows if row["kind"] == "distances"][:2]
    assert {row["owner_id"] for row in newest} == {sellers[0].account_id, sellers[3].account_id}
    assert [row["groups"] for row in newest] == [1, 1]
    alone = evaluate(buyer, request_id, contribution_ids=answers[:2])
    result(buyer, alone)
    asked = buyer.post(path, json={"extends": alone, "pairs": True})
    assert refused(asked, 422, "group-not-evaluable")["came"] == 1


def test_only_what_has_succeeded_is_extended_and_with_its_own_contributions(
    http: Callable[..., Party],
) -> None:
    buyer, _, request_id, answers = market(http, data(*SIZES), ["measure"] * 3)
    first = evaluate(buyer, request_id)
    result(buyer, first)
    _, _, other_request, _ = market(http, data(*SIZES), ["measure"] * 3, buyer=buyer)
    path = f"/v1/requests/{other_request}/evaluations"
    refused(buyer.post(path, json={"extends": first, "orders": 2}), 409, "not-extendable")
    path = f"/v1/requests/{request_id}/evaluations"
    refused(buyer.post(path, json={"extends": first}), 422, "group-not-evaluable")
    refused(buyer.post(path, json={"extends": "evl_unknown", "orders": 2}), 404, "not-found")
    for settled in ({"contribution_ids": answers}, {"seller_weighting": "points"}):
        sent = buyer.post(path, json={"extends": first, "orders": 2, **settled})
        assert "that this one extends" in refused(sent, 422, "invalid")["detail"]


def test_a_group_is_made_of_contributions_to_evaluate(http: Callable[..., Party]) -> None:
    buyer, _, request_id, (a, b) = market(http, data(*SIZES[:2]), ["measure"] * 2)
    path = f"/v1/requests/{request_id}/evaluations"
    for terms, came in (
        ({"groups": [[a, "con_unknown"]]}, ["con_unknown"]),
        ({"contribution_ids": [a], "groups": [[a, b]]}, [b]),
    ):
        problem = refused(buyer.post(path, json=terms), 422, "group-not-evaluable")
        assert problem["came"] == came
    assert buyer.post(path, json={"groups": [[]]}).status_code == 422
