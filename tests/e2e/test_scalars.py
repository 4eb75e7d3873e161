"""Sellers who solve the sweep themselves: the same distances, which nobody can verify."""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import ot
import pytest

from tests.conftest import ON_SQLITE
from tests.e2e.service import NewParty, Party
from wassay import Buyer, BuyerPrivacy, Evaluation, Protocol, Request, Seller, SellerPrivacy
from wassay.client import ConflictError, InvalidArgumentError
from wassay.models import Caps

pytestmark = ON_SQLITE

random = np.random.default_rng(29)
NEEDED = random.normal(size=(37, 4))
OFFERED = {
    "near": random.normal(0.3, 1.0, size=(41, 4)),
    "far": random.gamma(2.0, 1.0, size=(50, 4)),
}
T0 = 0.35
ROUNDING = 1e-7


def true_distance(points: np.ndarray) -> float:
    return math.sqrt(ot.emd2([], [], ot.dist(points, NEEDED), numItermax=10**7))


@dataclass
class Deal:
    request: Request
    sellers: dict[str, Party]
    evaluation: Evaluation


@pytest.fixture(scope="module")
def deal(new_party: NewParty) -> Deal:
    sellers = {name: new_party("seller", name=name) for name in OFFERED}
    request = Buyer(new_party("buyer").client).ask(
        NEEDED,
        title="Numbers only",
        sellers=[seller.account_id for seller in sellers.values()],
        privacy=BuyerPrivacy(reveals_measure=True, max_disclosure="exact"),
        protocol=Protocol(t0=T0, modes=["measure", "scalar"]),
    )
    for name, points in OFFERED.items():
        client = sellers[name].client
        client.accounts.set_caps(sellers[name].account_id, Caps())  # the default cap on questions
        # The disclosure limit allows this, because nothing about a single record is sent.
        Seller(client).answer(
            request.id, points, mode="scalar", privacy=SellerPrivacy(max_disclosure="scalars")
        )
    return Deal(request, sellers, request.evaluate().wait(timeout=300))


def test_an_honest_sellers_numbers_are_the_distance(deal: Deal) -> None:
    estimates = deal.evaluation.result().estimates()
    assert [seller.label for seller in estimates.sellers] == ["near", "far"]
    for seller in estimates.sellers:
        truth = true_distance(OFFERED[seller.label])
        assert seller.points == len(OFFERED[seller.label])
        assert seller.singleton.value == pytest.approx(truth, rel=0.02)
        assert seller.singleton.interval is not None
        low, high = seller.singleton.interval
        assert low - ROUNDING <= truth <= high + ROUNDING
    assert [seller.relative_score for seller in estimates.sellers] == [1.0, 0.0]


def test_a_stated_distance_is_shown_as_unverified_everywhere(deal: Deal, tmp_path: Path) -> None:
    result = deal.evaluation.result()
    estimates = result.estimates()
    assert not any(seller.verified for seller in estimates.sellers)
    assert str(estimates).count("unverified") == len(OFFERED)
    assert "all together" not in str(estimates)
    assert result.certificate is None
    assert not any(seller.verified for seller in result.document.sellers)
    assert all(
        point.certificate is None
        for seller in result.document.sellers
        for point in seller.singleton.points
    )
    result.plot(tmp_path / "curves.svg")
    receipt = deal.evaluation.receipt().receipt
    assert [each.mode for each in receipt.inputs] == ["measure", "scalar", "scalar"]
    assert receipt.certificates == []


def test_no_aggregate_and_no_scores_follow_from_them(deal: Deal) -> None:
    document = deal.evaluation.result().document
    assert document.grand_coalition is None
    assert all(seller.leave_one_out is None for seller in document.sellers)
    with pytest.raises(InvalidArgumentError, match="mode scalar"):
        deal.evaluation.shapley()
    with pytest.raises(InvalidArgumentError, match="mode scalar"):
        deal.evaluation.buy({seller.contribution_id: 1.0 for seller in document.sellers}, 9.0)
    with pytest.raises(ConflictError) as refused:
        deal.evaluation.scores()
    assert refused.value.type == "/problems/no-scores"
    with pytest.raises(ConflictError):
        Seller(deal.sellers["near"].client).scores(deal.evaluation.id)


def test_verifiable_contributions_are_evaluated_separately(deal: Deal, new_party: NewParty) -> None:
    third = new_party("seller", name="third")
    deal.request.invite(third.account_id)
    verifiable = Seller(third.client).answer(deal.request.id, OFFERED["near"])
    with pytest.raises(ConflictError, match=verifiable.id) as refused:
        deal.request.evaluate()
    assert refused.value.type == "/problems/mixed-contributions"
    alone = deal.request.evaluate(contribution_ids=[verifiable.id]).wait(timeout=300)
    found, said = alone.result().estimates(), deal.evaluation.result().estimates()
    assert found.sellers[0].verified
    assert found.sellers[0].singleton.value == pytest.approx(
        said.sellers[0].singleton.value, rel=1e-9
    )
