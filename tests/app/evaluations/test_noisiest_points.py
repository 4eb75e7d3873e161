"""Which few points are named as the noisiest."""

import numpy as np

from app.evaluations.privacy.noisiest_points import noisiest, rounded_down

SCORES = np.random.default_rng(4).permutation(40).astype(float)


def test_the_allowed_number_of_points_is_named() -> None:
    assert set(noisiest(SCORES, None, 4)) == set(np.argsort(SCORES)[-4:])
    assert noisiest(SCORES, None, 0).tolist() == []


def test_points_of_little_mass_are_not_named() -> None:
    weights = np.where(SCORES >= 20, 1e-9, 1.0)
    named = noisiest(SCORES, weights / weights.sum(), 2)
    assert SCORES[named].tolist() == sorted(SCORES[named], key=SCORES.tolist().index)
    assert set(SCORES[named]) == {19.0, 18.0}


def test_the_number_of_named_points_tells_a_partys_size_to_within_two_thirds_only() -> None:
    assert [rounded_down(count) for count in (0, 1, 4, 6, 9, 12, 17, 29, 99, 149, 10_000)] == [
        *(0, 1, 3, 5, 7, 10, 15, 20, 70, 100, 10_000)
    ]
    told = {rounded_down(count) for count in range(1, 10_000)}
    assert len(told) == 23
