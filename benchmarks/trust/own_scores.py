"""Measure what the scores of a seller's own points disclose of the buyer's points.

`python -m benchmarks.trust.own_scores` prints the relative error of reconstructed points.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from app.evaluations.privacy.noisiest_points import POINTS_PER_NAME, noisiest
from wassay.transport import Measure, SellerCosts, evaluate
from wassay.transport.inversion import reconstruct_from_ranks, relative_error

CASES = ((2, 10, 100), (2, 10, 1000), (8, 10, 1000))
SEEDS, STARTS = 3, 6
SWEEP = (0.25, 0.5, 0.75)

Points = NDArray[np.float64]


def ranks(scores: Points, _buyer_points: int) -> list[NDArray[np.intp]]:
    return list(np.argsort(-scores)[:, None])


def tenths(scores: Points, _buyer_points: int) -> list[NDArray[np.intp]]:
    return np.array_split(np.argsort(-scores), 10)


def quarters(scores: Points, _buyer_points: int) -> list[NDArray[np.intp]]:
    return np.array_split(np.argsort(-scores), 4)


def the_noisiest(scores: Points, buyer_points: int) -> list[NDArray[np.intp]]:
    few = noisiest(scores, None, min(len(scores), buyer_points) // POINTS_PER_NAME)
    return [few, np.setdiff1d(np.arange(len(scores)), few)]


GRADES: dict[str, Callable[[Points, int], list[NDArray[np.intp]]]] = {
    "ranks": ranks,
    "tenths": tenths,
    "quarters": quarters,
    "noisiest": the_noisiest,
}


def main() -> None:
    print(f"{'d':>3}{'m':>4}{'n':>6}", *(f"{name:>10}" for name in (*GRADES, "nothing")))
    for dimension, size, count in CASES:
        errors = [trial(seed, dimension, size, count) for seed in range(SEEDS)]
        middle = np.median(errors, axis=0)
        print(f"{dimension:>3}{size:>4}{count:>6}", *(f"{error:>10.1e}" for error in middle))


def trial(seed: int, dimension: int, size: int, count: int) -> list[float]:
    random = np.random.default_rng(seed)
    buyer, own = random.normal(size=(size, dimension)), 1.5 * random.normal(size=(count, dimension))
    costs = SellerCosts.from_measures("own", dict.fromkeys(SWEEP, Measure(own)), Measure(buyer))
    scores = evaluate(Measure(buyer).weights, [costs], SWEEP).seller_scores["own"][0.5].values
    starts = random.normal(size=(STARTS, size, dimension))
    found = [
        reconstruct_from_ranks(own, grade(scores, size), starts).points for grade in GRADES.values()
    ]
    # A start is a draw from the population, by someone who learns nothing.
    return [relative_error(buyer, each) for each in [*found, starts[0]]]


if __name__ == "__main__":
    main()
