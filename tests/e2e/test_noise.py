"""Requests with noise, sealed by default: from the buyer's points to the estimate at t0."""

import numpy as np
import ot
import pytest

from tests.conftest import ON_SQLITE
from tests.e2e.service import NewParty
from wassay import Buyer, BuyerPrivacy, Protocol, Seller
from wassay.client import ConflictError
from wassay.models import Caps

pytestmark = ON_SQLITE


def test_much_epsilon_finds_the_distance_and_a_cap_ends_the_questions(
    new_party: NewParty,
) -> None:
    random = np.random.default_rng(12)
    needed, offered = random.normal(size=(80, 3)), random.normal(1.0, 1.0, size=(400, 3))
    buyer, seller = new_party("buyer"), new_party("seller")
    listing = seller.client.listings.create(
        title="Mine", dimension=3, points=400, caps=Caps(epsilon=150.0)
    )
    request = Buyer(buyer.client).ask(
        needed,
        title="Noise",
        sellers=[seller.account_id],
        privacy=BuyerPrivacy(epsilon=100.0, radius=6.0),
        protocol=Protocol(t0=0.4),
    )
    Seller(seller.client).answer(request.id, offered, listing_id=listing.id)

    evaluation = request.evaluate().wait(timeout=300)
    found = evaluation.noised_result().estimates()

    true = float(ot.emd2([], [], ot.dist(needed, offered, "sqeuclidean"), numItermax=10**8))
    scale = 12.0**2 * 3 / (400 * 100) / 0.6**2
    # The weights of the three values add up to 1.9; a correct result fails with probability e^-20.
    assert found.grand_coalition.value**2 == pytest.approx(true, abs=40 * scale)
    assert (
        found.grand_coalition.interval[0]
        < found.grand_coalition.value
        < found.grand_coalition.interval[1]
    )
    with pytest.raises(ConflictError, match="noised-result"):
        evaluation.result()
    with pytest.raises(ConflictError, match="50 is left"):
        request.evaluate()
    (seen,) = (each for each in seller.client.disclosures.combined() if each.epsilon)
    assert (seen.dataset, seen.epsilon) == (listing.id, 100.0)
