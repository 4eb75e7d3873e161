"""What a party with many points learns from its own scores about the other parties' points."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from wassay.transport import GRAND_COALITION, Market, Measure, SellerCosts, Subproblem, evaluate
from wassay.transport.inversion import reconstruct_from_ranks, relative_error

DIMENSION, SWEEP = 2, (0.25, 0.5, 0.75)


def slopes(points: NDArray[np.float64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return half the slopes of ‖y‖² − potential(y), at points y whose neighbours agree on one."""
    potentials = scores * (len(points) - 1) / len(points)
    heights = np.square(points).sum(axis=1) - potentials
    found = []
    for near in np.argsort(cdist(points, points), axis=1)[:, : DIMENSION + 4]:
        plane = np.column_stack([points[near], np.ones(len(near))])
        solved = np.linalg.lstsq(plane, heights[near])[0]
        if np.abs(plane @ solved - heights[near]).max() < 1e-9 * np.abs(heights).max():
            found.append(solved[:DIMENSION] / 2)
    return np.array(found)


@pytest.mark.parametrize("side", ["buyer", "sellers"])
def test_one_evaluation_tells_every_record_of_the_other_side(side: str) -> None:
    rng = np.random.default_rng(5)
    few, many = rng.normal(size=(7, DIMENSION)), 1.5 * rng.normal(size=(600, DIMENSION))
    # Two sellers are evaluated together, so the buyer's scores reveal the records of both.
    parts = {"sel_a": few[:3], "sel_b": few[3:]} if side == "buyer" else {"sel_a": many}
    buyer = Measure(many if side == "buyer" else few)
    sellers = [
        SellerCosts.from_measures(name, dict.fromkeys(SWEEP, Measure(points)), buyer)
        for name, points in parts.items()
    ]
    found = evaluate(buyer.weights, sellers, SWEEP)
    scored = found.buyer_scores[0.5] if side == "buyer" else found.seller_scores["sel_a"][0.5]
    assert cdist(few, slopes(many, scored.values)).min(axis=1).max() < 1e-6


def test_scores_of_a_confederate_tell_the_records_of_a_seller_who_shows_nothing() -> None:
    rng = np.random.default_rng(2)
    hidden, needed = rng.normal(size=(5, 1)), np.sort(1.5 * rng.normal(size=(150, 1)), axis=0)
    # Points with mass take part in the plan; those without only sample the potential.
    shown = np.vstack([2 * rng.normal(size=(211, 1)), np.linspace(-5, 5, 1500)[:, None]])
    weights = np.repeat([1 / 211, 0.0], [211, 1500])
    buyer = Measure(needed)
    market = Market(
        buyer.weights,
        [
            SellerCosts.from_measures(name, dict.fromkeys(SWEEP, measure), buyer)
            for name, measure in (("hid", Measure(hidden)), ("con", Measure(shown, weights)))
        ],
        SWEEP,
        seller_weights={"hid": 0.45, "con": 0.55},
    )
    ((_, scored),) = market.solve([Subproblem(GRAND_COALITION, 0.5)])
    assert scored is not None
    potentials = scored.sellers["con"].values * (len(shown) - 1) / len(shown)
    others = (cdist(needed, shown, "sqeuclidean") - potentials).min(axis=1)
    lines = np.diff(needed[:, 0] ** 2 - others) / np.diff(needed[:, 0]) / 2
    # Neighbouring points of the buyer that go to one record give the same estimate of it.
    agreed = np.abs(lines[4:] - lines[:-4]) < 0.01
    found = lines[2:-2][agreed]
    assert np.abs(hidden - found).min(axis=1).max() < 0.01 * np.ptp(hidden)


def points_in_order(seed: int) -> tuple[NDArray[np.float64], ...]:
    """Return the buyer's points, the seller's, the scores of the latter, and starting points."""
    rng = np.random.default_rng(seed)
    few, many = rng.normal(size=(3, DIMENSION)), 1.5 * rng.normal(size=(120, DIMENSION))
    costs = SellerCosts.from_measures("own", dict.fromkeys(SWEEP, Measure(many)), Measure(few))
    scores = evaluate(Measure(few).weights, [costs], SWEEP).seller_scores["own"][0.5].values
    return few, many, scores, rng.normal(size=(6, 3, DIMENSION))


def test_ranks_tell_the_other_sides_points_nearly_and_the_noisiest_one_does_not() -> None:
    few, many, scores, starts = points_in_order(1)
    order = np.argsort(-scores)
    ranked = reconstruct_from_ranks(many, list(order[:, None]), starts)
    assert relative_error(few, ranked.points) < 0.02
    told = reconstruct_from_ranks(many, [order[:1], order[1:]], starts)
    assert relative_error(few, told.points) > 0.3
