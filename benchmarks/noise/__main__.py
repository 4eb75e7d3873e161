"""Measure the error of distances with Laplace noise, by ε and number of records."""

import numpy as np

from app.evaluations.computing.build_noised_result import RELATIVE_ERROR
from app.evaluations.privacy.clipping import clip_to_ball
from app.evaluations.privacy.laplace_mechanism import release
from wassay import Measure, Normal, Reference
from wassay.transport import interpolate, quadratic_weights, wasserstein

BUYER_POINTS, DIMENSION, RADIUS, T0 = 200, 4, 5.0, 0.4
SWEEP = (0.25, 0.5, 0.75)
RELEASES = 2000


def main() -> None:
    random = np.random.default_rng(0)
    needed = Measure(random.normal(size=(BUYER_POINTS, DIMENSION)))
    reference = Reference(1, DIMENSION, Normal(), seed=3).measure()
    pushed = interpolate(needed, reference, T0)
    centred = clip_to_ball(pushed, pushed, RADIUS)
    weights = quadratic_weights(SWEEP, T0)
    largest = (2 * RADIUS) ** 2
    print(f"{'records':>8} {'ε':>4} {'distance':>9} {'median error':>13} {'95 %':>7}")
    for records in (1_000, 10_000):
        offered = Measure(random.normal(1.0, 1.0, size=(records, DIMENSION)))
        true = wasserstein(needed, offered).value
        swept = [clip_to_ball(interpolate(offered, reference, s), pushed, RADIUS) for s in SWEEP]
        costs = [wasserstein(centred, measure).value ** 2 for measure in swept]
        for epsilon in (1.0, 10.0):
            errors = []
            for _ in range(RELEASES):
                released = [
                    release(
                        cost,
                        sensitivity=largest / records,
                        epsilon=epsilon / len(SWEEP),
                        error=RELATIVE_ERROR * largest,
                    ).value
                    for cost in costs
                ]
                square = float(weights @ np.array(released))
                errors.append(abs(np.sqrt(max(square, 0.0)) / (1 - T0) / true - 1))
            half, most = np.quantile(errors, (0.5, 0.95))
            print(f"{records:8} {epsilon:4g} {true:9.3f} {half:13.2%} {most:7.2%}")


if __name__ == "__main__":
    main()
