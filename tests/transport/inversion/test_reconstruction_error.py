import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from wassay.disclosure_class import DisclosureClass
from wassay.transport import TransportError
from wassay.transport.inversion import reidentified, relative_error


def test_permuted_rows_are_no_error() -> None:
    rng = np.random.default_rng(11)
    truth = rng.normal(size=(30, 4))
    assert relative_error(truth, rng.permutation(truth)) == 0


@pytest.mark.parametrize("noise", [0.1, 1.0, 10.0])
def test_the_error_is_that_of_the_best_assignment(noise: float) -> None:
    rng = np.random.default_rng(12)
    truth = rng.normal(size=(40, 3))
    found = rng.permutation(truth) + noise * rng.normal(size=(40, 3))
    squared = cdist(truth, found, "sqeuclidean")
    best = np.sqrt(squared[linear_sum_assignment(squared)].sum())
    expected = best / np.linalg.norm(truth - truth.mean(axis=0))
    assert relative_error(truth, found) == pytest.approx(expected, rel=1e-9)


def test_knowing_only_the_mean_is_an_error_of_one_wherever_the_mean_is() -> None:
    truth = 1000 + np.random.default_rng(13).normal(size=(20, 5))
    assert relative_error(truth, np.tile(truth.mean(axis=0), (20, 1))) == pytest.approx(1)


def test_records_that_are_all_one_are_compared_with_their_size() -> None:
    assert relative_error([[3.0, 4.0]], [[3.0, 4.5]]) == pytest.approx(0.1)
    assert relative_error([[0.0]], [[0.0]]) == 0


def test_a_record_is_reidentified_when_no_other_reconstruction_is_nearer() -> None:
    truth = np.array([[0.0], [1.0], [2.0], [3.0]])
    assert reidentified(truth, truth + 0.4) == 1
    assert reidentified(truth, truth + 0.6) == pytest.approx(1 / 4)
    assert reidentified(truth, truth[[1, 0, 2, 3]]) == pytest.approx(1 / 2)


def test_a_repeated_record_is_its_own_copy() -> None:
    truth = np.zeros((3, 2))
    truth[2] = 1
    assert reidentified(truth, truth + 1e-13 * np.arange(6).reshape(3, 2)) == 1


def test_reconstructions_of_another_shape_are_refused() -> None:
    for compare in (relative_error, reidentified):
        with pytest.raises(TransportError, match="as the records have"):
            compare(np.eye(3), np.ones((2, 3)))


def test_classes_are_ordered_by_what_they_reveal() -> None:
    assert DisclosureClass.EXACT.reveals_more_than(DisclosureClass.APPROXIMATE)
    assert DisclosureClass.UP_TO_ISOMETRY.reveals_more_than(DisclosureClass.SCORES)
    assert DisclosureClass.SCALARS.reveals_more_than(DisclosureClass.NOTHING)
    assert not DisclosureClass.EXACT.reveals_more_than(DisclosureClass.EXACT)
