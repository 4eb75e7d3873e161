"""Which few points are named as the noisiest."""

import numpy as np

from app.evaluations.visibility import noisiest

SCORES = np.random.default_rng(4).permutation(40).astype(float)


def test_one_in_ten_points_is_named_and_one_for_ten_of_another_party_at_most() -> None:
    assert set(noisiest(SCORES, None, 1000)) == set(np.argsort(SCORES)[-4:])
    assert set(noisiest(SCORES, None, 11)) == set(np.argsort(SCORES)[-2:])
    assert noisiest(SCORES[:1], None, 1).tolist() == [0]


def test_points_of_next_to_no_mass_are_not_named() -> None:
    weights = np.where(SCORES >= 20, 1e-9, 1.0)
    named = noisiest(SCORES, weights / weights.sum(), 1000)
    assert SCORES[named].tolist() == sorted(SCORES[named], key=SCORES.tolist().index)
    assert set(SCORES[named]) == {19.0, 18.0}
