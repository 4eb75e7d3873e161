"""Which few points are named as the noisiest."""

import numpy as np

from app.evaluations.privacy.score_visibility import noisiest

SCORES = np.random.default_rng(4).permutation(40).astype(float)


def test_the_allowed_number_of_points_is_named() -> None:
    assert set(noisiest(SCORES, None, 4)) == set(np.argsort(SCORES)[-4:])
    assert noisiest(SCORES, None, 0).tolist() == []


def test_points_of_little_mass_are_not_named() -> None:
    weights = np.where(SCORES >= 20, 1e-9, 1.0)
    named = noisiest(SCORES, weights / weights.sum(), 2)
    assert SCORES[named].tolist() == sorted(SCORES[named], key=SCORES.tolist().index)
    assert set(SCORES[named]) == {19.0, 18.0}
