"""The push: t0 and the buyer's spread, which never leave the buyer's machine."""

import math
from typing import Any

import pytest

from wassay.client import InvalidArgumentError
from wassay.client.buyer.private_push import PrivatePush


def test_nothing_of_a_push_is_shown_in_logs() -> None:
    assert repr(PrivatePush(0.35, 1.25)) == "PrivatePush()"


@pytest.mark.parametrize("t0", [0.0, 1.0, -0.1, 1.5, float("nan"), "0.3", None, [0.3]])
def test_t0_lies_strictly_between_the_data_and_the_reference(t0: Any) -> None:
    with pytest.raises(InvalidArgumentError, match=r"between 0 \(the raw data\) and 1"):
        PrivatePush(t0, 1.0)


@pytest.mark.parametrize("spread", [-1.0, float("nan")])
def test_a_spread_is_not_negative(spread: float) -> None:
    with pytest.raises(InvalidArgumentError, match="at least 0"):
        PrivatePush(0.5, spread)


@pytest.mark.parametrize("t0", [math.nextafter(0.0, 1.0), math.nextafter(1.0, 0.0)])
def test_any_number_between_the_data_and_the_reference_is_a_push(t0: float) -> None:
    assert PrivatePush(t0, 1.0).t0 == t0


def test_a_reference_of_one_point_has_no_spread() -> None:
    assert PrivatePush(0.5, 0.0).projection_spread == 0.0
