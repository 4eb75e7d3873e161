"""Requests that compare secret random projections of everybody's points."""

from dataclasses import dataclass

import numpy as np
import ot
import pytest
from numpy.typing import NDArray

from tests.conftest import ON_SQLITE
from tests.e2e.service import NewParty, Party
from wassay import Buyer, BuyerPrivacy, Estimates, Request, Seller

pytestmark = ON_SQLITE

Points = NDArray[np.float64]

DIMENSION, REDUCED = 40, 10


@dataclass
class Trade:
    buyer: Party
    sellers: dict[str, Party]
    needed: Points
    offered: dict[str, Points]
    request: Request
    estimates: Estimates


@pytest.fixture(scope="package")
def projected(new_party: NewParty) -> Trade:
    random = np.random.default_rng(4)
    needed = random.normal(size=(40, DIMENSION))
    offered = {
        "near": random.normal(0.1, 1.0, size=(50, DIMENSION)),
        "far": random.normal(1.5, 1.0, size=(45, DIMENSION)),
    }
    buyer = new_party("buyer")
    sellers = {name: new_party("seller", name=name) for name in offered}
    request = Buyer(buyer.client).ask(
        needed,
        title="Projected",
        sellers=[seller.account_id for seller in sellers.values()],
        privacy=BuyerPrivacy(dimensions=REDUCED),
    )
    for name, points in offered.items():
        Seller(sellers[name].client).answer(request.id, points)
    estimates = request.evaluate().wait(timeout=300).result().estimates()
    return Trade(buyer, sellers, needed, offered, request, estimates)


def test_the_request_says_what_is_compared(projected: Trade) -> None:
    shown = projected.sellers["near"].client.requests.get(projected.request.id)
    assert (shown.dimension, shown.projected_from) == (REDUCED, DIMENSION)
    assert shown.measure is not None
    assert shown.measure.columns == REDUCED


def test_pots_distances_of_the_raw_points_are_above_the_lower_bounds(projected: Trade) -> None:
    for seller in projected.estimates.sellers:
        cost = ot.dist(projected.needed, projected.offered[seller.label])
        raw = np.sqrt(ot.emd2([], [], cost))
        assert seller.singleton.interval is not None
        assert 0.1 * raw < seller.singleton.interval[0] <= raw


def test_the_clearly_nearer_seller_is_first(projected: Trade) -> None:
    assert [seller.label for seller in projected.estimates.sellers] == ["near", "far"]
