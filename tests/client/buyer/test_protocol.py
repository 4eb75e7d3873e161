"""The t0 that is drawn for a buyer who gives none."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wassay import Protocol
from wassay.client.buyer.t0 import draw_t0
from wassay.errors import InvalidArgumentError

SWEEPS = st.lists(
    st.floats(0.001, 0.999, allow_subnormal=False), min_size=3, max_size=32, unique=True
)


@given(SWEEPS)
def test_a_drawn_t0_lies_between_values_of_the_sweep_and_near_none(sweep: list[float]) -> None:
    t0 = draw_t0(sweep)
    (interval,) = [(low, high) for low, high in pairwise(sorted(sweep)) if low <= t0 <= high]
    low, high = interval
    assert min(t0 - low, high - t0) >= 0.0999 * (high - low)


def test_a_drawn_t0_is_uniform_where_the_default_sweep_allows() -> None:
    drawn = np.array([draw_t0((0.75, 0.25, 0.5)) for _ in range(20_000)])
    expected = (0.3, 0.475), (0.525, 0.7)
    assert all(any(low <= t0 <= high for low, high in expected) for t0 in drawn)
    for low, high in expected:
        counts, _ = np.histogram(drawn, bins=7, range=(low, high))
        # Each of the 14 bins has the same width: 1429 draws on average, 36 the standard deviation.
        assert np.abs(counts - 20_000 / 14).max() < 6 * 36.5


def test_a_protocol_shows_no_t0_in_logs() -> None:
    assert "0.35" not in repr(Protocol(t0=0.35))


def test_values_of_s_that_do_not_determine_the_curve_are_refused() -> None:
    with pytest.raises(InvalidArgumentError, match=r"at least 0\.001 apart, .*received \(0\.5,"):
        Protocol(sweep=(0.5, 0.5001, 0.7))


def test_another_order_is_refused_with_the_reason() -> None:
    with pytest.raises(InvalidArgumentError, match=r"received 3: .* only for these orders"):
        Protocol(order=3)  # type: ignore[arg-type]
