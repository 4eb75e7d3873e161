"""Sealed, labelled points: in both modes that take labels, the distance is OTDD of the raw data."""

import math

import numpy as np
import ot
import pytest
from numpy.typing import NDArray

from tests.conftest import ON_SQLITE
from tests.e2e.service import NewParty
from wassay import Buyer, BuyerPrivacy, Labels, Protocol, Seller
from wassay.audit import Audit
from wassay.client import InvalidArgumentError
from wassay.models import Mode
from wassay.transport import gelbrich_lower_bound

pytestmark = ON_SQLITE

random = np.random.default_rng(41)
T0 = 0.3
CENTRES = random.normal(scale=4.0, size=(3, 4))
SHAPES = random.normal(size=(3, 4, 4))
NAMES = {"needed": ["ant", "bee", "cat"], "offered": ["Zug", "Haus", "Baum"]}


def blobs(size: int, names: list[str]) -> tuple[NDArray[np.float64], NDArray[np.str_]]:
    classes = np.arange(size) % 3
    points = CENTRES[classes] + np.einsum(
        "nij,nj->ni", SHAPES[classes], random.normal(size=(size, 4))
    )
    return points, np.array(names)[classes]


NEEDED, NEEDED_LABELS = blobs(40, NAMES["needed"])
OFFERED, OFFERED_LABELS = blobs(47, NAMES["offered"])


def moments(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return points.mean(axis=0), np.cov(points.T, ddof=0)


def true_otdd() -> float:
    cost = ot.dist(OFFERED, NEEDED)
    for theirs in NAMES["offered"]:
        for mine in NAMES["needed"]:
            rows, columns = np.equal(OFFERED_LABELS, theirs), np.equal(NEEDED_LABELS, mine)
            (m, sigma), (n, tau) = moments(OFFERED[rows]), moments(NEEDED[columns])
            apart = gelbrich_lower_bound(float(np.linalg.norm(m - n)), sigma, tau)
            cost[np.ix_(rows, columns)] += apart**2
    return math.sqrt(ot.emd2([], [], cost, numItermax=10**7))


@pytest.mark.parametrize("mode", ["cost-block", "scalar"])
def test_the_distance_of_labelled_points_is_otdd_of_the_raw_data(
    new_party: NewParty, mode: Mode
) -> None:
    buyer, seller = new_party("buyer"), new_party("seller")
    request = Buyer(buyer.client).ask(
        NEEDED,
        labels=NEEDED_LABELS,
        title="Three kinds",
        sellers=[seller.account_id],
        privacy=BuyerPrivacy(reveals_measure=True, max_disclosure="exact"),
        protocol=Protocol(t0=T0, modes=[mode]),
    )
    assert buyer.client.requests.get(request.id).labelled
    answering = Seller(seller.client)
    with pytest.raises(InvalidArgumentError, match="pass labels"):
        answering.answer(request.id, OFFERED, mode=mode)
    audits: list[Audit] = []
    answering.answer(request.id, OFFERED, labels=OFFERED_LABELS, mode=mode, on_audit=audits.append)

    result = request.evaluate().wait(timeout=300).result()
    estimated = result.estimates().sellers[0].singleton

    assert estimated.value == pytest.approx(true_otdd(), rel=1e-6)
    assert estimated.interval is not None
    low, high = estimated.interval
    assert low - 1e-6 <= true_otdd() <= high + 1e-6
    assert result.document.findings == []
    together = next(each for each in audits[0].exposures if each.colluding)
    assert together.learns == ("exact" if mode == "cost-block" else "scalars")
    if mode == "cost-block":
        assert together.relative_error is not None
        assert together.relative_error < 1e-6


@pytest.mark.parametrize("mode", ["cost-block", "scalar"])
def test_where_names_are_matched_every_class_is_compared_with_its_own(
    new_party: NewParty, mode: Mode
) -> None:
    buyer, seller = new_party("buyer"), new_party("seller")
    # Shares of classes differ, and cats are far from cats.
    named = np.roll(NAMES["needed"], 1)[np.minimum(np.arange(47) % 5, 2)]
    request = Buyer(buyer.client).ask(
        NEEDED,
        labels=Labels(NEEDED_LABELS, match_names=True),
        title="Cats are cats",
        sellers=[seller.account_id],
        privacy=BuyerPrivacy(reveals_measure=True, max_disclosure="exact"),
        protocol=Protocol(t0=T0, modes=[mode]),
    )
    assert seller.client.requests.get(request.id).class_names == sorted(NAMES["needed"])
    answering = Seller(seller.client)
    with pytest.raises(InvalidArgumentError, match=r"lack ant, bee, cat and add Baum"):
        answering.answer(request.id, OFFERED, labels=OFFERED_LABELS, mode=mode)
    answering.answer(request.id, OFFERED, labels=named, mode=mode)

    result = request.evaluate().wait(timeout=300).result()
    found = result.estimates().sellers[0].singleton

    of_each = [
        np.equal(NEEDED_LABELS, name).mean()
        * ot.emd2([], [], ot.dist(OFFERED[named == name], NEEDED[name == NEEDED_LABELS]))
        for name in NAMES["needed"]
    ]
    assert found.value == pytest.approx(sum(of_each) ** 0.5, rel=1e-6)
    assert found.bracket == pytest.approx((sum(of_each) ** 0.5,) * 2, rel=1e-6)
    assert result.document.findings == []


def test_labels_go_where_sellers_compute_costs(new_party: NewParty) -> None:
    buyer, seller = new_party("buyer"), new_party("seller")
    with pytest.raises(
        InvalidArgumentError, match="match_names is for the modes cost-block and scalar"
    ):
        Buyer(buyer.client).ask(
            NEEDED, labels=Labels(NEEDED_LABELS, match_names=True), title="Measures"
        )
    request = Buyer(buyer.client).ask(
        NEEDED, title="No labels", sellers=[seller.account_id], protocol=Protocol(t0=T0)
    )
    with pytest.raises(InvalidArgumentError, match="without labels"):
        Seller(seller.client).answer(request.id, OFFERED, labels=OFFERED_LABELS)
