"""Further coalitions, those of permutations, and pairs of sellers who allow comparison."""

from collections.abc import Callable

import numpy as np
import ot
import pytest
from scipy.spatial.distance import cdist

from tests.app.conftest import Party
from tests.app.evaluations.market import (
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
from wassay.transport import sampled_coalitions

pytestmark = [ON_SQLITE, pytest.mark.usefixtures("worker")]

SIZES = (20, 25, 40)


def test_each_requested_coalition_is_solved_once(http: Callable[..., Party]) -> None:
    held = data(*SIZES, 15)
    buyer, _, request_id, answers = market(http, held, ["measure"] * 4)
    a, b, c, d = answers

    coalitions = [[a, b], [d, b], [b, a], [c], [a, b, c], [a, b, c, d]]
    found = result(buyer, evaluate(buyer, request_id, coalitions=coalitions))

    sizes = (*SIZES, 15)
    solved = {frozenset(each["contribution_ids"]): each["curve"] for each in found["coalitions"]}
    assert set(solved) == {frozenset({a, b}), frozenset({b, d})}
    for places in ((0, 1), (1, 3)):
        curve = solved[frozenset(answers[place] for place in places)]
        np.testing.assert_allclose(
            distances(curve),
            pot_distances(held, places, [sizes[place] for place in places]),
            rtol=1e-9,
        )


def test_the_coalitions_of_permutations_are_those_of_sampled_shapley_values(
    http: Callable[..., Party],
) -> None:
    buyer, _, request_id, answers = market(http, data(*SIZES, 15), ["measure"] * 4)

    found = result(buyer, evaluate(buyer, request_id, coalitions=[answers[:2]], permutations=6))

    solved = {frozenset(each["contribution_ids"]) for each in found["coalitions"]}
    assert solved == {frozenset(answers[:2]), *sampled_coalitions(answers, 6)}
    path = f"/v1/requests/{request_id}/evaluations"
    problem = refused(buyer.post(path, json={"permutations": 5002}), 422, "coalition-not-evaluable")
    assert problem["received"] == 5002
    assert buyer.post(path, json={"permutations": 3}).status_code == 422


def test_an_evaluation_that_extends_another_solves_only_the_new_coalitions(
    http: Callable[..., Party],
) -> None:
    held = data(*SIZES, 15, m=12)
    buyer, sellers, request_id, answers = market(http, held, ["measure"] * 4, ["scores"] * 4)
    given = dict(zip(answers, (3, 1, 1, 2), strict=True))
    first = evaluate(buyer, request_id, seller_weights=given)
    whole = result(buyer, first)
    before = len(buyer.get("/v1/disclosures?role=viewer&limit=100").json()["items"])

    second = evaluate(buyer, request_id, extends=first, coalitions=[answers[:2], [answers[3]]])
    further = result(buyer, second)
    third = evaluate(buyer, request_id, extends=second, first_permutation=2, permutations=2)

    assert sum(len(each["curve"]["points"]) for each in further["coalitions"]) == 3
    assert finished(buyer, third)["extends"] == finished(buyer, second)["extends"] == first
    (pair,) = further["coalitions"]
    assert pair["contribution_ids"] == sorted(answers[:2])
    np.testing.assert_allclose(
        distances(pair["curve"]), pot_distances(held, (0, 1), (3, 1)), rtol=1e-9
    )
    for member in ("grand_coalition", "sellers", "findings", "buyer_points"):
        assert further[member] == whole[member]
    of_third = {frozenset(each["contribution_ids"]) for each in result(buyer, third)["coalitions"]}
    assert of_third == set(sampled_coalitions(answers, 2, first=2))
    assert (
        buyer.get(f"/v1/evaluations/{third}/scores/{answers[0]}").json()
        == buyer.get(f"/v1/evaluations/{first}/scores/{answers[0]}").json()
    )
    receipt = buyer.get(f"/v1/evaluations/{third}/receipt").json()["receipt"]
    assert receipt["extends"] == first
    assert buyer.get(f"/v1/evaluations/{third}/report").status_code == 200
    rows = buyer.get("/v1/disclosures?role=viewer&limit=100").json()["items"]
    disclosed = [row for row in rows if row["kind"] == "distances" and row["coalitions"] == 1]
    assert {row["owner_id"] for row in disclosed} >= {seller.account_id for seller in sellers[:2]}
    assert {row["kind"] for row in rows[: len(rows) - before]} == {"distances"}


def test_sellers_are_compared_with_each_other_where_both_allow_it(
    http: Callable[..., Party],
) -> None:
    held = data(*SIZES, 15, weighted=True)
    modes = ["measure", "measure", "cost-block", "measure"]
    buyer, sellers, request_id, answers = market(
        http, held, modes, allows_comparison=[True, False, True, True]
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
    assert (pair["s"], found["coalitions"]) == (0.25, [])
    rows = buyer.get("/v1/disclosures?role=viewer&limit=100").json()["items"]
    newest = [row for row in rows if row["kind"] == "distances"][:2]
    assert {row["owner_id"] for row in newest} == {sellers[0].account_id, sellers[3].account_id}
    assert [row["coalitions"] for row in newest] == [1, 1]
    alone = evaluate(buyer, request_id, contribution_ids=answers[:2])
    result(buyer, alone)
    asked = buyer.post(path, json={"extends": alone, "pairs": True})
    assert refused(asked, 422, "coalition-not-evaluable")["received"] == 1


def test_only_a_succeeded_evaluation_is_extended_with_its_own_contributions(
    http: Callable[..., Party],
) -> None:
    buyer, _, request_id, answers = market(http, data(*SIZES), ["measure"] * 3)
    first = evaluate(buyer, request_id)
    result(buyer, first)
    _, _, other_request, _ = market(http, data(*SIZES), ["measure"] * 3, buyer=buyer)
    path = f"/v1/requests/{other_request}/evaluations"
    refused(buyer.post(path, json={"extends": first, "permutations": 2}), 409, "not-extendable")
    path = f"/v1/requests/{request_id}/evaluations"
    refused(buyer.post(path, json={"extends": first}), 422, "coalition-not-evaluable")
    refused(buyer.post(path, json={"extends": "evl_unknown", "permutations": 2}), 404, "not-found")
    for settled in (
        {"contribution_ids": answers},
        {"seller_weighting": "points"},
        {"seller_weights": dict.fromkeys(answers, 1)},
    ):
        sent = buyer.post(path, json={"extends": first, "permutations": 2, **settled})
        assert "of the one that it extends" in refused(sent, 422, "invalid")["detail"]


def test_a_coalition_contains_only_evaluated_contributions(http: Callable[..., Party]) -> None:
    buyer, _, request_id, (a, b) = market(http, data(*SIZES[:2]), ["measure"] * 2)
    path = f"/v1/requests/{request_id}/evaluations"
    for terms, received in (
        ({"coalitions": [[a, "con_unknown"]]}, ["con_unknown"]),
        ({"contribution_ids": [a], "coalitions": [[a, b]]}, [b]),
    ):
        problem = refused(buyer.post(path, json=terms), 422, "coalition-not-evaluable")
        assert problem["received"] == received
    assert buyer.post(path, json={"coalitions": [[]]}).status_code == 422
