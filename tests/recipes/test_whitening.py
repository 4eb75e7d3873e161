"""Whitening, against scikit-learn and numpy."""

import numpy as np
from sklearn.covariance import ledoit_wolf_shrinkage

from wassay.recipes.whitening import ordered_product, shrinkage, whitening_matrix

RANDOM = np.random.default_rng(4)


def test_the_shrinkage_is_scikit_learns() -> None:
    for rows, columns in ((400, 5), (30, 40)):
        values = RANDOM.normal(size=(rows, columns)) @ RANDOM.normal(size=(columns, columns))
        values -= values.mean(axis=0)
        expected = ledoit_wolf_shrinkage(values, assume_centered=True)
        np.testing.assert_allclose(shrinkage(values), expected)


def test_whitened_coordinates_have_unit_covariance_and_stay_near_their_own() -> None:
    values = RANDOM.normal(size=(5_000, 4)) @ np.diag([1, 10, 0.1, 3])
    values[:, 1] += 5 * values[:, 0]
    values -= values.mean(axis=0)
    whitened = values @ whitening_matrix(values)
    np.testing.assert_allclose(np.cov(whitened.T), np.eye(4), atol=0.02)
    assert (np.abs(np.corrcoef(values.T, whitened.T)[:4, 4:]).argmax(axis=1) == range(4)).all()


def test_principal_axes_of_few_rows_are_not_kept() -> None:
    values = RANDOM.normal(size=(60, 3)) * [1, 1, 0.4]
    values[:, 0] += 0.7 * values[:, 1]
    values -= values.mean(axis=0)
    variances = np.linalg.eigvalsh(np.cov((values @ whitening_matrix(values)).T, bias=True))
    np.testing.assert_allclose(variances, 1, atol=1e-9)


def test_duplicated_and_constant_columns_are_amplified_at_most_tenfold() -> None:
    values = np.column_stack([RANDOM.normal(size=200)] * 2 + [np.zeros(200)])
    assert np.abs(whitening_matrix(values)).max() < 10


def test_the_product_is_numpys_in_the_order_of_columns() -> None:
    left, right = RANDOM.normal(size=(3_000, 50)), RANDOM.normal(size=(50, 50))
    np.testing.assert_allclose(ordered_product(left, right), left @ right, atol=1e-12)
    row = [sum(float(a) * float(b) for a, b in zip(left[7], each, strict=True)) for each in right.T]
    assert ordered_product(left, right)[7].tolist() == row
