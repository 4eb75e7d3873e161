"""What exact scores of many points of one's own tell of the points on the other side."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from wassay.transport import Measure, SellerCosts, evaluate

DIMENSION, SWEEP = 2, (0.25, 0.5, 0.75)


def slopes(points: NDArray[np.float64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Half the slopes of |y|² less the potential, where y and its neighbours agree on one."""
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
    # Of two sellers together: the buyer's scores tell the records of both.
    parts = {"sel_a": few[:3], "sel_b": few[3:]} if side == "buyer" else {"sel_a": many}
    buyer = Measure(many if side == "buyer" else few)
    sellers = [
        SellerCosts.from_measures(name, dict.fromkeys(SWEEP, Measure(points)), buyer)
        for name, points in parts.items()
    ]
    found = evaluate(buyer.weights, sellers, SWEEP)
    scored = found.buyer_scores[0.5] if side == "buyer" else found.seller_scores["sel_a"][0.5]
    assert cdist(few, slopes(many, scored.values)).min(axis=1).max() < 1e-6
