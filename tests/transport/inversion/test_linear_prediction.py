"""What is predicted of records from fewer numbers than they have coordinates."""

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.covariance import OAS

from wassay.transport import RandomProjection, TransportError
from wassay.transport.inversion import predict_from_known, predict_unprojected

DIMENSION, REDUCED = 20, 5
MATRIX = RandomProjection(DIMENSION, REDUCED, bytes(32)).matrix


def unexplained(records: NDArray[np.float64], predicted: NDArray[np.float64]) -> float:
    return float(np.square(records - predicted).sum() / np.square(records - records.mean(0)).sum())


def test_the_prediction_is_the_conditional_mean_with_scikit_learns_shrunk_covariance(
    random: np.random.Generator,
) -> None:
    mixing = random.normal(size=(DIMENSION, DIMENSION))
    for count in (8, 300):
        similar = random.normal(size=(count, DIMENSION)) @ mixing
        record = random.normal(size=(1, DIMENSION)) @ mixing
        model = OAS().fit(similar)
        gain = model.covariance_ @ MATRIX.T @ np.linalg.inv(MATRIX @ model.covariance_ @ MATRIX.T)
        expected = model.location_ + gain @ MATRIX @ (record[0] - model.location_)
        np.testing.assert_allclose(
            predict_unprojected(record @ MATRIX.T, MATRIX, similar)[0], expected, rtol=1e-8
        )


def test_of_a_round_cloud_only_the_share_of_the_projection_is_predicted(
    random: np.random.Generator,
) -> None:
    records, similar = random.normal(size=(2, 2000, DIMENSION))
    predicted = predict_unprojected(records @ MATRIX.T, MATRIX, similar)
    assert unexplained(records, predicted) == pytest.approx(1 - REDUCED / DIMENSION, rel=0.03)


def test_of_records_near_a_plane_nearly_all_is_predicted(random: np.random.Generator) -> None:
    mixing = random.normal(size=(2, DIMENSION))
    records, similar = random.normal(size=(2, 500, 2)) @ mixing
    records += 1e-3 * random.normal(size=records.shape)
    similar += 1e-3 * random.normal(size=similar.shape)
    predicted = predict_unprojected(records @ MATRIX.T, MATRIX, similar)
    assert unexplained(records, predicted) < 0.01


def test_many_known_records_give_as_much_as_the_projection_itself(
    random: np.random.Generator,
) -> None:
    records = random.normal(size=(3000, DIMENSION))
    turned, _ = np.linalg.qr(random.normal(size=(REDUCED, REDUCED)))
    observed = records @ MATRIX.T @ turned + 7.0
    predicted = predict_from_known(observed, np.arange(1000), records[:1000])
    assert unexplained(records[1000:], predicted[1000:]) == pytest.approx(
        1 - REDUCED / DIMENSION, rel=0.05
    )


def test_one_known_record_has_no_covariance() -> None:
    with pytest.raises(TransportError, match="two or more known records, received 1"):
        predict_unprojected(np.ones((3, REDUCED)), MATRIX, np.ones((1, DIMENSION)))
