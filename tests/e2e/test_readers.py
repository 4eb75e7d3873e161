"""What each party can read of an evaluation."""

from dataclasses import dataclass

import numpy as np
import pytest

from tests.conftest import ON_SQLITE
from tests.e2e.service import NewParty, Party
from tests.e2e.three_features import NEEDED, OFFERED, OUTLIER, ask
from wassay import BuyerPrivacy, Client, Evaluation, Seller, SellerPrivacy
from wassay.client import ForbiddenError, NotFoundError
from wassay.models import ScorePolicy


@dataclass
class Deal:
    """An evaluation of three sellers with different score policies."""

    evaluation: Evaluation
    clients: dict[ScorePolicy, Client]
    sellers: dict[ScorePolicy, Seller]
    contributions: dict[ScorePolicy, str]


@pytest.fixture(scope="package")
def deal(buyer: Party, new_party: NewParty) -> Deal:
    policies: tuple[ScorePolicy, ...] = ("none", "ranks", "scores")
    parties = {policy: new_party("buyer", "seller") for policy in policies}
    request = ask(buyer, *parties.values())
    clients = {policy: party.client for policy, party in parties.items()}
    sellers = {policy: Seller(client) for policy, client in clients.items()}
    contributions = {
        policy: seller.answer(
            request.id, OFFERED, privacy=SellerPrivacy(scores=policy, max_disclosure="exact")
        ).id
        for policy, seller in sellers.items()
    }
    return Deal(request.evaluate().wait(timeout=300), clients, sellers, contributions)


def test_a_seller_is_told_its_worst_point_and_no_score(deal: Deal) -> None:
    for seller in deal.sellers.values():
        seen = seller.scores(deal.evaluation.id)
        assert (seen.values, seen.ranks) == (None, None)
        assert OUTLIER in seen.noisiest
        assert len(seen.noisiest) == 3


@ON_SQLITE
def test_a_buyer_who_also_sells_is_a_seller_like_the_others(
    new_party: NewParty, seller: Party
) -> None:
    both = new_party("buyer", "seller", name="Bo")
    request = ask(both, seller, both)
    Seller(seller.client).answer(request.id, OFFERED)
    Seller(both.client).answer(request.id, NEEDED)
    evaluation = request.evaluate().wait(timeout=300)
    own = Seller(both.client).scores(evaluation.id)
    assert own.values is None
    assert set(own.noisiest) < set(range(len(NEEDED)))


def test_scores_are_the_sellers_alone_unless_they_say_otherwise(deal: Deal) -> None:
    with pytest.raises(ForbiddenError) as refused:
        deal.evaluation.scores(deal.contributions["none"])
    assert refused.value.type == "/problems/scores-withheld"


def test_of_several_sellers_the_buyer_sees_the_noisiest_points_unless_all_show_scores(
    deal: Deal,
) -> None:
    for policy in ("ranks", "scores"):
        contribution_id = deal.contributions[policy]
        seen = deal.evaluation.scores(contribution_id)
        assert (seen.values, seen.ranks) == (None, None)
        rows = deal.sellers[policy].table_rows(contribution_id, seen.noisiest)
        assert sorted(rows) == deal.sellers[policy].scores(deal.evaluation.id).noisiest
        with pytest.raises(ForbiddenError, match="Leave s out"):
            deal.evaluation.scores_at_t0(contribution_id)
    noisy = deal.evaluation.noisy(top=12)
    (outlier,) = (
        point
        for point, row in enumerate(deal.sellers["ranks"].table_rows(deal.contributions["ranks"]))
        if row == OUTLIER
    )
    assert outlier in noisy.of(deal.contributions["ranks"])
    assert len(noisy.withheld) == 1
    valuable = deal.evaluation.valuable(budget=12)
    assert outlier not in valuable.of(deal.contributions["ranks"])
    assert len(valuable.withheld) == len(valuable.advice) == 1
    shown = {each.contribution_id: each.shown for each in deal.evaluation.noise().sellers}
    assert sorted(shown.values()) == ["noisiest", "noisiest", "none"]


@ON_SQLITE
def test_with_everybodys_consent_both_sides_see_the_same_scores(
    buyer: Party, seller: Party
) -> None:
    request = ask(buyer, seller, privacy=BuyerPrivacy(reveals_scores=True, max_disclosure="exact"))
    contribution = Seller(seller.client).answer(
        request.id, OFFERED, privacy=SellerPrivacy(scores="scores", max_disclosure="exact")
    )
    evaluation = request.evaluate().wait(timeout=300)
    for s in (None, 0.25):
        theirs = Seller(seller.client).scores(evaluation.id, s=s)
        assert theirs.values is not None
        assert np.argmax(theirs.values) == OUTLIER
        sent = evaluation.scores(contribution.id, s=s).values
        assert sent is not None
        rows = Seller(seller.client).table_rows(contribution.id)
        assert sent == [theirs.values[row] for row in rows]
    assert len(evaluation.scores().values or ()) == len(NEEDED)


@ON_SQLITE
def test_scores_of_the_buyers_own_points_take_every_sellers_consent(deal: Deal) -> None:
    with pytest.raises(ForbiddenError) as refused:
        deal.evaluation.scores()
    assert refused.value.type == "/problems/scores-withheld"


def test_a_seller_does_not_see_the_result(deal: Deal) -> None:
    with pytest.raises(NotFoundError):
        deal.clients["scores"].evaluations.result(deal.evaluation.id)


def test_each_side_holds_a_receipt_of_what_it_gave(deal: Deal) -> None:
    whole = deal.evaluation.receipt()
    whole.require_result(deal.evaluation.result().to_json().encode())
    for policy, seller in deal.sellers.items():
        own = seller.receipt(deal.evaluation.id)
        assert own.key == whole.key
        assert own.receipt.whole_digest == whole.digest
        given = {array.digest for array in own.receipt.inputs}
        sent = deal.clients[policy].contributions.get(deal.contributions[policy]).arrays
        assert given == {array.digest for array in sent}
        assert given < {array.digest for array in whole.receipt.inputs}


def test_others_do_not_see_that_an_evaluation_exists(deal: Deal, new_party: NewParty) -> None:
    stranger = new_party("buyer", "seller")
    with pytest.raises(NotFoundError):
        stranger.client.evaluations.get(deal.evaluation.id)
    with pytest.raises(NotFoundError):
        Seller(stranger.client).scores(deal.evaluation.id)
