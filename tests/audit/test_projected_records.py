"""What an audit says about records of which only random projections are sent."""

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from tests.transport.inversion.records import fixed_key
from wassay.audit import Audit, BuyerMeasure, DisclosureClass, SellerMeasures, audit
from wassay.reference_key import ReferenceKey
from wassay.transport import (
    Measure,
    Normal,
    RandomProjection,
    Reference,
    TransportError,
    project,
    scale_hiding,
)

SWEEP = (0.25, 0.5, 0.75)
DIGITS = load_digits().data[:300] / 16


def key_of(records: NDArray[np.float64], reduced: int) -> ReferenceKey:
    projection = RandomProjection(records.shape[1], reduced, bytes(32))
    scale = scale_hiding(projection.apply(Measure(records)))
    return fixed_key(Reference(1, reduced, Normal(), 5), scale, projection)


def audited(records: NDArray[np.float64], reduced: int, *, shown: bool | None = None) -> Audit:
    """Audit a seller's measures or, if `shown` is not None, a buyer's."""
    key = key_of(records, reduced)
    pushed = project(key.reduce(Measure(records)), key.reference.measure())
    sent = (
        SellerMeasures({s: key.conceal(pushed.interpolate(s)) for s in SWEEP})
        if shown is None
        else BuyerMeasure(key.conceal(pushed.interpolate(0.4)), shown)
    )
    return audit(records, sent, key.reference, isometry=key.conceal, projection=key.projection)


@pytest.mark.parametrize("shown", [None, True, False])
def test_of_a_round_cloud_nobody_reconstructs_more_than_the_share_of_the_projection(
    random: np.random.Generator, shown: bool | None
) -> None:
    found = audited(random.normal(size=(250, 40)), 10, shown=shown)
    assert found.worst is DisclosureClass.PROJECTION
    for each in found.exposures:
        if each.disclosure_class is DisclosureClass.PROJECTION:
            assert each.rank == 10
            assert each.learns == "projection of rank 10"
            assert each.relative_error is not None
            # Matching a bad reconstruction's rows to the records makes its error a little smaller.
            assert each.relative_error**2 >= 0.95 * (1 - 10 / 40)


def test_who_has_the_key_predicts_pixels_of_digits_that_the_service_does_not() -> None:
    service, seller, _ = audited(DIGITS, 16, shown=True).exposures
    # Not its class: in some projections, the digits' images separate into groups.
    assert max(pixel.correlation for pixel in service.columns.attempts) < 0.9
    assert service.predicted.attempts == ()
    assert seller.disclosure_class.reveals_more_than(DisclosureClass.UP_TO_ISOMETRY)
    assert "columns with a rank correlation above 0.9" in seller.explanation
    assert seller.relative_error is not None
    assert seller.relative_error < 0.65
    service, seller, _ = audited(DIGITS, 4, shown=True).exposures
    assert seller.disclosure_class is DisclosureClass.PROJECTION
    assert seller.relative_error is not None
    assert seller.relative_error > 0.7


def test_records_and_projection_are_of_one_space(random: np.random.Generator) -> None:
    key = key_of(random.normal(size=(20, 6)), 3)
    sent = BuyerMeasure(Measure(np.eye(3)))
    with pytest.raises(TransportError, match="dimension 6"):
        audit(np.eye(3), sent, key.reference, projection=key.projection)
    with pytest.raises(TransportError, match="either a projection or word vectors"):
        audit(
            np.eye(3, 6), sent, key.reference, projection=key.projection, vectors={"a": np.ones(6)}
        )
